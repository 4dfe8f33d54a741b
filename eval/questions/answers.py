"""Computes the true answers of the questions with NetworkX 3.

    node eval/questions/print-graphs.mjs | python eval/questions/answers.py > eval/questions/answers.json

The input is one JSON object: node-link JSON of each graph by its name. Questions over a graph that is
missing keep their answers of the file.
"""

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

import networkx as nx


def edges(graph, relation):
    """Returns (source, target, attributes) of the edges of a relation."""
    return [(u, v, d) for u, v, d in graph.edges(data=True) if d.get("type") == relation]


def nodes(graph, field, value):
    """Returns {id: attributes} of the nodes with a value."""
    return {n: d for n, d in graph.nodes(data=True) if d.get(field) == value}


def most(counts):
    """Returns the keys with the highest value."""
    return [key for key, value in counts.items() if value == max(counts.values())]


def coast(g):
    people, papers = nodes(g, "entity_type", "PERSON"), nodes(g, "entity_type", "PAPER")
    authors = defaultdict(set)
    for person, paper, _ in edges(g, "WROTE"):
        authors[paper].add(person)
    topics = {paper: topic for paper, topic, _ in edges(g, "ABOUT")}
    works = {person: place for person, place, _ in edges(g, "WORKS_AT")}
    sums = Counter()
    for paper, topic in topics.items():
        sums[topic] += papers[paper]["citations"]
    cited = Counter(target for _, target, _ in edges(g, "CITES"))
    tran = set().union(*(group for group in authors.values() if "Bo Tran" in group)) - {"Bo Tran"}
    floods = set().union(*(authors[paper] for paper, topic in topics.items() if topic == "Floods"))
    return {
        "coast-people": len(people),
        "coast-most-cited": most({n: d["citations"] for n, d in papers.items()}),
        "coast-kestrel": [p for p, place in works.items() if place == "Kestrel Station"],
        "coast-lind-papers": [paper for paper, group in authors.items() if "Ada Lind" in group],
        "coast-largest": most(Counter(works.values())),
        "coast-kelp": [paper for paper, topic in topics.items() if topic == "Kelp"],
        "coast-after-2018": sum(d["year"] > 2018 for d in papers.values()),
        "coast-citations": sum(d["citations"] for d in papers.values()),
        "coast-topic": most(sums),
        "coast-cites-mud": [u for u, v, _ in edges(g, "CITES") if v == "Mud keeps time"],
        "coast-cited-twice": [paper for paper, count in cited.items() if count >= 2],
        "coast-recent-staff": [n for n, d in people.items() if d["since"] > 2018],
        "coast-isolated": [n for n in people if n not in works],
        "coast-tran-coauthors": sorted(tran),
        "coast-sato-topics": sorted({topics[p] for p, group in authors.items() if "Emil Sato" in group}),
        "coast-distance": nx.shortest_path_length(nx.Graph(g), "Dana Weiss", "Ivo Petrov"),
        "coast-three-authors": [paper for paper, group in authors.items() if len(group) == 3],
        "coast-tidewater-floods": sorted(p for p in floods if works.get(p) == "Tidewater Institute"),
        "coast-first-year": min(d["year"] for d in papers.values()),
        "coast-seniority": sorted(people, key=lambda n: people[n]["since"]),
    }


def flights(g):
    people, missions = nodes(g, "kind", "PERSON"), nodes(g, "kind", "MISSION")
    crews, hours, flown = defaultdict(set), Counter(), Counter()
    for person, mission, data in edges(g, "FLEW_ON"):
        crews[mission].add(person)
        hours[person] += data["hours"]
        flown[person] += 1
    walked = edges(g, "WALKED_AT")
    rockets = {mission: rocket for mission, rocket, _ in edges(g, "LAUNCHED_BY")}
    ships = {mission: ship for mission, ship, _ in edges(g, "RECOVERED_BY")}
    lovell = set().union(*(crew for crew in crews.values() if "Jim Lovell" in crew)) - {"Jim Lovell"}
    gemini = [d["hours"] for d in missions.values() if d["program"] == "Gemini"]
    longest = max(data["hours"] for _, _, data in walked)
    return {
        "flights-missions": len(missions),
        "flights-longest": most({n: d["hours"] for n, d in missions.items()}),
        "flights-walkers": [person for person, _, _ in walked],
        "flights-rocket": [n for n, count in Counter(rockets.values()).items() if count == 10],
        "flights-ship": most(Counter(ships.values())),
        "flights-four": [person for person, count in flown.items() if count == 4],
        "flights-rock": round(sum(d.get("rock_kg", 0) for d in missions.values()), 6),
        "flights-oldest": most({n: -d["born"] for n, d in people.items()}),
        "flights-once": sum(count == 1 for count in flown.values()),
        "flights-apollo-13": sorted(crews["Apollo 13"]),
        "flights-schirra": [mission for mission, crew in crews.items() if "Wally Schirra" in crew],
        "flights-landings": [mission for mission, _, _ in edges(g, "LANDED_AT")],
        "flights-gemini": round(sum(gemini) / len(gemini), 6),
        "flights-lovell": sorted(lovell),
        "flights-born-1930": [p for p, _, _ in walked if people[p]["born"] == 1930],
        "flights-outside": round(sum(data["hours"] for _, _, data in walked), 6),
        "flights-site": sorted({site for _, site, data in walked if data["hours"] == longest}),
        "flights-order": sorted(missions, key=lambda n: missions[n]["launched"]),
        "flights-1500-hours": [person for person, total in hours.items() if total > 1500],
        "flights-wasp-rockets": sorted({rockets[m] for m, ship in ships.items() if ship == "USS Wasp"}),
    }


def les_miserables(g):
    return {
        "les-miserables-javert": sorted(g.neighbors("Javert")),
        "les-miserables-heavy": sum(d["weight"] >= 10 for _, _, d in g.edges(data=True)),
    }


def southern_women(g):
    return {"southern-women-e8": sorted(g.neighbors("E8"))}


def dulce(g):
    return {"dulce-people": sorted(nodes(g, "entity_type", "PERSON"))}


ANSWERS = {
    "coast": coast,
    "flights": flights,
    "les-miserables": les_miserables,
    "southern-women": southern_women,
    "dulce": dulce,
}


def read(data):
    key = "links" if "links" in data else "edges"
    return nx.node_link_graph(data, edges=key)


def main():
    graphs = json.load(sys.stdin)
    stored = Path(__file__).with_name("answers.json")
    answers = json.loads(stored.read_text()) if stored.exists() else {}
    for name, answer in ANSWERS.items():
        if name in graphs:
            answers.update(answer(read(graphs[name])))
    print(json.dumps(answers, indent=2, ensure_ascii=False, sort_keys=True))


if __name__ == "__main__":
    main()
