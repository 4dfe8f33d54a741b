// Objects that a partial JSON parser yields while a text arrives, like object streams of the AI
// SDK. A truncated string is closed, a key without a value is dropped, and a literal is completed.

const LITERALS = { true: true, false: false, null: null };

/** Returns the value of the beginning of a JSON text, or `undefined` if there is none yet. */
export function parsePartial(text) {
  return readValue({ text, at: 0 });
}

/** Returns the different values of a text that is cut at each offset. */
export function snapshotsOf(text, offsets = Array.from(text, (_, at) => at + 1)) {
  const values = [];
  let previous;
  for (const offset of [...offsets, text.length]) {
    const value = parsePartial(text.slice(0, offset));
    const written = JSON.stringify(value);
    if (value !== undefined && written !== previous) values.push(value);
    previous = written;
  }
  return values;
}

function readValue(state) {
  const char = skipSpace(state);
  if (char === "{") return readObject(state);
  if (char === "[") return readList(state);
  if (char === '"') return readString(state).value;
  return readScalar(state);
}

function readObject(state) {
  const entries = [];
  state.at += 1;
  while (skipSpace(state) === '"') {
    const key = readString(state);
    if (!key.isComplete || skipSpace(state) !== ":") break;
    state.at += 1;
    const value = readValue(state);
    if (value === undefined) break;
    entries.push([key.value, value]);
    if (skipSpace(state) !== ",") break;
    state.at += 1;
  }
  if (skipSpace(state) === "}") state.at += 1;
  return Object.fromEntries(entries);
}

function readList(state) {
  const items = [];
  state.at += 1;
  while (skipSpace(state) !== "]") {
    const value = readValue(state);
    if (value === undefined) break;
    items.push(value);
    if (skipSpace(state) !== ",") break;
    state.at += 1;
  }
  if (skipSpace(state) === "]") state.at += 1;
  return items;
}

function readString(state) {
  const [source] = match(state, /"(?:[^"\\]|\\u[\da-fA-F]{4}|\\[^u])*/y);
  state.at += source.length;
  const isComplete = state.text[state.at] === '"';
  if (isComplete) state.at += 1;
  else state.at = state.text.length;
  return { value: JSON.parse(`${source}"`), isComplete };
}

function readScalar(state) {
  const [source] = match(state, /[-+.\w]*/y);
  state.at += source.length;
  const literal = Object.keys(LITERALS).find((name) => source !== "" && name.startsWith(source));
  if (literal !== undefined) return LITERALS[literal];
  const number = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/.exec(source);
  return number ? Number(number[0]) : undefined;
}

function skipSpace(state) {
  state.at += match(state, /\s*/y)[0].length;
  return state.text[state.at];
}

function match({ text, at }, pattern) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
