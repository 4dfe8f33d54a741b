// HAM document of rows with four fields in one list: 10,000 rows are 1 MB of JSON.
import { seeded } from "./seeded.mjs";

export const FIELDS = ["name", "title", "score", "active"];
export const LIST = "items";

const first = "Alice Bob Carol Dmitri Erin Farid Grace Hiro Inès Jürgen Katya Liam Mónica".split(
  " ",
);
const last = "Anderson Brown Chen Diaz Evans Fischer Garcia Hassan Ivanova Johnson Kim".split(" ");
const titles = ["Senior Engineer", "Product Manager", "Designer", "Site Reliability Engineer"];

/** Returns the ids of a number of rows. */
export function rowIds(size) {
  return Array.from({ length: size }, (_, at) => `row_${String(at).padStart(6, "0")}`);
}

/** Returns one row of data. */
export function row(below) {
  return {
    name: `${first[below(first.length)]} ${last[below(last.length)]} ${below(1000)}`,
    title: titles[below(titles.length)],
    score: below(10_000_000) / 100,
    active: below(2) === 1,
  };
}

/** Returns a list node with pointers to rows. */
export function pointers(ids) {
  return ids.map((id) => `*${id}`);
}

/** Returns JSON as Python's `json.dumps`: with spaces, and non-ASCII characters escaped. */
export function asPython(value) {
  return JSON.stringify(value, null, 1)
    .replace(/,\n */g, ", ")
    .replace(/\n */g, "")
    .replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}

/** Returns the document; another seed changes the rows and keeps the ids. */
export function rowDocument(size, seed = 1) {
  const below = seeded(seed);
  const ids = rowIds(size);
  const document = { root: { [LIST]: `*${LIST}` }, [LIST]: pointers(ids) };
  for (const id of ids) document[id] = row(below);
  return document;
}
