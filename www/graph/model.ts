import { chromeAi, openai, scripted } from "byname/llm";
import { button, element } from "../element.js";
import type { Example } from "./examples.js";
import type { Model } from "./run.js";
import { coastTopics } from "./scripted.js";

/** What was chosen. A key is held here and nowhere else, and is gone with the page. */
export type Choice =
  | { kind: "scripted" }
  | { kind: "openai"; baseUrl: string; model: string; apiKey: string }
  | { kind: "chrome" };

export function nameOf(choice: Choice): string {
  if (choice.kind === "openai") return choice.model;
  return choice.kind === "chrome" ? "Chrome" : "scripted";
}

/** The model of a run; the scripted one says what the example tells it. */
export function modelOf(choice: Choice, example: Pick<Example, "script"> | null): Model {
  const name = nameOf(choice);
  switch (choice.kind) {
    case "openai": {
      const { baseUrl, model, apiKey } = choice;
      const key = apiKey === "" ? {} : { apiKey };
      return { name, scripted: false, callback: openai({ baseUrl, model, ...key }) };
    }
    case "chrome":
      return { name, scripted: false, callback: chromeAi() };
    case "scripted":
      return { name, scripted: true, callback: scripted({ ...coastTopics, ...example?.script }) };
  }
}

/** Lets one choose who answers. */
export function chooseModel(now: Choice, chosen: (choice: Choice) => void): void {
  const dialog = element("dialog", { class: "dialog", "aria-labelledby": "model-head" });
  const built = "LanguageModel" in globalThis;
  const radio = (kind: Choice["kind"], head: string, words: string, can = true) => {
    const input = element("input", { type: "radio", name: "kind", value: kind });
    input.checked = now.kind === kind;
    input.disabled = !can;
    input.addEventListener("change", show);
    return element(
      "label",
      { class: can ? "choice" : "choice off" },
      input,
      element("span", {}, element("strong", {}, head), element("span", { class: "soft" }, words)),
    );
  };
  const field = (
    name: string,
    label: string,
    value: string,
    attributes: { [name: string]: string },
  ) => {
    const input = element("input", { name, class: "find", ...attributes });
    input.value = value;
    return element("label", { class: "field" }, element("span", {}, label), input);
  };
  const old =
    now.kind === "openai" ? now : { baseUrl: "http://localhost:11434/v1", model: "", apiKey: "" };
  const server = element(
    "fieldset",
    { class: "server" },
    field("baseUrl", "Address", old.baseUrl, { type: "url", required: "" }),
    field("model", "Model", old.model, { type: "text", required: "", autocomplete: "off" }),
    field("apiKey", "Key, if it needs one", old.apiKey, { type: "password", autocomplete: "off" }),
    element(
      "p",
      { class: "soft" },
      "The key stays in this page's memory. It is sent to this address only, and gone when the page is closed.",
    ),
  );
  const form = element(
    "form",
    { method: "dialog" },
    element("h2", { id: "model-head" }, "Who answers"),
    radio("scripted", "Scripted", "Says what the example tells it. No key, no network."),
    radio(
      "openai",
      "A server",
      "Anything that speaks OpenAI's chat completions: Ollama, llama.cpp, vLLM, OpenAI.",
    ),
    server,
    radio(
      "chrome",
      "Chrome's own",
      built
        ? "The model that is built into this browser."
        : "This browser has no model of its own.",
      built,
    ),
    element(
      "div",
      { class: "group" },
      element("button", { type: "submit", class: "main" }, "Use it"),
      button("Cancel", {}, () => dialog.close()),
    ),
  );
  function show(): void {
    const kind = new FormData(form).get("kind");
    server.hidden = kind !== "openai";
    server.disabled = kind !== "openai";
  }
  form.addEventListener("submit", () => {
    const told = new FormData(form);
    const text = (name: string) => String(told.get(name) ?? "").trim();
    const kind = text("kind");
    if (kind === "openai")
      chosen({ kind, baseUrl: text("baseUrl"), model: text("model"), apiKey: text("apiKey") });
    else chosen({ kind: kind === "chrome" ? kind : "scripted" });
  });
  dialog.append(form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  show();
  dialog.showModal();
}
