import { closeOutside, showDialog } from "../page/dialog.js";
import { button, element } from "../page/element.js";
import { type Choice, choose, chosen, nameOf, onChoice } from "./choice.js";
import { workingPanel } from "./progress-panel.js";

/** A button that says who answers, and lets one choose. */
export function modelSwitch(control: HTMLButtonElement): void {
  const show = (choice: Choice): void => {
    const name = nameOf(choice);
    control.textContent = `Model: ${name}`;
    control.setAttribute("aria-label", `Model: ${name}. Choose another`);
    control.title = "Who answers: choose another model";
  };
  control.addEventListener("click", () => chooseModel());
  onChoice(show);
  show(chosen());
}

const server = { baseUrl: "http://localhost:11434/v1", model: "", apiKey: "" };

/** Lets one choose who answers; files that were dropped are a model to begin with. */
export function chooseModel(dropped?: FileList): void {
  const now = chosen();
  const dialog = element("dialog", { class: "dialog", "aria-labelledby": "model-head" });
  const fault = element("p", { class: "error", role: "alert" });
  const state = element("p", { class: "soft", "aria-live": "polite" });
  const use = element("button", { type: "submit", class: "main" }, "Use it");
  const old = now.kind === "openai" ? now : server;
  const ofServer = element(
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
  const file = element("input", {
    type: "file",
    accept: ".gguf",
    "aria-label": "GGUF file",
    required: "",
  });
  const ofFile = element(
    "fieldset",
    { class: "server" },
    file,
    element(
      "p",
      { class: "soft" },
      "The file is not sent anywhere: llama.cpp reads it here, and asks no network any more. Without a graphics card one of less than 300 MB answers in bearable time.",
    ),
  );
  const parts = { openai: ofServer, file: ofFile };
  const radio = radios(now.kind, () => show());
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
    ofServer,
    radio(
      "file",
      "A file of yours",
      "A model in the GGUF format, chosen here or dropped on this dialog.",
    ),
    ofFile,
    radio(
      "chrome",
      "Chrome's own",
      builtIn()
        ? "The model that is built into this browser. The first question may fetch some gigabytes."
        : "This browser has none. Chrome on a desktop has one, on pages of https or localhost.",
      builtIn() !== undefined,
    ),
    fault,
    state,
    element(
      "div",
      { class: "group" },
      use,
      button("Cancel", {}, () => dialog.close()),
    ),
  );
  const show = (): void => {
    const kind = new FormData(form).get("kind");
    for (const [name, part] of Object.entries(parts)) {
      part.hidden = kind !== name;
      part.disabled = kind !== name;
    }
    fault.textContent = "";
  };
  let touched = false;
  const take = (files: FileList): void => {
    touched = true;
    file.files = files;
    const mine = form.querySelector<HTMLInputElement>("[value=file]");
    if (mine) mine.checked = true;
    show();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    fault.textContent = "";
    use.disabled = true;
    void choiceOf(new FormData(form), file.files?.[0], (words) => {
      state.textContent = words;
    })
      .then((choice) => {
        // Whoever has gone on meanwhile does not want it any more.
        if (!dialog.open) return choice.kind === "file" ? choice.local.close() : undefined;
        choose(choice);
        dialog.close();
        return undefined;
      })
      .catch((error: unknown) => {
        fault.textContent = error instanceof Error ? error.message : String(error);
      })
      .finally(() => {
        use.disabled = false;
        state.textContent = "";
      });
  });
  dialog.addEventListener("dragover", (event) => event.preventDefault());
  dialog.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (event.dataTransfer?.files.length) take(event.dataTransfer.files);
  });
  dialog.append(form);
  form.addEventListener("input", () => {
    touched = true;
  });
  closeOutside(dialog, () => touched || use.disabled);
  show();
  if (dropped) take(dropped);
  showDialog(dialog);
  // So that nobody waits for it; where it does not come, whoever presses is told.
  adapters().catch(() => {});
}

/** What calls models of others: for whoever chooses one. */
const adapters = () => import("./adapters.js");

/** What the form says, checked as far as it can be without asking anybody. */
async function choiceOf(
  told: FormData,
  file: File | undefined,
  progress: (words: string) => void,
): Promise<Choice> {
  const text = (name: string) => String(told.get(name) ?? "").trim();
  switch (text("kind")) {
    case "openai": {
      const baseUrl = text("baseUrl");
      const model = text("model");
      const apiKey = text("apiKey");
      const { serverModel } = await adapters();
      const callback = serverModel(baseUrl, model, apiKey);
      return { kind: "openai", baseUrl, model, apiKey, callback };
    }
    case "chrome": {
      progress("Asking the browser…");
      const { chromeModel, chromeOptions } = await adapters();
      if ((await builtIn()?.availability(chromeOptions)) === "unavailable")
        throw new Error("This browser has a model of its own, but not for this machine.");
      return { kind: "chrome", callback: chromeModel() };
    }
    case "file": {
      if (!file) throw new Error("Choose a file first.");
      const { openLocal } = await import("./local.js");
      return {
        kind: "file",
        name: file.name,
        local: await openLocal(file, progress, workingPanel(file.name)),
      };
    }
    default:
      return { kind: "scripted" };
  }
}

function radios(now: Choice["kind"], changed: () => void) {
  return (kind: Choice["kind"], head: string, words: string, can = true): HTMLLabelElement => {
    const input = element("input", { type: "radio", name: "kind", value: kind });
    input.checked = now === kind;
    input.disabled = !can;
    input.addEventListener("change", changed);
    return element(
      "label",
      { class: can ? "choice" : "choice off" },
      input,
      element("span", {}, element("strong", {}, head), element("span", { class: "soft" }, words)),
    );
  };
}

function field(
  name: string,
  label: string,
  value: string,
  attributes: { [name: string]: string },
): HTMLLabelElement {
  const input = element("input", { name, class: "find", ...attributes });
  input.value = value;
  return element("label", { class: "field" }, element("span", {}, label), input);
}

/** What the browser has, if it has anything. Whether it can be used is asked when somebody wants it. */
function builtIn() {
  return (globalThis as { LanguageModel?: { availability(options: object): Promise<string> } })
    .LanguageModel;
}
