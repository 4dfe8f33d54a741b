"""The functions that the proposal of automatic proxy mapping prints. It leaves open how `get_node` finds
a node: in a dict, which is the better reading of it, or in the list of nodes. One request a line, one
answer a line."""

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


def in_dict(nodes):
    return {node.id: node for node in nodes}.__getitem__


def in_list(nodes):
    return lambda node_id: next(node for node in nodes if node.id == node_id)


def generate_collision_mappings(nodes, collisions, get_node):
    mappings = {}
    for key, colliding_nodes in collisions.items():
        for node_id in colliding_nodes:
            if key in get_node(node_id).inputs:
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
    get_node = (in_list if request.get("list") else in_dict)(nodes)
    mappings = generate_collision_mappings(nodes, detect_collisions(nodes), get_node)
    compiled = {"nodes": nodes, "mappings": mappings}
    response = {"figure": (time.process_time() - begin) * 1000}
    if request.get("answer"):
        response["answer"] = compiled["mappings"]
    print(json.dumps(response), flush=True)
