// Steps of a random run, each on the store and the model.

import { show } from "../compare.mjs";
import { binding, message, splitBytes } from "./updates.mjs";

const VALUES = ["typed", "*a", "* bullet", "", 7, null, true, ["*a", { n: "*b" }], { n: 1 }];

/** Runs a step, unless deep reads would become too large. Returns its description. */
export function step(random, pair, streams) {
  const kind = random.below(100);
  if (kind < 60) return applyStep(random, pair);
  if (kind < 72) return writeStep(random, pair);
  if (kind < 88) return streamStep(random, pair, streams);
  const name = kind < 95 ? "undo" : "redo";
  pair.runBoth((store) => store[name](), name);
  return name;
}

function applyStep(random, pair) {
  const update = message(random, pair.model.nodes, pair.model.options);
  const what = `apply ${show(update)}`;
  if (!pair.remainsSmall((trial) => trial.apply(update))) return "nothing";
  const form = random.below(4);
  const enveloped = { updateDataModel: { surfaceId: "s", nodes: update } };
  const input = [
    update,
    JSON.stringify(update),
    enveloped,
    new TextEncoder().encode(JSON.stringify(enveloped, null, 1)),
  ][form];
  pair.runBoth((store) => store.apply(input), what);
  return what;
}

function writeStep(random, pair) {
  const target = binding(random);
  const value = random.pick(VALUES);
  const list = binding(random);
  const rows = random.chance(0.5) ? pair.rows(list, undefined, "rows to write") : [];
  const row = rows.length > 0 ? random.pick(rows) : undefined;
  const address = row ? (random.chance(0.5) ? {} : { key: random.pick(["n", "p", "q"]) }) : target;
  const what = `write ${show(address)} in ${show(row && [list, row.key])}: ${show(value)}`;
  if (!pair.remainsSmall((trial) => trial.write(address, value, row?.model))) return "nothing";
  pair.runBoth(
    (store) => store.write(address, value, store === pair.real ? row?.real : row?.model),
    what,
  );
  return what;
}

/** Opens a stream, at most two at a time, or pushes a chunk of an open one. */
function streamStep(random, pair, streams) {
  if (streams.length < 2 && random.chance(0.5)) {
    // An error may be found before its node is complete, so streams have none here.
    const nodes = message(random, pair.model.nodes, { faults: false });
    const text = JSON.stringify(random.chance(0.5) ? nodes : { updateDataModel: { nodes } });
    streams.push({
      real: pair.real.stream(),
      model: pair.model.stream(),
      chunks: splitBytes(random, text),
      text,
    });
  }
  const stream = streams.length > 0 ? random.pick(streams) : undefined;
  if (stream === undefined) return "nothing";
  const streamOf = (store) => (store === pair.real ? stream.real : stream.model);
  const chunk = stream.chunks.shift();
  const what =
    chunk === undefined
      ? `end of ${stream.text}`
      : `push ${show(new TextDecoder().decode(chunk))} of ${stream.text}`;
  if (chunk === undefined) {
    pair.runBoth((store) => streamOf(store).end(), what);
    streams.splice(streams.indexOf(stream), 1);
    return what;
  }
  pair.runBoth((store) => streamOf(store).push(chunk), what);
  if (stream.model.ended) streams.splice(streams.indexOf(stream), 1);
  return what;
}
