// Places of diagnostics in the text that `byname check` reads.
import { positionOf } from "../../pkg/cli/check/json-position.js";
import { each, times } from "./measure.mjs";

/** Returns the measurement of a search for one pointer per item. */
const find = (makeText, makePointer, part) => (size) => {
  const text = makeText(size);
  const pointers = times(size, makePointer);
  return () => {
    for (const one of pointers)
      if (positionOf(text, one, 0, part) === undefined) throw new Error(`${one} is not found`);
  };
};

export const POSITIONS = [
  [
    "items",
    find(
      (size) => `{"a": [${each(size, ",\n", (i) => `{"id": "c${i}", "children": ["x"]}`)}]}`,
      (i) => `/a/${i}/children/0`,
    ),
  ],
  [
    "keys",
    find(
      (size) => `{"a": {${each(size, ", ", (i) => `"k${i}": {"b": 1}`)}}}`,
      (i) => `/a/k${i}/b`,
      "key",
    ),
  ],
];
