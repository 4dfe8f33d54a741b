// The example surfaces that @a2ui/web_core brings, and the same in HAM.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Translator } from "./translate.mjs";

const folders = [
  "v0_9/schemas/catalogs/basic",
  "v0_9/schemas/catalogs/minimal",
  "v1_0/schemas/catalogs/basic",
];

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

export function hamMessages({ messages }) {
  const translator = new Translator();
  return messages.map((message) => translator.message(message));
}
