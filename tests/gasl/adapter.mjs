// An asynchronous adapter that serves a graph from the predicate tree described at `GraphAdapter`.

/** Serves node-link JSON; adds each query to `asked`. */
export function adapterOf(graph, asked = []) {
  const nodes = graph.nodes.map((node) => ({ ...node, id: String(node.id) }));
  const edges = (graph.links ?? graph.edges ?? []).map((edge, index) => ({
    id: `e${index}`,
    ...edge,
    source: String(edge.source),
    target: String(edge.target),
  }));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const rows = (kind, all) => async (query) => {
    asked.push({ kind, ...query });
    const found = all.filter((row) => matches(query.where, (field) => at(row, field), query.caps));
    return found.slice(0, query.limit);
  };
  const orderOf = (id) => nodes.indexOf(byId.get(id));
  const allPaths = (query) => {
    const ways = neighborsOf(edges, graph.directed === true ? query.direction : "any");
    const found = [];
    for (const start of nodes) {
      if (!matches(query.start, (field) => at(start, field), query.caps)) continue;
      follow({ nodes: [start.id], edges: [] }, { ways, byId, query, found });
    }
    return found;
  };
  return {
    findNodes: rows("nodes", nodes),
    findEdges: rows("edges", edges),
    async findPaths(query) {
      asked.push({ kind: "paths", ...query });
      return allPaths(query).slice(0, query.limit);
    },
    async findShortestPaths(query) {
      asked.push({ kind: "shortest", ...query });
      const maxLength = query.maxLength ?? nodes.length;
      const shortest = new Map();
      for (const path of allPaths({ ...query, maxLength })) {
        const pair = JSON.stringify([path.nodes[0], path.nodes.at(-1)].map(orderOf));
        const key = path.nodes.map(orderOf);
        const known = shortest.get(pair);
        if (known === undefined || comesBefore(key, known.key)) shortest.set(pair, { key, path });
      }
      const pairs = [...shortest].sort(([a], [b]) =>
        comesBefore(JSON.parse(a), JSON.parse(b)) ? -1 : 1,
      );
      return pairs.map(([, { path }]) => path).slice(0, query.limit);
    },
    async measureDegree(query) {
      asked.push({ kind: "degree", ...query });
      const degree = (id) =>
        edges.reduce((sum, edge) => {
          const outgoing = query.measure !== "in_degree" && edge.source === id;
          const incoming = query.measure !== "out_degree" && edge.target === id;
          return sum + (Number(outgoing) + Number(incoming)) * (edge[query.weight] ?? 1);
        }, 0);
      const measured = nodes.filter(({ id }) => query.ids?.includes(id) ?? true);
      return measured.map(({ id }) => ({ id, [query.measure]: degree(id) }));
    },
    async getNode(id) {
      return byId.get(id) ?? null;
    },
  };
}

/** Returns an adapter with these responses in order; `{"$throw": message}` is an error. */
export function respondingAdapter(answers) {
  const left = [...answers];
  const next = async () => {
    const answer = left.shift();
    if (Object.hasOwn(Object(answer), "$throw")) throw new Error(answer.$throw);
    return answer;
  };
  return { findNodes: next, findEdges: next, findPaths: next, getNode: next };
}

/** Compares lists of numbers: the shorter one comes first, of equal lengths the smaller one. */
function comesBefore(a, b) {
  if (a.length !== b.length) return a.length < b.length;
  const first = a.findIndex((one, at) => one !== b[at]);
  return first >= 0 && a[first] < b[first];
}

/** Returns a function from a node to its edges and their other nodes. */
function neighborsOf(edges, direction) {
  const ways = new Map();
  const put = (from, edge, to) => {
    if (!ways.has(from)) ways.set(from, []);
    ways.get(from).push({ edge, to });
  };
  for (const edge of edges) {
    if (direction !== "in") put(edge.source, edge, edge.target);
    if (direction !== "out") put(edge.target, edge, edge.source);
  }
  return ways;
}

function follow(path, search) {
  const { ways, byId, query, found } = search;
  if (path.edges.length >= query.maxLength) return;
  for (const { edge, to } of ways.get(path.nodes.at(-1)) ?? []) {
    if (path.nodes.includes(to)) continue;
    if (!matches(query.edge, (field) => at(edge, field), query.caps)) continue;
    const longer = { nodes: [...path.nodes, to], edges: [...path.edges, edge] };
    if (isFinished(longer, byId, query)) {
      found.push({
        nodes: longer.nodes,
        edges: longer.edges.map(({ id }) => id),
        length: longer.edges.length,
      });
    }
    const inner = byId.get(to);
    if (matches(query.node, (field) => at(inner, field), query.caps)) follow(longer, search);
  }
}

/** Returns whether a path satisfies the complete condition, with the prefixes of rule 10. */
function isFinished({ nodes, edges }, byId, { where, end, caps }) {
  const [first, last] = [byId.get(nodes[0]), byId.get(nodes.at(-1))];
  if (!matches(end, (field) => at(last, field), caps)) return false;
  const test = (one) => {
    const [prefix, ...rest] = one.field.split(".");
    const field = rest.join(".");
    const each = (rows, name) => rows.every((row) => satisfies(one, at(row, name), caps));
    const other = one.value?.field;
    if (other !== undefined) {
      const rowsOf = (name) => {
        const [part, ...path] = name.split(".");
        const valueIn = (row) => at(row, path.join("."));
        if (name === "length") return [edges.length];
        if (part === "start" || part === "source") return [valueIn(first)];
        if (part === "end" || part === "target") return [valueIn(last)];
        if (part === "edge") return edges.map(valueIn);
        if (part === "node") return nodes.slice(1, -1).map((id) => valueIn(byId.get(id)));
        return [at(first, name), at(last, name)];
      };
      const [left, right] = [rowsOf(one.field), rowsOf(other)];
      // Fields of one part are compared row by row.
      if (prefix === other.split(".")[0])
        return left.every((value, index) => compares(one, value, right[index], caps));
      return left.every((value) => right.every((it) => compares(one, value, it, caps)));
    }
    if (one.field === "length") return satisfies(one, edges.length, caps);
    if (prefix === "start" || prefix === "source") return each([first], field);
    if (prefix === "end" || prefix === "target") return each([last], field);
    if (prefix === "edge") return each(edges, field);
    if (prefix === "node")
      return each(
        nodes.slice(1, -1).map((id) => byId.get(id)),
        field,
      );
    return each([first, last], one.field);
  };
  return evaluate(where, test);
}

function matches(tree, value, caps) {
  return evaluate(tree, (test) =>
    test.value?.field === undefined
      ? satisfies(test, value(test.field), caps)
      : compares(test, value(test.field), value(test.value.field), caps),
  );
}

/** Compares the values of two fields; a missing one fails. */
function compares({ op }, left, right, caps) {
  return left !== undefined && right !== undefined && satisfies({ op, value: right }, left, caps);
}

function evaluate(tree, test) {
  if (tree.all) return tree.all.every((one) => evaluate(one, test));
  if (tree.any) return tree.any.some((one) => evaluate(one, test));
  if (tree.not) return !evaluate(tree.not, test);
  return test(tree);
}

/** Returns whether a value satisfies a test (rule 22). */
function satisfies({ op, value }, found, caps) {
  if (op === "IS NULL") return found === undefined || found === null;
  if (op === "IS NOT NULL") return found !== undefined && found !== null;
  if (op === "EXISTS") return found !== undefined;
  if (found === undefined) return op === "!=" || op === "NOT IN";
  const [a, b] = comparable(found, value);
  const fold = (text) => (caps.case_sensitive ? String(text) : String(text).toLowerCase());
  switch (op) {
    case "=":
      return a === b;
    case "!=":
      return a !== b;
    case ">":
      return typeof a === typeof b && a > b;
    case ">=":
      return typeof a === typeof b && a >= b;
    case "<":
      return typeof a === typeof b && a < b;
    case "<=":
      return typeof a === typeof b && a <= b;
    case "IN":
      return value.some((one) => equal(found, one));
    case "NOT IN":
      return !value.some((one) => equal(found, one));
    case "CONTAINS":
      return fold(found).includes(fold(value));
    case "STARTS_WITH":
      return fold(found).startsWith(fold(value));
    case "ENDS_WITH":
      return fold(found).endsWith(fold(value));
    default:
      throw new Error(`unknown operator: ${op}`);
  }
}

function equal(found, value) {
  const [a, b] = comparable(found, value);
  return a === b;
}

/** Converts a number and a numeric text to two numbers. */
function comparable(a, b) {
  const number = (text) => (/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text);
  if (typeof a === "number" && typeof b === "string") return [a, number(b)];
  if (typeof a === "string" && typeof b === "number") return [number(a), b];
  return [a, b];
}

function at(row, field) {
  if (row === undefined) return undefined;
  if (Object.hasOwn(row, field)) return row[field];
  const [first, ...rest] = field.split(".");
  if (rest.length === 0 || typeof row[first] !== "object" || row[first] === null) return undefined;
  return at(row[first], rest.join("."));
}
