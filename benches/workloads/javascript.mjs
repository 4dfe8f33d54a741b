// Workloads in which plain JavaScript is faster, with alternatives. The sides after the baseline
// are byname too; `instead` describes them.
import { GaslSession, Graph, HamStore } from "byname";
import { graphology } from "../baselines/graphology.mjs";
import { TunedStore } from "../baselines/tuned/store.mjs";
import { graphTables } from "../data/graph.mjs";
import { FIELDS, rowDocument, rowIds } from "../data/rows.mjs";
import { ADVICE, BURST, fieldUpdates, inBursts, joined } from "../data/updates.mjs";
import { boundSurface, dispose } from "../sides/bound-surface.mjs";

const encoder = new TextEncoder();

/** Returns the values of all rows as a list, as an initial rendering reads them. */
function valuesOf(rows) {
  const values = [];
  for (const row of rows) for (const field of FIELDS) values.push(row[field]);
  return values;
}

function treeValues(size) {
  const document = rowDocument(size);
  const text = JSON.stringify(document);
  const ids = rowIds(size);
  const answer = (_, values) => values;
  const setup = () => boundSurface(text, size, false);
  const propsOf = ({ children }) => children.map(({ props }) => props);
  return {
    byname: {
      setup,
      run: ({ surface }) => valuesOf(propsOf(surface.tree())),
      answer,
      teardown: dispose,
    },
    "tuned JS": {
      setup() {
        const store = new TunedStore();
        store.apply(text);
        return store;
      },
      run: (store) => valuesOf(ids.map((id) => store.get(id))),
      answer,
    },
    kept: {
      setup() {
        const { surface } = setup();
        return { surface, rows: propsOf(surface.tree()) };
      },
      run: ({ rows }) => valuesOf(rows),
      answer,
      teardown: dispose,
    },
  };
}

function smallMessages(size) {
  const document = JSON.stringify(rowDocument(size));
  const messages = fieldUpdates(size);
  const bytes = messages.map((message) => encoder.encode(message));
  const bursts = inBursts(messages, BURST).map(joined);
  const side = (Store, sent) => ({
    setup() {
      const store = new Store();
      store.apply(document);
      return store;
    },
    run(store) {
      for (const message of sent) store.apply(message);
    },
    answer: (store) => Object.entries(store.export()).sort(),
    teardown: (store) => store[Symbol.dispose]?.(),
  });
  return {
    byname: side(HamStore, messages),
    "tuned JS": side(TunedStore, messages),
    bytes: side(HamStore, bytes),
    joined: side(HamStore, bursts),
  };
}

const command = 'FIND nodes WHERE entity_type = "PERSON" AS found';

function foundRows(size) {
  const { nodes, edges } = graphTables(size);
  let session;
  let graph;
  const setup = () => {
    session ??= new GaslSession({ graph: Graph.fromCsv({ nodes, edges, directed: false }) });
    return session;
  };
  return {
    byname: {
      setup,
      async run(state) {
        await state.execute(command);
        return state.variable("found");
      },
      answer: (_, rows) => rows.map(({ id }) => id).sort(),
    },
    graphology: {
      setup() {
        graph ??= graphology.load({ nodes, edges });
        return graph;
      },
      run: (state) =>
        graphology.questions.attribute(state).map((id) => ({ id, ...state.getNodeAttributes(id) })),
      answer: (_, rows) => rows.map(({ id }) => id).sort(),
    },
    left: { setup, run: (state) => state.execute(command) },
  };
}

const shared = { section: "javascript", growth: false, of: "rows", size: 10_000 };

export default [
  {
    ...shared,
    name: "held-values",
    title: "40,000 values that JavaScript already has, by `surface.tree()`",
    against: "tuned JS",
    instead: { kept: "keep the first tree and apply the changes, so each value crosses once" },
    sides: treeValues,
  },
  {
    ...shared,
    name: "small-messages",
    title: "1,000 separate text messages of one row, without listeners",
    against: "tuned JS",
    instead: ADVICE,
    sides: smallMessages,
  },
  {
    ...shared,
    size: 100_000,
    of: "nodes",
    name: "found-rows",
    title: "all 16,600 rows of a FIND as JavaScript objects",
    against: "graphology",
    instead: { left: "keep them in GASL and query them there" },
    sides: foundRows,
  },
];
