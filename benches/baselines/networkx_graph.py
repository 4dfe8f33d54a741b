"""NetworkX as its documentation uses it. Reads one request a line, answers one line each:
{"figure": milliseconds of CPU time, "answer": ids, pairs of ids or paths}."""

import csv
import json
import resource
import sys
import time

import networkx as nx


def load(nodes, edges):
    graph = nx.Graph()
    with open(nodes, newline="") as file:
        rows = csv.reader(file)
        next(rows)
        graph.add_nodes_from(
            (id, {"entity_type": kind, "description": text, "score": float(score)})
            for id, kind, text, score in rows
        )
    with open(edges, newline="") as file:
        rows = csv.reader(file)
        next(rows)
        graph.add_edges_from(
            (source, target, {"type": kind, "weight": float(weight)})
            for source, target, kind, weight in rows
        )
    return graph


def attribute(graph):
    return [id for id, kind in graph.nodes(data="entity_type") if kind == "PERSON"]


def contains(graph):
    return [id for id, text in graph.nodes(data="description") if "vaccine" in text]


def edges(graph):
    return [
        (source, target)
        for source, target, data in graph.edges(data=True)
        if data["type"] == "KIND_3" and data["weight"] > 50
    ]


def paths(graph, ends):
    targets = set(ends["to"])
    return [
        path
        for source in ends["from"]
        for path in nx.all_simple_paths(graph, source, targets, cutoff=3)
    ]


def groups(graph):
    sums = {}
    for _, _, data in graph.edges(data=True):
        group = sums.setdefault(data["type"], [0.0, 0])
        group[0] += data["weight"]
        group[1] += 1
    return [(kind, total / count) for kind, (total, count) in sums.items()]


def resident():
    """Bytes of memory in use by this process; Linux counts the peak in kilobytes."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


questions = {"attribute": attribute, "contains": contains, "edges": edges, "groups": groups}
graph = None
for line in sys.stdin:
    request = json.loads(line)
    question = request["question"]
    if question == "memory":
        before = resident()
        graph = load(request["nodes"], request["edges"])
        print(json.dumps({"figure": (resident() - before) / 1e6}), flush=True)
        continue
    begin = time.process_time()
    if question == "load":
        loaded = load(request["nodes"], request["edges"])
        answer = [loaded.number_of_nodes(), loaded.number_of_edges()]
    elif question == "paths":
        answer = paths(graph, request)
    else:
        answer = questions[question](graph)
    figure = (time.process_time() - begin) * 1000
    if question == "load":
        graph = loaded
    response = {"figure": figure}
    if request.get("answer"):
        response["answer"] = answer
    print(json.dumps(response), flush=True)
