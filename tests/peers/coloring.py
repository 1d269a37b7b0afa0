#!/usr/bin/env python3
"""Colourings of one grid by Tartan, by NetworkX and by a plain loop in C++, in one run and one table.

    pip install networkx
    python3 tests/peers/coloring.py target/release/tartan

Needs g++. The grid has structural and shear springs; NetworkX gets the graph of their conflicts, made before its time counts.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import networkx

RESOLUTION = 256
RUNS = 3


def conflicts(side):
    edges = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        for y in range(side):
            for x in range(side):
                if 0 <= x + dx < side and y + dy < side:
                    edges.append((y * side + x, (y + dy) * side + x + dx))
    at = [[] for _ in range(side * side)]
    for edge, ends in enumerate(edges):
        for end in ends:
            at[end].append(edge)
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(edges)))
    for here in at:
        graph.add_edges_from((a, b) for i, a in enumerate(here) for b in here[:i])
    return graph


def networkx_row(graph):
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        colors = networkx.greedy_color(graph, strategy="largest_first")
        times.append((time.perf_counter() - start) * 1e3)
    return ("NetworkX largest_first", statistics.median(times), min(times), max(times), max(colors.values()) + 1)


def cpp_row():
    source = pathlib.Path(__file__).with_name("first_fit.cpp")
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "first_fit"
        subprocess.run(["g++", "-O2", "-std=c++17", "-o", program, source], check=True)
        median, least, most, colors = subprocess.run(
            [program, str(RESOLUTION)], check=True, capture_output=True, text=True
        ).stdout.split()
    return ("C++ first-fit", float(median), float(least), float(most), int(colors))


def tartan_rows(tartan):
    command = [tartan, "bench", "--suite", "coloring", "--resolution", str(RESOLUTION), "--json", "-"]
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    print(f"{report['machine']}; {report['renderer']}")
    rows = report["coloring"]
    whole = [(f"tartan {row['name']}", row["ms_median"], row["ms_min"], row["ms_max"], row["colors"]) for row in rows]
    first_fit = next(row for row in rows if row["name"] == "first-fit")
    alone = first_fit["ms_coloring"]
    return whole, ("tartan first-fit, colouring alone", alone, alone, alone, first_fit["colors"])


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} path/to/tartan")
    ours, alone = tartan_rows(sys.argv[1])
    rows = ours + [alone, networkx_row(conflicts(RESOLUTION)), cpp_row()]
    peer = {name: median for name, median, *_ in rows}
    print(f"{'':34} {'median ms':>9} {'min':>9} {'max':>9} {'colours':>7} {'/ NetworkX':>10} {'/ C++':>8}")
    for name, median, least, most, colors in rows:
        ratios = median / peer["NetworkX largest_first"], median / peer["C++ first-fit"]
        print(f"{name:34} {median:9.2f} {least:9.2f} {most:9.2f} {colors:7} {ratios[0]:10.3f} {ratios[1]:8.2f}")


if __name__ == "__main__":
    main()
