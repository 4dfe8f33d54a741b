import { quote } from "./suggestions.js";

/** Location of a value in a message. */
export interface ValueLocation {
  readonly path: readonly (string | number)[];
  /** Id of the component or name of the message that contains the value. */
  readonly owner: string;
  /** Length of the path to the owner. */
  readonly ownerDepth: number;
}

export function childLocation(
  location: ValueLocation,
  ...segments: (string | number)[]
): ValueLocation {
  return { ...location, path: [...location.path, ...segments] };
}

/** Returns the location as text: `title` of `book`. */
export function describeLocation({ path, owner, ownerDepth }: ValueLocation): string {
  const rest = path.slice(ownerDepth).join("/");
  return rest === "" ? quote(owner) : `${quote(rest)} of ${quote(owner)}`;
}
