// Behaviour of a worker that calls the page: models, clocks, adapters, storage, and nodes of a flow.

import { expectSame, expectTrue } from "./compare.mjs";
import { csv, plan, reasonOf } from "./worker-samples.mjs";

/** Each behaviour gets the API of a worker, that of the page, and a function that opens a worker. */
export const pageCallBehaviours = {
  "a model runs in the page: streams, replies and failures": async ({ remote, byname }) => {
    const json = (n) => ({ items: [{ n }], provenance: [{ item: 0, input_id: "a" }] });
    const replies = [
      () => JSON.stringify(json(1)),
      async function* () {
        const text = JSON.stringify(json(2));
        yield text.slice(0, 9);
        yield text.slice(9);
      },
      () => ({ json: json(3), usage: { inputTokens: 5 }, extra() {} }),
      () => {
        throw new Error("no connection");
      },
      () => new Map(),
    ];
    const run = async (api, reply) => {
      const graph = await api.Graph.fromCsv({ nodes: "id\na", edges: "source,target" });
      const now = () => "2026-01-01T00:00:00Z";
      const session = new api.GaslSession({ graph, llm: reply, now });
      const result = await session.run(plan("FIND nodes AS x", 'PROCESS x USING "n" AS y'));
      return [result, await session.variable("y"), await session.recording()];
    };
    const statuses = [];
    for (const reply of replies) {
      const [one, other] = [await run(remote, reply), await run(byname, reply)];
      expectSame(one, other, String(reply));
      statuses.push(one[0].records[1].status);
    }
    expectSame(statuses, ["success", "success", "success", "error", "error"], "statuses");
  },

  "a clock of the page is read for each step": async ({ remote, byname }) => {
    const run = async (api) => {
      let count = 0;
      const now = () => `time ${count++}`;
      const graph = await api.Graph.fromCsv(csv);
      const session = new api.GaslSession({ graph, now });
      await session.run(plan("DECLARE k AS LIST", "FIND nodes AS x", "UPDATE k WITH x"));
      return [await session.state, count];
    };
    const [one, other] = [await run(remote), await run(byname)];
    expectSame(one, other, "state and number of calls");
    expectTrue(one[1] > 4, `${one[1]}`);
    const graph = await remote.Graph.fromCsv(csv);
    let error;
    try {
      new remote.GaslSession({ graph, now: () => 1 });
    } catch (reason) {
      error = reason;
    }
    expectSame(error?.message, "expected the result of `now` to be a string, found a number", "");
  },

  "ask returns the answer with evidence and a session": async ({ remote, byname }) => {
    const run = async (api) => {
      const graph = await api.Graph.fromCsv(csv);
      const replies = [
        plan("DECLARE found AS LIST", "FIND nodes WHERE t = x AS n", "UPDATE found WITH n"),
        plan('COMPLETE "there are ${found}"'),
      ];
      const llm = () => ({ json: replies.shift() });
      const now = () => "2026-01-01T00:00:00Z";
      const plans = [];
      const onPlan = ({ commands }) => plans.push(commands.length);
      const answer = await api.ask("how many?", { graph, llm, now, onPlan });
      const { session, ...rest } = answer;
      expectTrue(session.graph === graph, "the graph of the session");
      const after = await session.execute("COUNT found AS n");
      return [rest, plans, after.metrics];
    };
    const [one, other] = [await run(remote), await run(byname)];
    expectSame(one, other, "answer");
    expectSame(one[0].evidence.found.length, 2, "evidence");
    const text = "<graphml><graph edgedefault='directed'><node id='n'/></graph></graphml>";
    const llm = () => ({ json: plan('COMPLETE "done"') });
    const { session } = await remote.ask("q", { graph: text, llm });
    expectSame(session.graph.nodeCount, 1, "a graph of GraphML");
  },

  "an adapter runs in the page": async ({ remote, byname }) => {
    const run = async (api) => {
      const calls = [];
      class Adapter {
        rows = [{ id: "a", n: 1 }];
        async findNodes(query, signal) {
          calls.push([query.limit ?? null, signal instanceof AbortSignal]);
          return this.rows;
        }
        async findEdges() {
          throw new Error("no edges");
        }
        findPaths = async () => [];
        getNode = async () => null;
      }
      const now = () => "2026-01-01T00:00:00Z";
      const session = new api.GaslSession({ graph: new Adapter(), now });
      const commands = ["FIND nodes AS x", "FIND edges AS y", "MEASURE degree OF x AS d"];
      const config = { stop_on_error: false };
      const result = await session.run({ ...plan(...commands), config });
      return [result, calls];
    };
    const [one, other] = [await run(remote), await run(byname)];
    expectSame(one, other, "results");
    expectTrue(one[1][0][1], "a signal");
  },

  "a backend runs in the page, and its errors keep their class": async ({ remote, byname }) => {
    const { memoryStorage, StorageError } = byname;
    const graph = await remote.Graph.fromCsv(csv);
    const backend = memoryStorage();
    const session = new remote.GaslSession({ graph, backend });
    await session.run(plan("DECLARE k AS LIST", "FIND nodes AS x", "UPDATE k WITH x"));
    const { rev } = await backend.load();
    const later = new remote.GaslSession({ graph, backend });
    await later.execute("COUNT k AS n");
    expectSame(await later.variable("n"), 3, "the loaded state");
    await backend.save({}, { expectedRev: (await backend.load()).rev });
    expectTrue(rev !== null, "a revision");
    const conflict = await reasonOf(later.execute("DECLARE m AS LIST"));
    expectTrue(conflict instanceof byname.BynameError, String(conflict));
    expectSame(conflict.code, "storage", conflict.message);
    const own = new StorageError("quota", "no space");
    const failing = { load: () => Promise.reject(own), save: async () => ({ rev: "1" }) };
    const broken = new remote.GaslSession({ graph, backend: failing });
    expectTrue((await reasonOf(broken.execute("SHOW x"))) === own, "the error of `load`");
  },

  "one of two equal sessions over a backend of the page continues": async ({ remote, byname }) => {
    const graph = await remote.Graph.fromCsv(csv);
    const storage = byname.memoryStorage();
    const conflict = Object.assign(new Error("another revision"), { reason: "conflict" });
    const backend = {
      load: () => storage.load(),
      async save(...args) {
        const saved = await storage.save(...args).catch(() => Promise.reject(conflict));
        // The others load the state before the next save.
        await new Promise((resolve) => setTimeout(resolve, 50));
        return saved;
      },
    };
    const start = () => {
      const session = new remote.GaslSession({ graph, backend, now: () => "2026-01-02T03:04:05Z" });
      return session.run(plan("DECLARE k AS LIST", "FIND nodes AS x", "UPDATE k WITH x"));
    };
    const runs = await Promise.allSettled([start(), start(), start()]);
    const statuses = runs.map(({ value, reason }) => value?.status ?? reason.code).sort();
    expectSame(statuses, ["completed", "storage", "storage"], "statuses");
  },

  "a storage of the host is opened by the worker": async ({ remote, openStorage }) => {
    const graph = await remote.Graph.fromCsv(csv);
    const storage = openStorage();
    for (const backend of [storage, storage.at("other")]) {
      const session = new remote.GaslSession({ graph, backend });
      await session.run(plan("DECLARE k AS LIST", "FIND nodes AS x", "UPDATE k WITH x"));
      const { state } = await backend.load();
      expectSame(state.variables.k.items.length, 3, "the stored state");
      const later = new remote.GaslSession({ graph, backend });
      await later.execute("COUNT k AS n");
      expectSame(await later.variable("n"), 3, "the loaded state");
    }
    expectSame((await storage.list()).sort(), ["other", "state"], "keys");
    await storage.close();
  },

  "nodes of a flow run in the page": async ({ remote, byname }) => {
    const workflow = {
      nodes: [
        { id: "a", type: "t" },
        { id: "b", type: "t" },
        { id: "c", type: "wait" },
      ],
      edges: [
        { from: "a", to: "b" },
        { from: "b", to: "c" },
      ],
    };
    const registry = { t: { outputs: ["o"] }, wait: { outputs: ["p"] } };
    const run = async (api) => {
      const compiled = await api.compileFlow(workflow, registry);
      const { flow } = compiled;
      const events = [];
      const traces = [];
      const options = {
        nodes: {
          t: async ({ id, signal }) => {
            expectTrue(signal instanceof AbortSignal, "a signal");
            return { outputs: { o: id, none: undefined } };
          },
          wait: ({ resumed }) =>
            resumed === undefined ? byname.suspend({ ask: 1 }) : { outputs: { p: resumed } },
        },
        onEvent: ({ kind, node }) => events.push([kind, node]),
      };
      const onCheckpoint = async (trace) => {
        traces.push(trace.steps.length);
      };
      const paused = await flow.run({ ...options, onCheckpoint });
      const done = await flow.run({ ...options, resume: paused.trace, answers: { c: "yes" } });
      const withoutTimes = (result) => [result.status, result.store, result.waiting];
      return [
        ...[compiled.diagnostics, flow.fingerprint, await flow.toJSON(), await flow.toMermaid()],
        ...[withoutTimes(paused), withoutTimes(done), events, traces],
      ];
    };
    const [one, other] = [await run(remote), await run(byname)];
    expectSame(one, other, "results");
    expectSame([one[4][0], one[5][0]], ["paused", "completed"], "statuses");
    const broken = await remote.compileFlow({ nodes: [{ id: "a", type: "none" }] }, {});
    expectTrue(!broken.ok && broken.diagnostics.length > 0, "an invalid workflow");
  },

  "an aborted flow aborts its nodes": async ({ remote }) => {
    const { flow } = await remote.compileFlow(
      { nodes: [{ id: "a", type: "t" }] },
      { t: { outputs: ["o"] } },
    );
    const controller = new AbortController();
    let aborted;
    const t = ({ signal }) => {
      aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
      controller.abort(new Error("enough"));
      return new Promise(() => {});
    };
    const result = await flow.run({ nodes: { t }, signal: controller.signal });
    expectSame(result.status, "cancelled", "status");
    await aborted;
  },

  "a thrown value whose getters throw ends the call": async ({ remote, byname }) => {
    const fail = () => {
      throw new Error("unreadable");
    };
    const unreadable = new Proxy(new Error("q"), { get: fail, getPrototypeOf: fail });
    const run = async (api) => {
      const registry = { t: { outputs: ["o"] } };
      const { flow } = await api.compileFlow({ nodes: [{ id: "a", type: "t" }] }, registry);
      const t = () => {
        throw unreadable;
      };
      const { status, diagnostics } = await flow.run({ nodes: { t } });
      return [status, diagnostics];
    };
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, 10_000, "no answer");
    });
    const result = await Promise.race([run(remote), late]);
    clearTimeout(timer);
    expectSame(result, await run(byname), "result");
  },

  "a deeply nested result of a callback is a typed error": async ({ remote }) => {
    let state = [];
    for (let level = 0; level < 20_000; level += 1) state = [state];
    const backend = { load: async () => ({ state, rev: "1" }), save: async () => ({ rev: "2" }) };
    const session = new remote.GaslSession({ graph: await remote.Graph.fromCsv(csv), backend });
    const error = await reasonOf(session.execute("FIND nodes AS x"));
    // An engine with a larger stack leaves the check to the session.
    expectTrue(["BynameError", "GaslError"].includes(error.name), error.name);
    expectTrue(/nest/.test(error.message), error.message);
  },
};
