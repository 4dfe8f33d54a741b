// Example surfaces of @a2ui/web_core, and their translation to HAM.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { FromA2ui } from "byname/a2ui";

const folders = [
  "v0_9/schemas/catalogs/basic",
  "v0_9/schemas/catalogs/minimal",
  "v1_0/schemas/catalogs/basic",
];

/** Returns all examples with their messages. */
export function exampleFiles() {
  const source = dirname(dirname(createRequire(import.meta.url).resolve("@a2ui/web_core")));
  return folders.flatMap((folder) => {
    const examples = join(source, folder, "examples");
    return readdirSync(examples)
      .filter((name) => name.endsWith(".json"))
      .sort()
      .map((name) => ({ folder, name, messages: messagesOf(join(examples, name)) }));
  });
}

function messagesOf(file) {
  const example = JSON.parse(readFileSync(file, "utf8"));
  return Array.isArray(example) ? example : example.messages;
}

/** Returns the messages of an example in HAM. */
export function hamMessages({ messages }) {
  const from = new FromA2ui();
  return messages.flatMap((message) => from.translate(message).messages);
}
