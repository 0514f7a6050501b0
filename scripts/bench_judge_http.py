#!/usr/bin/env python3
"""Asks a slow server on this machine about many pairs; says how near the pace is to the ideal.

The ideal is pairs x latency / concurrency. The server is a process of its own and does nothing
but wait. Ends with 1 where the pace is more than 1.3 times the ideal, or where memory grew by
more than a tenth, and 10 MB, over the last three quarters of the run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from vaultgraph.domain.judging import Answer, JudgedNote, JudgedPair
from vaultgraph.domain.notes import NoteId
from vaultgraph.effects.asking import ask_many
from vaultgraph.effects.prompts import read_question_set
from vaultgraph.effects.systemone import SystemOneJudge
from vaultgraph.judge.pair_text import TextRules
from vaultgraph.judge.servers import SYSTEMONE, ServerSettings, resolve_endpoint
from vaultgraph.vault.privacy import Masker

NOTES = 2_000
NOUL = {"type": "noul", "noul": 0.5}
REPLY = json.dumps({"model": "m", "answers": {"a_needs_b": NOUL, "b_needs_a": NOUL}}).encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


async def serve(latency: float) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = next(
                    int(line.partition(b":")[2])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length:")
                )
                await reader.readexactly(length)
                await asyncio.sleep(latency)
                writer.write(HEAD % len(REPLY) + REPLY)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def resident_mb() -> float:
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return 0.0
    return pages * 4096 / 1e6


def make_note(number: int) -> JudgedNote:
    paragraph = "The launch waits for the bridge, which [[Steel plan]] has not paid for yet. " * 6
    body = "\n\n".join(f"Part {part} of note {number}. {paragraph}" for part in range(12))
    return JudgedNote(NoteId(f"note {number:06}.md"), f"Note {number}", (), body, "0" * 64)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--latency", type=float, default=0.2, help="seconds")
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--serve", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        asyncio.run(serve(options.serve))
    command = [sys.executable, __file__, "--serve", str(options.latency)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        try:
            port = child.stdout.readline().strip() if child.stdout else ""
            return measure(options, f"http://127.0.0.1:{port}")
        finally:
            child.terminate()


def measure(options: argparse.Namespace, url: str) -> int:
    notes = [make_note(number) for number in range(NOTES)]
    pairs = (
        JudgedPair(notes[number % NOTES], notes[(number * 7 + 1) % NOTES], (3,), (1,))
        for number in range(options.pairs)
    )
    settings = ServerSettings(base_url=url, model="m", concurrency=options.concurrency)
    endpoint = resolve_endpoint(SYSTEMONE, settings, {})
    answered = 0
    memory: list[float] = []

    def keep(_pair: JudgedPair, answer: object) -> None:
        nonlocal answered
        answered += isinstance(answer, Answer)
        if answered % max(1, options.pairs // 20) == 0:
            memory.append(resident_mb())

    with SystemOneJudge(endpoint, TextRules(Masker(()))) as judge:
        wall, cpu = time.monotonic(), time.process_time()
        questions = read_question_set("depends.v1")
        ask_many(judge, pairs, questions, keep, threads=options.concurrency, stop=judge.stop)
        wall, cpu = time.monotonic() - wall, time.process_time() - cpu
    ideal = options.pairs * options.latency / options.concurrency
    early, late = memory[len(memory) // 4], memory[-1]
    print(
        f"{answered} of {options.pairs} pairs answered in {wall:.1f} s; ideal {ideal:.1f} s,"
        f" ratio {wall / ideal:.3f}; {1000 * cpu / options.pairs:.2f} ms of CPU a pair;"
        f" memory {early:.1f} MB after a quarter, {late:.1f} MB at the end"
    )
    is_flat = late - early < 10 + early / 10
    return 0 if answered == options.pairs and wall < 1.3 * ideal and is_flat else 1


if __name__ == "__main__":
    sys.exit(main())
