import { throwMisuse } from "../arguments.js";

/**
 * Quotes a label, relation type or key in backticks. Throws for an empty name, and for one with
 * `\u`, which Neo4j replaces before it reads the quotes.
 */
export function quoteName(name: string): string {
  if (name === "" || /\0|\\u/i.test(name))
    throwMisuse(`expected a name of the database, found ${JSON.stringify(name)}`);
  return `\`${name.replaceAll("`", "``")}\``;
}
