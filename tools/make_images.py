#!/usr/bin/env python3
"""Draw the pictures of docs/images from reports that the program writes: headless Chromium, then pngquant.

    make_images.py [--starling PROGRAM] [NAME...]      all of PICTURES below, or those named

Bytes of a picture depend on the version of Chromium and its fonts, so nothing compares them.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# file: (command that writes a folder "run", page of it, width, height, pixels per CSS pixel)
PICTURES = {
    "report.png": ("map mobilenet_v2 --accel eyeriss --objective edp --prove --out run", "map.html", 1100, 860, 1.5),
}
MAX_BYTES = 300_000


def chromium():
    found = next((x for x in ("chromium", "chromium-browser", "google-chrome") if shutil.which(x)), None)
    return found or sys.exit("make_images: there is no chromium; scripts/install-deps docs installs it")


def draw(name, program, folder):
    command, page, width, height, scale = PICTURES[name]
    subprocess.run([program, *command.split(), "--quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    raw = os.path.join(folder, name)
    subprocess.run([chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    f"--user-data-dir={folder}/profile", f"--screenshot={raw}", f"--window-size={width},{height}",
                    f"--force-device-scale-factor={scale}", "--virtual-time-budget=3000",
                    "file://" + os.path.join(folder, "run", page)], check=True, stderr=subprocess.DEVNULL)
    target = os.path.join(ROOT, "docs/images", name)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    subprocess.run(["pngquant", "--force", "--speed", "1", "--strip", "--quality", "60-95", "--output", target, raw], check=True)
    size = os.path.getsize(target)
    if size > MAX_BYTES:
        sys.exit(f"{target} has {size:,} bytes, at most {MAX_BYTES:,} are wanted")
    print(f"docs/images/{name}: {size:,} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="pictures")
    parser.add_argument("--starling", default=os.path.join(ROOT, "build/release/starling"), help="the program")
    options = parser.parse_args()
    for name in options.names or PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            draw(name, os.path.abspath(options.starling), folder)


if __name__ == "__main__":
    main()
