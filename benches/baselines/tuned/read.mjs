// Two readers of the tuned store. `JSON.parse` is slowest on objects with unique ids as keys,
// because V8 creates a hidden class for each; both readers avoid that.

const QUOTE = 34;
const BACKSLASH = 92;
const SHORT = 4096;
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Calls `each(id, value)` for every node; splits short messages of one node by hand. */
export function parseNodes(message, each) {
  const text = textOf(message);
  if (text.length < SHORT && splitOne(text, each)) return;
  const nodes = JSON.parse(text);
  for (const id in nodes) each(id, nodes[id]);
}

/** Splits every message into nodes and parses only their values. */
export function cutNodes(message, each) {
  const text = textOf(message);
  const nodes = cut(text);
  if (nodes) for (let at = 0; at < nodes.length; at += 2) each(nodes[at], nodes[at + 1]);
  else for (const [id, value] of Object.entries(JSON.parse(text))) each(id, value);
}

function textOf(message) {
  return typeof message === "string" ? message : decoder.decode(message);
}

// Returns false if the text is not one node with a map or list, because the rest is then invalid
// JSON.
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

// Returns ids and values in turn, or undefined if the text has an unexpected form. A wrongly split
// value is invalid JSON, so errors are always detected.
function cut(text) {
  const end = text.length - 1;
  if (text.charCodeAt(0) !== 123 || text.charCodeAt(end) !== 125) return undefined;
  const nodes = [];
  // Writers with a space after colons also write one after commas.
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

// Returns the separator between a value and the next id.
function afterValue(begin, space) {
  if (begin === 123) return `},${space}"`;
  if (begin === 91) return `],${space}"`;
  return begin === QUOTE ? `",${space}"` : `l,${space}"`;
}

function isPlain(id) {
  for (let at = 0; at < id.length; at++) if (id.charCodeAt(at) === BACKSLASH) return false;
  return true;
}
