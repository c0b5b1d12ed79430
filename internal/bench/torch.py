"""PyTorch's side of gotorch's benchmark: times Python statements.

Reads one JSON object a line: {"setup": …, "expr": …} asks for a sample of the workload, {"info": true} for the version.
Answers one JSON object a line: {"seconds": …}, {"error": …} or {"version": …}. The number of threads is the only argument.
"""
import json
import os
import sys
import time

for name in [n for n in os.environ if n.startswith(("OPENBLAS_", "OMP_"))]:
    del os.environ[name]  # some environments set these so that the BLAS library is slow
import ctypes
import torch
import torch.nn.functional as F

THREADS = int(sys.argv[1])
torch.set_num_threads(THREADS)
torch.manual_seed(0)
try:
    blas = ctypes.CDLL("libopenblas.so.0")
    blas.openblas_set_num_threads(THREADS)
    BLAS = "OpenBLAS"
except OSError:
    BLAS = "no OpenBLAS"


def pin():
    """Pins helper threads to the CPUs that the main thread leaves free: a thread that is woken tends to stay on its waker's CPU."""
    cpus = os.cpu_count()
    if cpus < 2:
        return
    me = os.getpid()
    for t in map(int, os.listdir("/proc/self/task")):
        try:
            if THREADS == 1:
                os.sched_setaffinity(t, set(range(cpus)))
            else:
                os.sched_setaffinity(t, {0} if t == me else set(range(1, cpus)))
        except OSError:
            pass


def compiled(setup, expr):
    scope = {"torch": torch, "F": F, "g": torch.randn}
    body = "\n".join("  " + line for line in expr.split("\n"))
    source = "def make():\n%s\n def run():\n%s\n return run\n" % ("\n".join(" " + line for line in (setup or "pass").split("\n")), body)
    exec(source, scope)
    return scope["make"]()


def sample(run, target):
    run()
    pin()
    begin, calls = time.perf_counter(), 0
    while calls < 1 or calls < 1000 and time.perf_counter() - begin < 2 * target:  # as gotorch's side warms up
        run()
        calls += 1
    begin = time.perf_counter()
    run()
    once = time.perf_counter() - begin
    n = max(1, min(100000, int(target / max(once, 1e-7))))
    best = float("inf")
    for _ in range(2):
        begin = time.perf_counter()
        for _ in range(n):
            run()
        best = min(best, (time.perf_counter() - begin) / n)
    return best


current = None
for line in sys.stdin:
    ask = json.loads(line)
    if ask.get("info"):
        answer = {"version": "%s, %s" % (torch.__version__, BLAS)}
    else:
        try:
            key = (ask["setup"], ask["expr"])
            if current is None or current[0] != key:
                current = None
                torch.set_grad_enabled(True)  # a row's setup may turn it off
                current = (key, compiled(*key))
            answer = {"seconds": sample(current[1], ask["target"])}
        except Exception as e:
            answer = {"error": repr(e)[:300]}
    print(json.dumps(answer), flush=True)
