"""The functions that the proposal of automatic proxy mapping prints, with `get_node` as a look-up in
a dict, which is the better reading of it. One request a line, one answer a line."""

import json
import sys
import time
from collections import defaultdict
from types import SimpleNamespace


def detect_collisions(nodes):
    outputs_by_key = defaultdict(list)
    for node in nodes:
        for output_key in node.outputs:
            outputs_by_key[output_key].append(node.id)
    return {key: ids for key, ids in outputs_by_key.items() if len(ids) > 1}


def generate_collision_mappings(nodes, collisions):
    by_id = {node.id: node for node in nodes}
    mappings = {}
    for key, colliding_nodes in collisions.items():
        for node_id in colliding_nodes:
            if key in by_id[node_id].inputs:
                continue
            if node_id not in mappings:
                mappings[node_id] = {"output_mappings": {}}
            mappings[node_id]["output_mappings"][key] = f"{node_id}_{key}"
    return mappings


nodes = []
for line in sys.stdin:
    request = json.loads(line)
    if "nodes" in request:
        nodes = [SimpleNamespace(**node) for node in request["nodes"]]
        print("{}", flush=True)
        continue
    begin = time.process_time()
    mappings = generate_collision_mappings(nodes, detect_collisions(nodes))
    compiled = {"nodes": nodes, "mappings": mappings}
    told = {"figure": (time.process_time() - begin) * 1000}
    if request.get("answer"):
        told["answer"] = compiled["mappings"]
    print(json.dumps(told), flush=True)
