// Texts of the 43 examples of A2UI and of three edits of each, in five formats.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { FromA2ui } from "byname/a2ui";
import { basicCatalog as catalog } from "byname/dom";
import { messagesToExpress } from "byname/express";

const folder = new URL("../../../shared/data/a2ui/v1_0/3-bare/examples/", import.meta.url);
export const hasExamples = existsSync(folder);
export const formats = ["A2UI", "Express", "JSON Patch", "HAM", "HAM, list edits"];

/** Returns the texts of each edit: lists with one text per format. */
export function exampleEdits() {
  const edits = {
    "first load": [],
    "change one text": [],
    "replace one component": [],
    "insert a row at the front": [],
  };
  for (const name of readdirSync(folder)) {
    const { messages } = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
    const example = new Example(messages);
    edits["first load"].push(example.firstLoad());
    for (const [edit, texts] of [
      ["change one text", example.changeText()],
      ["replace one component", example.replaceComponent()],
      ["insert a row at the front", example.insertRow()],
    ])
      if (texts) edits[edit].push(texts);
  }
  return edits;
}

const lines = (messages) => messages.map((one) => JSON.stringify(one)).join("\n");

class Example {
  constructor(messages) {
    this.messages = messages;
    this.translator = new FromA2ui();
    this.ham = messages.flatMap((one) => this.translator.translate(one).messages);
    const { createSurface } = messages.find((one) => one.createSurface);
    this.surfaceId = createSurface.surfaceId;
    this.components = messages.flatMap(
      (one) => one.updateComponents?.components ?? one.createSurface?.components ?? [],
    );
    const data = messages.find((one) => one.updateDataModel)?.updateDataModel;
    this.data = (createSurface.dataModel ?? (data?.path ?? "/") === "/") ? data?.value : undefined;
  }

  /** Returns the texts of messages of A2UI; `patch` and `listEdits` replace two of them. */
  texts(messages, patch, listEdits) {
    const ham = messages === this.messages ? this.ham : this.translate(messages);
    return [
      lines(messages),
      messagesToExpress(messages, { catalog }),
      patch === undefined ? lines(messages) : lines([this.patch(patch)]),
      lines(ham),
      lines(listEdits === undefined ? ham : listEdits(ham)),
    ];
  }

  translate(messages) {
    return messages.flatMap((one) => this.translator.translate(one).messages);
  }

  patch(operation) {
    return { patchDataModel: { surfaceId: this.surfaceId, patch: [operation] } };
  }

  update(path, value) {
    return [{ version: "v1.0", updateDataModel: { surfaceId: this.surfaceId, path, value } }];
  }

  firstLoad() {
    return this.texts(this.messages);
  }

  changeText() {
    const path = pathOfText(this.data, "");
    if (path === undefined) return undefined;
    const value = "A new text";
    return this.texts(this.update(path, value), { op: "replace", path, value });
  }

  replaceComponent() {
    const text = this.components.find(({ component }) => component === "Text");
    if (text === undefined) return undefined;
    const components = [{ ...text, variant: "caption" }];
    return this.texts([
      { version: "v1.0", updateComponents: { surfaceId: this.surfaceId, components } },
    ]);
  }

  insertRow() {
    const entries = Object.entries(this.data ?? {});
    const [key, rows] = entries.find(([, one]) => typeof one?.[0] === "object") ?? [];
    if (rows === undefined) return undefined;
    const row = Object.fromEntries(Object.keys(rows[0]).map((one) => [one, `A new ${one}`]));
    const update = this.update(`/${key}`, [row, ...rows]);
    return this.texts(update, { op: "add", path: `/${key}/0`, value: row }, (messages) =>
      messages.map((one) => withListEdit(one)),
    );
  }
}

/** Returns the path of the first text in data. */
function pathOfText(value, path) {
  if (typeof value === "string") return path;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, one] of Object.entries(value)) {
    const found = pathOfText(one, `${path}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns an update with an insertion in place of a list whose first item is new. */
function withListEdit({ updateDataModel, ...message }) {
  const entries = Object.entries(updateDataModel.nodes).map(([id, node]) => {
    const isList = Array.isArray(node) && node.every((one) => String(one).startsWith("*"));
    if (!isList) return [id, node];
    const [first, second] = node;
    return [`+${id}`, { items: [first], before: second }];
  });
  return {
    ...message,
    updateDataModel: { ...updateDataModel, nodes: Object.fromEntries(entries) },
  };
}
