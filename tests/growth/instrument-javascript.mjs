// Module hook that adds a counter to the files of `pkg`.
import { parseAst } from "vite";

const FOLDER = new URL("../../pkg/", import.meta.url).href;
/** Generated glue, and the module as text. */
const SKIPPED = /byname_bg/;

export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.startsWith(FOLDER) || SKIPPED.test(url) || loaded.format !== "module") return loaded;
  return { ...loaded, source: withTicks(loaded.source.toString()) };
}

const TICK = "globalThis.growthTicks++;";
const COUNTED = /^(?:For|ForIn|ForOf|While|DoWhile)Statement$|^(?:Arrow)?Function/;

/** Returns a source whose functions and loops count. */
function withTicks(source) {
  /** Texts to insert, by offset: ends first, the inner one before the outer one. */
  const ends = new Map();
  const starts = new Map();
  const insert = (at, text) => starts.set(at, (starts.get(at) ?? "") + text);
  const insertEnd = (at, text) => ends.set(at, text + (ends.get(at) ?? ""));
  const visit = (node) => {
    if (COUNTED.test(node.type)) countIn(node.body);
    if (node.type === "ObjectExpression") {
      for (const { type, argument } of node.properties) {
        if (type === "SpreadElement") wrap(argument, "globalThis.growthSpread(", ")");
      }
    }
    for (const child of Object.values(node)) {
      if (Array.isArray(child)) for (const one of child) one?.type && visit(one);
      else if (child?.type) visit(child);
    }
  };
  const wrap = ({ start, end }, before, after) => {
    insert(start, before);
    insertEnd(end, after);
  };
  const countIn = (body) => {
    if (body.type === "BlockStatement") insert(body.start + 1, TICK);
    else if (/Statement$/.test(body.type)) wrap(body, `{${TICK}`, "}");
    else wrapExpression(body);
  };
  // Parentheses around an expression are not part of it.
  const wrapExpression = (body) => wrap(body, "(globalThis.growthTicks++,", ")");
  visit(parseAst(source));
  let text = "";
  let copied = 0;
  const offsets = [...new Set([...starts.keys(), ...ends.keys()])].sort((a, b) => a - b);
  for (const at of offsets) {
    text += source.slice(copied, at) + (ends.get(at) ?? "") + (starts.get(at) ?? "");
    copied = at;
  }
  return text + source.slice(copied);
}
