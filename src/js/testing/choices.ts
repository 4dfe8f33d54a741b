import { itemOf } from "../item-key.js";
import type { Instance } from "../types.js";

/** Maximum number of names in an error message. */
const MAX_LISTED_NAMES = 30;

/** Returns names separated by commas, truncated if there are many. */
export function listOf(names: readonly string[]): string {
  const rest = names.length - MAX_LISTED_NAMES;
  const listed = names.slice(0, MAX_LISTED_NAMES).join(", ");
  return rest > 0 ? `${listed} and ${rest} more` : listed;
}

/** Returns how to choose one of several instances: by id, by node, or from the list. */
export function choicesOf(found: readonly Instance[]): string {
  const distinct = (names: (string | undefined)[]): string[] | undefined => {
    const known = [...new Set(names.filter((name) => name !== undefined))];
    return known.length === found.length ? known : undefined;
  };
  const ids = distinct(found.map(({ id }) => id));
  if (ids) return `add one of the ids ${listOf(ids)}`;
  const nodes = distinct(found.map(({ key }) => itemOf(key)));
  if (nodes) return `add \`node\`: one of ${listOf(nodes)}`;
  return `take one of \`all(query)\`, with the keys ${listOf(found.map(({ key }) => key))}`;
}
