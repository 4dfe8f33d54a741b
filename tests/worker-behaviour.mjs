// Behaviour of a worker beyond the cases, in Node and in a browser: errors, signals, bytes, sources, and its end.

import { expectSame, expectTrue } from "./compare.mjs";
import { pageCallBehaviours } from "./worker-page-calls.mjs";
import { csv, plan, reasonOf } from "./worker-samples.mjs";

/** Each behaviour gets the API of a worker, that of the page, and a function that opens a worker. */
export const behaviours = {
  ...pageCallBehaviours,

  "graphs of all sources have the properties of local ones": async ({ remote, byname }) => {
    const { Graph } = byname;
    const nodeLink = { nodes: [{ id: 1 }], links: [{ source: 1, target: 2 }], directed: true };
    const graphml = "<graphml><graph edgedefault='directed'><node id='n'/></graph></graphml>";
    const store = new byname.HamStore({ sigil: "@" });
    store.apply({ root: { of: "@u" }, u: { name: "Ann" } });
    const sources = [
      ["fromCsv", csv],
      ["fromCsv", { edges: new TextEncoder().encode("source,target\na,b"), directed: true }],
      ["fromNodeLink", nodeLink],
      ["fromNodeLink", JSON.stringify(nodeLink)],
      ["fromGraphML", graphml],
      ["from", "a b\nb c", { format: "csv" }],
      ["from", csv],
      ["fromHam", store],
    ];
    for (const [method, ...source] of sources) {
      const copy = source.map((part) => (part === store ? part : structuredClone(part)));
      const [one, other] = [await remote.Graph[method](...source), Graph[method](...copy)];
      for (const name of ["nodeCount", "edgeCount", "format", "directed", "diagnostics"])
        expectSame(one[name], other[name], `${method} ${name}`);
      for (const name of ["toJSON", "prompt", "summary"])
        expectSame(await one[name](), other[name](), `${method} ${name}`);
      expectTrue(one instanceof remote.Graph || one.nodeCount >= 0, method);
    }
  },

  "invalid data is a GaslError with its diagnostics": async ({ remote, byname }) => {
    for (const [method, source] of [
      ["fromCsv", { nodes: "x", edges: "y" }],
      ["fromNodeLink", { nodes: 1 }],
      ["fromGraphML", "<graphml>"],
      ["fromNodeLink", { nodes: [1n] }],
    ]) {
      const error = await reasonOf(remote.Graph[method](source));
      let expected;
      try {
        byname.Graph[method](source);
      } catch (reason) {
        expected = reason;
      }
      expectTrue(error instanceof byname.GaslError, String(error));
      expectSame([error.message, error.diagnostics], [expected.message, expected.diagnostics], "");
    }
  },

  "misuse is a BynameError": async ({ remote, byname }) => {
    const graph = await remote.Graph.fromCsv(csv);
    const session = new remote.GaslSession({ graph });
    const cases = [
      () => session.execute(42),
      () => session.execute("SHOW x", { wy: "" }),
      () => session.run(undefined),
      () => session.run({ f() {} }),
      () => session.fork("unknown"),
      () => remote.Graph.from("a b", { format: "dot" }),
      () => remote.compileFlow({ nodes: [] }, {}, { unknown: 1 }),
    ];
    for (const call of cases) {
      const error = await reasonOf(call());
      expectTrue(error instanceof byname.BynameError, String(error));
      expectSame(error.code, "argument", error.message);
    }
    for (const options of [{}, { graph: {} }, { graph, llm: 1 }, { graph, other: 1 }]) {
      let error;
      try {
        new remote.GaslSession(options);
      } catch (reason) {
        error = reason;
      }
      expectSame(error?.code, "argument", JSON.stringify(options));
    }
  },

  "disposed objects throw, and other objects stay": async ({ remote }) => {
    const graph = await remote.Graph.fromCsv(csv);
    const session = new remote.GaslSession({ graph });
    const fork = await session.fork();
    await session.execute("FIND nodes AS x");
    session[Symbol.dispose]();
    session[Symbol.dispose]();
    expectSame((await reasonOf(session.execute("SHOW x"))).code, "disposed", "session");
    expectSame((await fork.execute("FIND nodes AS x")).metrics.count, 3, "fork");
    graph[Symbol.dispose]();
    expectSame((await reasonOf(graph.summary())).code, "disposed", "graph");
    expectSame((await fork.execute("FIND edges AS y")).metrics.count, 2, "fork");
  },

  "bytes are transferred, and a part of a buffer is copied": async ({ remote }) => {
    const encode = (text) => new TextEncoder().encode(text).slice();
    const own = encode("source,target\na,b");
    await remote.Graph.fromCsv({ edges: own });
    expectSame(own.byteLength, 0, "length after the transfer");
    const large = encode("xsource,target\na,b");
    const graph = await remote.Graph.fromCsv({ edges: large.subarray(1) });
    expectSame([graph.edgeCount, large.byteLength], [1, 18], "part of a buffer");
    const again = await reasonOf(remote.Graph.fromCsv({ edges: own }));
    expectTrue(/transferred/.test(again.message), again.message);
  },

  "the caller gets the reason of its signal": async ({ remote }) => {
    const graph = await remote.Graph.fromCsv(csv);
    const reason = { mine: true };
    const controller = new AbortController();
    let signal;
    const llm = (request) =>
      new Promise((_, reject) => {
        ({ signal } = request);
        signal.addEventListener("abort", () => reject(signal.reason));
        controller.abort(reason);
      });
    const session = new remote.GaslSession({ graph, llm });
    const rejected = await reasonOf(session.propose("q", { signal: controller.signal }));
    expectTrue(rejected === reason, "the reason of propose");
    expectTrue(signal.aborted && signal.reason === reason, "the reason in the callback");
    const before = await reasonOf(session.propose("q", { signal: AbortSignal.abort(reason) }));
    expectTrue(before === reason, "the reason of a signal that has aborted before");
    const stopped = await session.run(plan("FIND nodes AS x"), { signal: controller.signal });
    expectSame(stopped.status, "cancelled", "a plan");
  },

  "an error of a listener stops the run and is thrown": async ({ remote }) => {
    const graph = await remote.Graph.fromCsv(csv);
    const session = new remote.GaslSession({ graph });
    class OwnError extends Error {}
    const own = new OwnError("mine");
    const steps = [];
    const onStep = ({ step }) => {
      steps.push(step);
      throw own;
    };
    const text = plan("FIND nodes AS x", "FIND edges AS y", "COUNT x AS n");
    expectTrue((await reasonOf(session.run(text, { onStep }))) === own, "the error");
    expectSame(steps, [1], "steps");
    const rejecting = async () => {
      throw own;
    };
    expectTrue((await reasonOf(session.run(text, { onStep: rejecting }))) === own, "a promise");
  },

  "an invalid state rejects the calls of its session": async ({ remote, byname }) => {
    const graph = await remote.Graph.fromCsv(csv);
    const session = new remote.GaslSession({ graph, state: { variables: 1 } });
    for (const call of [session.state, session.execute("FIND nodes AS x")]) {
      const error = await reasonOf(call);
      expectTrue(error instanceof byname.GaslError && error.diagnostics.length > 0, String(error));
    }
  },

  "tables and node-link JSON arrive in chunks": async ({ remote, byname }) => {
    const chunksOf = async function* (text, length) {
      for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
    };
    const streamOf = (text, length) => {
      const bytes = new TextEncoder().encode(text);
      let at = 0;
      return new ReadableStream({
        pull(controller) {
          controller.enqueue(bytes.slice(at, at + length));
          at += length;
          if (at >= bytes.length) controller.close();
        },
      });
    };
    const ids = Array.from({ length: 50_000 }, (_, n) => `né ${n} 😀`);
    const nodes = `id,n,code\n${ids.map((id, n) => `${id},${n / 2},00${n}`).join("\n")}`;
    const edges = `source,target\n${ids.map((id, n) => `${id},${ids[(n * 7) % ids.length]}`).join("\n")}`;
    const expected = byname.Graph.fromCsv({ nodes, edges, directed: true });
    for (const api of [byname, remote]) {
      for (const make of [chunksOf, streamOf]) {
        const progress = [];
        const onProgress = ({ bytes }) => progress.push(bytes);
        const [one, two] = [make(nodes, 99_991), make(edges, 333)];
        const tables = { nodes: one, edges: two, directed: true };
        const graph = await api.Graph.fromCsv(tables, { onProgress });
        expectSame(await graph.toJSON(), expected.toJSON(), "the graph");
        expectTrue(progress.length > 100 && progress.at(-1) > nodes.length, "progress");
      }
      const json = JSON.stringify(expected.toJSON());
      const copy = await api.Graph.fromNodeLink(streamOf(json, 1 << 16));
      expectSame(await copy.toJSON(), expected.toJSON(), "node-link JSON");
      const only = await api.Graph.fromCsv({ edges: chunksOf("source,target\na,b\n", 1) });
      expectSame([only.nodeCount, only.edgeCount], [2, 1], "edges alone");
    }
  },

  "a source in chunks that fails or is aborted rejects and is cancelled": async (given) => {
    const { remote, byname } = given;
    const own = new Error("connection lost");
    for (const api of [byname, remote]) {
      let cancelled = 0;
      const endless = () =>
        new ReadableStream({
          pull: (controller) => controller.enqueue("a,b\n"),
          cancel() {
            cancelled += 1;
          },
        });
      const failing = async function* () {
        yield "source,target\n";
        throw own;
      };
      const rejected = await reasonOf(api.Graph.fromCsv({ nodes: "id\na", edges: failing() }));
      expectTrue(rejected === own, `the error of the source: ${rejected}`);
      const controller = new AbortController();
      const reason = new Error("enough");
      const onProgress = ({ bytes }) => {
        if (bytes > 100) controller.abort(reason);
      };
      const options = { signal: controller.signal, onProgress };
      const aborted = await reasonOf(api.Graph.fromCsv({ edges: endless() }, options));
      expectTrue(aborted === reason, `the reason of the signal: ${aborted}`);
      const blocked = new ReadableStream({ pull: () => new Promise(() => {}) });
      const late = new AbortController();
      const pending = reasonOf(api.Graph.fromNodeLink(blocked, { signal: late.signal }));
      late.abort(reason);
      expectTrue((await pending) === reason, "a blocked source");
      const invalid = async function* () {
        yield "id\n";
        yield "a\n".repeat(600_000);
        yield new Uint8Array([255, 10]);
        yield "b\n".repeat(600_000);
      };
      const error = await reasonOf(api.Graph.fromCsv({ nodes: invalid(), edges: endless() }));
      expectTrue(error instanceof byname.GaslError, String(error));
      expectTrue(/not UTF-8, at byte 1200003/.test(error.message), error.message);
      const numbers = async function* () {
        yield 1;
      };
      const wrong = await reasonOf(api.Graph.fromCsv({ edges: numbers() }));
      expectTrue(wrong instanceof Error, String(wrong));
      // The cancellation of a source of the page arrives later.
      while (cancelled < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    }
  },

  "a variable is read in pages": async ({ remote, byname }) => {
    for (const api of [remote, byname]) {
      const graph = await api.Graph.fromCsv(csv);
      const session = new api.GaslSession({ graph });
      const commands = ["DECLARE k AS LIST", "DECLARE n AS COUNTER", "FIND nodes AS x"];
      const more = ["UPDATE k WITH x", "UPDATE n WITH x", "SELECT x FIELDS id AS ids"];
      await session.run(plan(...commands, ...more));
      for (const name of ["x", "k", "ids"]) {
        const all = await session.variable(name);
        expectSame(all.length, 3, name);
        for (const offset of [0, 1, 3, 4, Number.POSITIVE_INFINITY]) {
          for (const limit of [0, 1, 2, 3, Number.POSITIVE_INFINITY]) {
            const page = await session.variable(name, { offset, limit });
            expectSame(page, all.slice(offset, offset + limit), `${name} ${offset} ${limit}`);
          }
        }
        expectSame(await session.variable(name, { offset: 2 }), all.slice(2), name);
      }
      expectSame(await session.variable("n", { offset: 1, limit: 1 }), 3, "a counter");
      expectSame(await session.variable("none", { limit: 1 }), undefined, "no variable");
      for (const options of [{ limit: -1 }, { offset: 0.5 }, { size: 1 }]) {
        const error = await reasonOf((async () => session.variable("x", options))());
        expectSame(error.code, "argument", JSON.stringify(options));
      }
    }
  },

  "static methods": async ({ remote, byname }) => {
    const { GaslSession } = byname;
    const [one, other] = [remote.GaslSession, GaslSession];
    expectSame(await one.check("FIND x"), other.check("FIND x"), "check");
    expectSame(await one.gbnf(), other.gbnf(), "gbnf");
    expectSame(await one.planSchema(), other.planSchema(), "planSchema");
    expectSame(await one.prompt(), other.prompt(), "prompt");
  },

  "a closed worker rejects pending and later calls": async ({ openWorker, byname }) => {
    const own = await openWorker();
    const graph = await own.Graph.fromCsv(csv);
    let signal;
    let onAsk;
    const asked = new Promise((resolve) => {
      onAsk = resolve;
    });
    const llm = (request) => {
      ({ signal } = request);
      onAsk();
      return new Promise(() => {});
    };
    const session = new own.GaslSession({ graph, llm });
    const pending = reasonOf(session.solve("q"));
    await asked;
    await own.close();
    for (const error of [await pending, await reasonOf(graph.summary()), signal.reason]) {
      expectTrue(error instanceof byname.BynameError, String(error));
      expectSame([error.name, error.code, error.reason], ["WorkerError", "disposed", "closed"], "");
    }
    await own.close();
    own.dispose();
  },

  "objects of another worker are misuse": async ({ openWorker, remote }) => {
    const own = await openWorker();
    const graph = await own.Graph.fromCsv(csv);
    let error;
    try {
      new remote.GaslSession({ graph });
    } catch (reason) {
      error = reason;
    }
    expectSame(error?.code, "argument", "code");
    expectTrue(/another worker/.test(error.message), error.message);
    await own.close();
  },
};
