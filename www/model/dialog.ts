import { closeOnOutsideClick, showDialog } from "../page/dialog.js";
import { button, div, element, p, span } from "../page/element.js";
import { errorText } from "../page/format.js";
import { choiceName, currentChoice, type ModelChoice, onModelChosen, setChoice } from "./choice.js";
import { activityPanel } from "./progress-panel.js";

/** Makes a button show the current model and open the dialog. */
export function wireModelButton(control: HTMLButtonElement): void {
  const show = (choice: ModelChoice): void => {
    const name = choiceName(choice);
    control.textContent = `Model: ${name}`;
    control.setAttribute("aria-label", `Model: ${name}. Choose another`);
    control.title = "Choose another model";
  };
  control.addEventListener("click", () => openModelDialog());
  onModelChosen(show);
  show(currentChoice());
}

const defaultServer = { baseUrl: "http://localhost:11434/v1", model: "", apiKey: "" };

/** Opens the model dialog; dropped files preselect a GGUF file. */
export function openModelDialog(dropped?: FileList): void {
  const now = currentChoice();
  const dialog = element("dialog", { class: "dialog", "aria-labelledby": "model-head" });
  const errorLine = element("p", { class: "error", role: "alert" });
  const progressLine = element("p", { class: "muted", "aria-live": "polite" });
  const submit = element("button", { type: "submit", class: "main" }, "Use model");
  const serverValues = now.kind === "openai" ? now : defaultServer;
  const serverFields = element(
    "fieldset",
    { class: "server" },
    labelledField("baseUrl", "Address", serverValues.baseUrl, { type: "url", required: "" }),
    labelledField("model", "Model", serverValues.model, {
      type: "text",
      required: "",
      autocomplete: "off",
    }),
    labelledField("apiKey", "API key (optional)", serverValues.apiKey, {
      type: "password",
      autocomplete: "off",
    }),
    p(
      "muted",
      "The key is kept in memory, sent to this address only, and discarded when the page is closed.",
    ),
  );
  const file = element("input", {
    type: "file",
    accept: ".gguf",
    "aria-label": "GGUF file",
    required: "",
  });
  const fileFields = element(
    "fieldset",
    { class: "server" },
    file,
    p(
      "muted",
      "The file stays on this computer: llama.cpp runs it in this page, without a network. Without a GPU, choose a model below 300 MB.",
    ),
  );
  const parts = { openai: serverFields, file: fileFields };
  const radio = radioFactory(now.kind, () => show());
  const form = element(
    "form",
    { method: "dialog" },
    element("h2", { id: "model-head" }, "Model"),
    radio("scripted", "Scripted", "Returns the example's fixed replies. No key, no network."),
    radio(
      "openai",
      "A server",
      "Any OpenAI-compatible chat completions API: Ollama, llama.cpp, vLLM, OpenAI.",
    ),
    serverFields,
    radio("file", "A local file", "A model in GGUF format; choose it, or drop it on this dialog."),
    fileFields,
    radio(
      "chrome",
      "Chrome built-in",
      builtInModel()
        ? "The model built into this browser. The first question may download several gigabytes."
        : "Not available in this browser. Desktop Chrome has it, on HTTPS or localhost.",
      builtInModel() !== undefined,
    ),
    errorLine,
    progressLine,
    div(
      "group",
      submit,
      button("Cancel", {}, () => dialog.close()),
    ),
  );
  const show = (): void => {
    const kind = new FormData(form).get("kind");
    for (const [name, part] of Object.entries(parts)) {
      part.hidden = kind !== name;
      part.disabled = kind !== name;
    }
    errorLine.textContent = "";
  };
  let edited = false;
  const setFiles = (files: FileList): void => {
    edited = true;
    file.files = files;
    const fileRadio = form.querySelector<HTMLInputElement>("[value=file]");
    if (fileRadio) fileRadio.checked = true;
    show();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    errorLine.textContent = "";
    submit.disabled = true;
    void readChoice(new FormData(form), file.files?.[0], (words) => {
      progressLine.textContent = words;
    })
      .then((choice) => {
        // The user closed the dialog meanwhile.
        if (!dialog.open) return choice.kind === "file" ? choice.local.close() : undefined;
        setChoice(choice);
        dialog.close();
        return undefined;
      })
      .catch((error: unknown) => {
        errorLine.textContent = errorText(error);
      })
      .finally(() => {
        submit.disabled = false;
        progressLine.textContent = "";
      });
  });
  dialog.addEventListener("dragover", (event) => event.preventDefault());
  dialog.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (event.dataTransfer?.files.length) setFiles(event.dataTransfer.files);
  });
  dialog.append(form);
  form.addEventListener("input", () => {
    edited = true;
  });
  closeOnOutsideClick(dialog, () => edited || submit.disabled);
  show();
  if (dropped) setFiles(dropped);
  showDialog(dialog);
  // Preloaded; a failure is reported on submit.
  loadAdapters().catch(() => {});
}

const loadAdapters = () => import("./adapters.js");

/** Reads the form and creates the model, without sending a request. */
async function readChoice(
  formData: FormData,
  file: File | undefined,
  progress: (words: string) => void,
): Promise<ModelChoice> {
  const text = (name: string) => String(formData.get(name) ?? "").trim();
  switch (text("kind")) {
    case "openai": {
      const baseUrl = text("baseUrl");
      const model = text("model");
      const apiKey = text("apiKey");
      const { serverModel } = await loadAdapters();
      const callback = serverModel(baseUrl, model, apiKey);
      return { kind: "openai", baseUrl, model, apiKey, callback };
    }
    case "chrome": {
      progress("Asking the browser…");
      const { chromeModel, chromeOptions } = await loadAdapters();
      if ((await builtInModel()?.availability(chromeOptions)) === "unavailable")
        throw new Error("The built-in model is not available on this device.");
      return { kind: "chrome", callback: chromeModel() };
    }
    case "file": {
      if (!file) throw new Error("Choose a file first.");
      const { loadLocalModel } = await import("./local.js");
      return {
        kind: "file",
        name: file.name,
        local: await loadLocalModel(file, progress, activityPanel(file.name)),
      };
    }
    default:
      return { kind: "scripted" };
  }
}

function radioFactory(now: ModelChoice["kind"], onChange: () => void) {
  return (
    kind: ModelChoice["kind"],
    label: string,
    description: string,
    enabled = true,
  ): HTMLLabelElement => {
    const input = element("input", { type: "radio", name: "kind", value: kind });
    input.checked = now === kind;
    input.disabled = !enabled;
    input.addEventListener("change", onChange);
    return element(
      "label",
      { class: enabled ? "choice" : "choice off" },
      input,
      element("span", element("strong", label), span("muted", description)),
    );
  };
}

function labelledField(
  name: string,
  label: string,
  value: string,
  attributes: { [name: string]: string },
): HTMLLabelElement {
  const input = element("input", { name, class: "find", ...attributes });
  input.value = value;
  return element("label", { class: "field" }, element("span", label), input);
}

/** Returns the browser's built-in model API, if any. Its availability is checked on submit. */
function builtInModel() {
  return (globalThis as { LanguageModel?: { availability(options: object): Promise<string> } })
    .LanguageModel;
}
