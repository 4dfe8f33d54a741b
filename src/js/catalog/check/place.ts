import { quote } from "./names.js";

/** Where a value stands: the steps that lead to it, and how a message calls it. */
export interface Place {
  readonly path: readonly (string | number)[];
  /** What it is a part of: the id of a component, or the kind of a message. */
  readonly of: string;
  /** How many steps lead to that. */
  readonly from: number;
}

export function within(place: Place, ...steps: (string | number)[]): Place {
  return { ...place, path: [...place.path, ...steps] };
}

/** What a message calls it: `title` of `book`. */
export function called({ path, of, from }: Place): string {
  const rest = path.slice(from).join("/");
  return rest === "" ? quote(of) : `${quote(rest)} of ${quote(of)}`;
}
