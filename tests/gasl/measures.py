"""Writes tests/gasl/measures.json: measures of graphs by NetworkX 3.6.1 (with SciPy 1.17.1).

Run with the folder of the example graphs: python3 tests/gasl/measures.py ../shared/data/graphs
"""

import json
import random
import sys
from pathlib import Path

import networkx as nx

WEIGHTS = [None, "w"]


def number(value):
    """Returns a number with 12 significant digits."""
    return value if isinstance(value, int) else float(f"{value:.12g}")


def column(graph, values):
    return [number(values[node]) for node in graph]


def simple(graph):
    """Returns the graph without parallel edges and loops."""
    plain = nx.DiGraph(graph) if graph.is_directed() else nx.Graph(graph)
    plain.remove_edges_from(list(nx.selfloop_edges(plain)))
    return plain


def measures(graph, weights):
    found = {}
    for weight in weights:
        mark = "" if weight is None else "_w"
        found["degree" + mark] = column(graph, dict(graph.degree(weight=weight)))
        if graph.is_directed():
            found["in_degree" + mark] = column(graph, dict(graph.in_degree(weight=weight)))
            found["out_degree" + mark] = column(graph, dict(graph.out_degree(weight=weight)))
        found["pagerank" + mark] = column(graph, nx.pagerank(graph, weight=weight))
        between = nx.betweenness_centrality(graph, weight=weight)
        found["betweenness" + mark] = column(graph, between)
        found["closeness" + mark] = column(graph, nx.closeness_centrality(graph, distance=weight))
        communities = nx.community.louvain_communities(graph, weight=weight, seed=1)
        modularity = nx.community.modularity(graph, communities, weight=weight)
        found["modularity" + mark] = number(modularity)
    found["core"] = column(graph, nx.core_number(simple(graph)))
    found["triangles"] = column(graph, nx.triangles(nx.Graph(simple(graph))))
    component = {}
    for index, nodes in enumerate(nx.connected_components(nx.Graph(graph))):
        component.update(dict.fromkeys(nodes, index))
    found["component"] = column(graph, component)
    return found


def costs(graph, weight):
    """Returns the distances from the first nodes to all, null where there is no path."""
    rows = []
    for node in list(graph)[:5]:
        found = nx.single_source_dijkstra_path_length(graph, node, weight=weight)
        rows.append([number(found[other]) if other in found else None for other in graph])
    return rows


def random_graph(kind, nodes, edges, seed):
    """Returns a graph with parallel edges and loops, unless the kind has none."""
    below = random.Random(seed)
    graph = kind()
    graph.add_nodes_from(range(nodes))
    for _ in range(edges):
        # Some nodes have many edges.
        source, target = (int(nodes * below.random() ** 1.5) for _ in range(2))
        if source == target and not graph.is_multigraph():
            continue
        graph.add_edge(source, target, w=below.choice([1, 2, 3, 5, 8, 2.5]))
    return graph


def read(path):
    data = json.loads(path.read_text())
    graph = nx.MultiDiGraph() if data.get("directed") else nx.MultiGraph()
    graph.add_nodes_from(node["id"] for node in data["nodes"])
    for edge in data.get("links", data.get("edges")):
        graph.add_edge(edge["source"], edge["target"], w=edge.get("value", edge.get("weight")))
    return graph


def entry(graph, weights):
    return {
        "measures": measures(graph, weights),
        "distances": {("w" if weight else "edges"): costs(graph, weight) for weight in weights},
    }


written = []
for seed, (kind, nodes, edges) in enumerate(
    [
        (nx.Graph, 40, 80),
        (nx.DiGraph, 40, 140),
        (nx.MultiGraph, 30, 70),
        (nx.MultiDiGraph, 30, 110),
        (nx.Graph, 40, 22),
        (nx.DiGraph, 40, 30),
        (nx.Graph, 12, 60),
        (nx.MultiDiGraph, 1, 2),
        (nx.Graph, 2, 1),
    ]
):
    graph = random_graph(kind, nodes, edges, seed)
    ends = [[source, target, w] for source, target, w in graph.edges(data="w")]
    directed = graph.is_directed()
    shape = {"directed": directed, "nodes": nodes, "edges": ends}
    written.append({**shape, **entry(graph, WEIGHTS)})
folder = Path(sys.argv[1])
for name in ["les-miserables", "southern-women"]:
    graph = read(folder / f"{name}.json")
    has_weights = all(w is not None for _, _, w in graph.edges(data="w"))
    written.append({"file": name, **entry(graph, WEIGHTS if has_weights else [None])})
text = ",\n".join(json.dumps(one, separators=(",", ":")) for one in written)
Path(__file__).with_name("measures.json").write_text(f"[\n{text}\n]\n")
