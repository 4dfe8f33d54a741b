import { throwMisuse } from "../arguments.js";

/** Quotes a label, relation type or key in backticks. Throws for an empty name. */
export function quoteName(name: string): string {
  if (name === "" || name.includes("\0"))
    throwMisuse(`expected a name of the database, found ${JSON.stringify(name)}`);
  return `\`${name.replaceAll("`", "``")}\``;
}
