"""Which library multiplies matrices in this process, and whether it is one that a user would want."""
import os
import sys
import time

SLOW_GFLOPS = 15  # the reference BLAS makes 7 where OpenBLAS makes 110


def loaded():
    """Files of BLAS libraries that this process has mapped."""
    words = ("blas", "mkl", "blis", "accelerate")
    with open("/proc/self/maps", encoding="utf-8") as file:
        paths = {line.split()[-1] for line in file if "/" in line}
    return sorted(path for path in paths if any(word in os.path.basename(path).lower() for word in words))


def kind(path):
    """Debian's libblas.so.3 is one of several files; its folder tells which."""
    real = os.path.realpath(path).lower()
    for word in ("openblas", "mkl", "blis", "atlas"):
        if word in real:
            return word
    return "reference"


def name(torch=None):
    """mkl, openblas, ... or reference. PyTorch may have a BLAS inside; else libblas.so.3 multiplies, whatever LAPACK brings along."""
    if torch is not None and "BLAS_INFO=mkl" in torch.__config__.show():
        return "mkl"
    files = [path for path in loaded() if "cublas" not in path and "nvblas" not in path]
    plain = [path for path in files if os.path.basename(path).startswith("libblas.so")]
    return "+".join(sorted({kind(path) for path in plain or files})) or "unknown"


def gflops(multiply, make):
    """GFLOP/s of (1024, 264) times (264, 256): the best of several calls, the processor's time."""
    a, b, best = make(1024, 264), make(264, 256), 0.0
    for _ in range(7):
        begun = time.process_time()
        for _ in range(4):
            multiply(a, b)
        best = max(best, 4 * 2e-9 * 1024 * 264 * 256 / max(1e-9, time.process_time() - begun))
    return best


def refuse(found, speed, options, program):
    """True if the products are by a BLAS that nobody would train with, and that was not asked for."""
    if (found != "reference" and speed >= SLOW_GFLOPS) or options.any_blas:
        return False
    print(f"{program}: products are by a slow BLAS ({found}, {speed:.0f} GFLOP/s), which would flatter Starling several times; "
          "install libopenblas0-serial (Debian) or give --any-blas", file=sys.stderr)  # fmt: skip
    return True
