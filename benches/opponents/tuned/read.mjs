// Two ways in which the tuned store reads a message. `JSON.parse` is at its worst on objects whose keys
// are one-off ids, because V8 makes a hidden class for each; both ways keep such ids away from it.

const QUOTE = 34;
const BACKSLASH = 92;
const SHORT = 4096;
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Calls `each(id, value)` for every node of a message: what is short and of one node is split by hand. */
export function parseNodes(message, each) {
  const text = textOf(message);
  if (text.length < SHORT && splitOne(text, each)) return;
  const nodes = JSON.parse(text);
  for (const id in nodes) each(id, nodes[id]);
}

/** The same by cutting every message into its nodes, of which only the values are parsed. */
export function cutNodes(message, each) {
  const text = textOf(message);
  const nodes = cut(text);
  if (nodes) for (let at = 0; at < nodes.length; at += 2) each(nodes[at], nodes[at + 1]);
  else for (const [id, value] of Object.entries(JSON.parse(text))) each(id, value);
}

function textOf(message) {
  return typeof message === "string" ? message : decoder.decode(message);
}

// False where the text is not one node with a map or a list: two nodes are no JSON behind the first id.
function splitOne(text, each) {
  if (text.charCodeAt(0) !== 123 || text.charCodeAt(1) !== QUOTE) return false;
  const close = text.indexOf('":', 2);
  const id = text.slice(2, close);
  if (close < 0 || !isPlain(id)) return false;
  let value;
  try {
    value = JSON.parse(text.slice(close + 2, -1));
  } catch {
    return false;
  }
  each(id, value);
  return true;
}

// Ids and values in turn; undefined where the text is not as simple as it looked. A value that is
// cut short is no JSON, so a wrong guess is always noticed.
function cut(text) {
  const end = text.length - 1;
  if (text.charCodeAt(0) !== 123 || text.charCodeAt(end) !== 125) return undefined;
  const nodes = [];
  // Who puts space behind a colon does so behind a comma.
  const space = text.charCodeAt(text.indexOf('":') + 2) === 32 ? " " : "";
  try {
    for (let at = 1; ; ) {
      if (text.charCodeAt(at) !== QUOTE) return undefined;
      const close = text.indexOf('":', at + 1);
      if (close < 0) return undefined;
      const id = text.slice(at + 1, close);
      const begin = close + 2 + space.length;
      const next = text.indexOf(afterValue(text.charCodeAt(begin), space), begin) + 1;
      const stop = next === 0 ? end : next;
      nodes.push(isPlain(id) ? id : JSON.parse(`"${id}"`), JSON.parse(text.slice(begin, stop)));
      if (next === 0) return nodes;
      at = stop + 1 + space.length;
    }
  } catch {
    return undefined;
  }
}

// What stands between a value that begins so and the next id; the first character is the value's.
function afterValue(begin, space) {
  if (begin === 123) return `},${space}"`;
  if (begin === 91) return `],${space}"`;
  return begin === QUOTE ? `",${space}"` : `l,${space}"`;
}

function isPlain(id) {
  for (let at = 0; at < id.length; at++) if (id.charCodeAt(at) === BACKSLASH) return false;
  return true;
}
