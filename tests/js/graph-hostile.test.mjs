// Malicious texts: they are rejected with `GaslError`, quickly and with limited memory.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslError, GaslSession, Graph, HamStore, init } from "byname";
import { wasmMemory } from "../../pkg/wasm.js";
import { Random } from "../random/random.mjs";

await init();

const inGraph = (inner) => `<graphml><graph>${inner}</graph></graphml>`;

function expectRejected(call, code) {
  assert.throws(call, (error) => error instanceof GaslError && error.diagnostics[0].code === code);
}

test("does not expand entities", () => {
  const laughs = Array.from({ length: 30 }, (_, at) => `<!ENTITY l${at + 1} "&l${at};&l${at};">`);
  const bomb = `<!DOCTYPE g [<!ENTITY l0 "ha">${laughs.join("")}]>`;
  expectRejected(() => Graph.fromGraphML(bomb + inGraph("<node id='&l30;'/>")), "GASL101");
  expectRejected(
    () => Graph.fromGraphML(`<!DOCTYPE g SYSTEM "file:///etc/passwd">${inGraph("")}`),
    "GASL101",
  );
});

test("originals of missing edges use no memory", () => {
  const text = (edge) =>
    `{"format":"gasl-graph","nodes":[{"id":"a"}],"edges":[],"raw":{"edges":{"${edge}":{"x":"o"}}}}`;
  const before = wasmMemory().buffer.byteLength;
  for (const edge of [0, 1, 20_000_000, 300_000_000, 4_294_967_295, 1e30, -1, "a"]) {
    const graph = Graph.fromJSON(text(edge));
    assert.equal(graph.edgeCount, 0);
    graph[Symbol.dispose]();
  }
  assert.equal(wasmMemory().buffer.byteLength, before);
});

test("limits nesting", () => {
  expectRejected(() => Graph.fromGraphML("<a>".repeat(1e6)), "GASL140");
  expectRejected(() => Graph.fromGraphML(inGraph("<node id='a'><data>".repeat(1e6))), "GASL140");
  expectRejected(() => Graph.fromNodeLink(`{"nodes":${"[".repeat(1e6)}`), "JSON009");
  expectRejected(() => Graph.fromNodeLink(`{"nodes":[${'{"a":'.repeat(1e6)}`), "JSON009");
});

test("rejects many names of attributes before they fill the memory", () => {
  const nodes = Array.from({ length: 20_000 }, (_, at) => ({ id: at, [`only${at}`]: at }));
  expectRejected(() => Graph.fromNodeLink({ nodes }), "GASL140");
  const header = Array.from({ length: 20_000 }, (_, at) => `c${at}`).join(",");
  expectRejected(() => Graph.fromCsv({ nodes: `id,${header}`, edges: "" }), "GASL140");
  const keys = Array.from({ length: 4000 }, (_, at) => {
    return `<key id='k${at}' for='node' attr.name='n${at}'><default>x</default></key>`;
  });
  const rows = Array.from({ length: 4000 }, (_, at) => `<node id='${at}'/>`);
  const defaults = `<graphml>${keys.join("")}<graph>${rows.join("")}</graph></graphml>`;
  expectRejected(() => Graph.fromGraphML(defaults), "GASL140");
  assert.ok(wasmMemory().buffer.byteLength < 200e6, `${wasmMemory().buffer.byteLength} bytes`);
});

test("rejects pointers of a document that expand beyond the limit", () => {
  const long = "x".repeat(200_000);
  for (const document of [
    { long, root: { all: Array(30_000).fill("*long") } },
    { node: {}, root: { [long]: Array(30_000).fill("*node") } },
  ]) {
    const store = new HamStore();
    assert.ok(store.apply(document).ok);
    expectRejected(() => Graph.fromHam(store), "GASL140");
  }
  assert.ok(wasmMemory().buffer.byteLength < 1 << 30);
});

test("parses or rejects very many parts of any type quickly", () => {
  const many = (count, make) => Array.from({ length: count }, (_, at) => make(at)).join("");
  const keys = many(100_000, (at) => `<key id='k${at}' for='edge'/>`);
  const nodes = many(100_000, (at) => `<node id='${at}'/>`);
  const graph = Graph.fromGraphML(`<graphml>${keys}<graph>${nodes}</graph></graphml>`);
  assert.equal(graph.nodeCount, 100_000);
  const data = "<data key='q'>1</data>".repeat(300_000);
  assert.equal(Graph.fromGraphML(inGraph(`<node id='a'>${data}</node>`)).nodeCount, 1);
  const attributes = many(100_000, (at) => ` a${at}='1'`);
  expectRejected(() => Graph.fromGraphML(inGraph(`<node id='a'${attributes}/>`)), "GASL140");
  const technical = many(100_000, (at) => ` xmlns:a${at}='1'`);
  assert.equal(Graph.fromGraphML(inGraph(`<node id='a'${technical}/>`)).nodeCount, 1);
  const repeated = many(100_000, (at) => `<key id='k' for='node'><default>${at}</default></key>`);
  const last = Graph.fromGraphML(`<graphml>${repeated}<graph><node id='a'/></graph></graphml>`);
  assert.deepEqual(last.toJSON().nodes, [{ id: "a", k: "99999" }]);
  const ports = many(100_000, (at) => `<port name='${at}'/>`);
  assert.equal(Graph.fromGraphML(inGraph(`<node id='a'>${ports}</node>`)).diagnostics.length, 1);
  expectRejected(() => Graph.fromCsv({ nodes: "a,".repeat(1e6), edges: "" }), "GASL140");
  const cells = `id\n${"1,".repeat(1e6)}\n`;
  assert.equal(Graph.fromCsv({ nodes: cells, edges: "" }).nodeCount, 1);
});

test("accepts names with a meaning in JavaScript as names", () => {
  const text = '{"nodes":[{"id":"__proto__","__proto__":1,"constructor":2}],"edges":[]}';
  const graph = Graph.fromNodeLink(text);
  const [node] = graph.toJSON().nodes;
  assert.equal(node.id, "__proto__");
  assert.equal(Object.getOwnPropertyDescriptor(node, "__proto__")?.value, 1);
});

test("parses or rejects damaged texts", () => {
  const texts = [
    [(text) => Graph.fromGraphML(text), inGraph("<node id='a'><data key='k'>&lt;é</data></node>")],
    [
      (text) => Graph.fromGexf(text),
      "<gexf><graph><nodes><node id='a' pid='b'><attvalue for='k' value='&lt;é'/></node></nodes></graph></gexf>",
    ],
    [(text) => Graph.fromNodeLink(text), '{"nodes":[{"id":"a","b":[1e3,"\\u00e9"]}],"links":[]}'],
    [(text) => Graph.fromCsv({ nodes: text, edges: text }), 'id,source,target\r\n"a","b""",c\n'],
  ];
  const random = new Random(7);
  const characters = "<>&'\"/=,;\n\t{}[]:\\é\ufeff\u0000";
  for (const [read, text] of texts) {
    for (let round = 0; round < 2000; round++) {
      let damaged = text;
      for (let remaining = 1 + random.below(4); remaining > 0; remaining--) {
        const at = random.below(damaged.length + 1);
        const cut = at + random.below(4);
        damaged =
          damaged.slice(0, at) + characters[random.below(characters.length)] + damaged.slice(cut);
      }
      try {
        read(damaged)[Symbol.dispose]();
      } catch (error) {
        assert.ok(error instanceof GaslError, `${JSON.stringify(damaged)}: ${error}`);
        assert.ok(error.diagnostics.length > 0);
      }
    }
  }
});

test("truncates a few very long paths, and the session stays usable", async () => {
  const count = 1250;
  const ids = Array.from({ length: count }, (_, at) => `n${at}`);
  const edges = ids.slice(1).map((id, at) => `${ids[at]},${id}`);
  const graph = Graph.fromCsv({
    nodes: `id\n${ids.join("\n")}`,
    edges: `source,target\n${edges.join("\n")}`,
    directed: true,
  });
  const session = new GaslSession({ graph });
  const record = await session.execute(`FIND paths WHERE length <= ${count} AS p`);
  assert.equal(record.status, "partial");
  assert.equal(record.metrics.completeness.bound_kind, "max_expansions");
  assert.equal((await session.execute("FIND nodes AS n")).metrics.count, count);
});

test("reports about a million rows do not need the memory of their text", async () => {
  const rows = Array.from({ length: 1000 }, (_, at) => `n${at},T,${String(at).padStart(200, "x")}`);
  const graph = Graph.fromCsv({ nodes: `id,t,d\n${rows.join("\n")}`, edges: "source,target" });
  const session = new GaslSession({ graph });
  await session.execute("FIND nodes AS a");
  assert.equal((await session.execute("JOIN a WITH a ON t AS j")).metrics.count, 1_000_000);
  const before = wasmMemory().buffer.byteLength;
  assert.match(session.state.history.at(-1).summary.sha256, /^[0-9a-f]{64}$/);
  // Their text has 260 MB.
  assert.ok(wasmMemory().buffer.byteLength - before < 100e6);
});
