// The steps of a random run: each acts on the store and the model alike.

import { show } from "../compare.mjs";
import { binding, message, pieces } from "./updates.mjs";

const WRITTEN = ["typed", "*a", "* bullet", "", 7, null, true, ["*a", { n: "*b" }], { n: 1 }];

/** One step; a step that would make deep reads too large is left out. Answers what was done. */
export function step(random, pair, streams) {
  const kind = random.below(100);
  if (kind < 60) return applied(random, pair);
  if (kind < 72) return written(random, pair);
  if (kind < 88) return streamed(random, pair, streams);
  const name = kind < 95 ? "undo" : "redo";
  pair.both((store) => store[name](), name);
  return name;
}

function applied(random, pair) {
  const update = message(random, pair.model.nodes, pair.model.options);
  const what = `apply ${show(update)}`;
  if (!pair.staysSmall((trial) => trial.apply(update))) return "nothing";
  const form = random.below(4);
  const enveloped = { updateDataModel: { surfaceId: "s", nodes: update } };
  const given = [
    update,
    JSON.stringify(update),
    enveloped,
    new TextEncoder().encode(JSON.stringify(enveloped, null, 1)),
  ][form];
  pair.both((store) => store.apply(given), what);
  return what;
}

function written(random, pair) {
  const target = binding(random);
  const value = random.pick(WRITTEN);
  const list = binding(random);
  const rows = random.chance(0.5) ? pair.rows(list, undefined, "rows to write") : [];
  const row = rows.length > 0 ? random.pick(rows) : undefined;
  const wanted = row ? (random.chance(0.5) ? {} : { key: random.pick(["n", "p", "q"]) }) : target;
  const what = `write ${show(wanted)} in ${show(row && [list, row.key])}: ${show(value)}`;
  if (!pair.staysSmall((trial) => trial.write(wanted, value, row?.model))) return "nothing";
  pair.both(
    (store) => store.write(wanted, value, store === pair.real ? row?.real : row?.model),
    what,
  );
  return what;
}

/** Two streams at most are open at a time; their pieces come in between other steps. */
function streamed(random, pair, streams) {
  if (streams.length < 2 && random.chance(0.5)) {
    // An error may be found before its node is complete, so streams have none here.
    const nodes = message(random, pair.model.nodes, { faults: false });
    const text = JSON.stringify(random.chance(0.5) ? nodes : { updateDataModel: { nodes } });
    streams.push({
      real: pair.real.stream(),
      model: pair.model.stream(),
      left: pieces(random, text),
      text,
    });
  }
  const stream = streams.length > 0 ? random.pick(streams) : undefined;
  if (stream === undefined) return "nothing";
  const side = (store) => (store === pair.real ? stream.real : stream.model);
  const piece = stream.left.shift();
  const what =
    piece === undefined
      ? `end of ${stream.text}`
      : `push ${show(new TextDecoder().decode(piece))} of ${stream.text}`;
  if (piece === undefined) {
    pair.both((store) => side(store).end(), what);
    streams.splice(streams.indexOf(stream), 1);
    return what;
  }
  pair.both((store) => side(store).push(piece), what);
  if (stream.model.ended) streams.splice(streams.indexOf(stream), 1);
  return what;
}
