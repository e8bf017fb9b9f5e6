#!/usr/bin/env python3
"""Run the first Python example of a document on a store: store_doc.py DOCUMENT STORE."""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    EXAMPLE = re.search(r"```python\n(.*?)```", file.read(), re.DOTALL).group(1)
sys.argv = [sys.argv[1], sys.argv[2]]
exec(EXAMPLE)  # pylint: disable=exec-used
