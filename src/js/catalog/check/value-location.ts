import { escapePointer } from "../../json-text.js";
import type { Diagnostic } from "../../wire.js";
import { quote } from "./suggestions.js";

/** Location of a value in a message. */
export interface ValueLocation {
  readonly path: readonly (string | number)[];
  /** Id of the component or name of the message that contains the value. */
  readonly owner: string;
  /** Length of the path to the owner. */
  readonly ownerDepth: number;
  /**
   * Whether functions fill in the placeholders of texts here, or every text is passed on as it is.
   * By default only the texts of properties are checked.
   */
  readonly texts?: "filled" | "literal";
  /** Whether bindings and calls were replaced by their values, so that no object is one. */
  readonly isResolved?: boolean;
  /** Whether null is accepted, because data have not arrived. */
  readonly isPartial?: boolean;
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

/** Returns the JSON pointer of a path. */
export function toPointer(path: ValueLocation["path"]): NonNullable<Diagnostic["location"]> {
  const segments = path.map((segment) => `/${escapePointer(String(segment))}`);
  return { kind: "pointer", pointer: segments.join("") };
}
