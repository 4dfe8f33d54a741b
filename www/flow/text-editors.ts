import { compileFlow, type Diagnostic, type Json } from "byname";
import { Editor } from "../editor/editor.js";
import type { TextMark } from "../editor/pane.js";
import type { Problem } from "../editor/problem.js";
import { marksOfProblems, type ProblemGroup, showProblems } from "../editor/problem-list.js";
import { byId, span } from "../page/element.js";
import { isRecord } from "../page/json.js";
import { wireTabs } from "../page/tabs.js";
import { type CompletionData, completionsAt } from "./completion.js";
import { highlightWorkflow } from "./highlight.js";
import { locatePointer } from "./json-pointer.js";
import { toProblem } from "./quick-fix.js";

const editorNames = ["workflow", "registry", "inputs"] as const;
export type TextName = (typeof editorNames)[number];

const editorLabels: { [name in TextName]: [label: string, placeholder: string] } = {
  workflow: [
    "Workflow (JSON)",
    '{ "nodes": [{ "id": "a", "type": "text", "params": { "template": "Hello" } }] }',
  ],
  registry: ["Node types (JSON)", '{ "text": { "inputs": ["template"], "outputs": ["text"] } }'],
  inputs: ["Inputs of the run (JSON)", "{}"],
};

type Row = { [name: string]: Json };

/** Editors of the workflow, the registry and the inputs, with their problems. */
export class TextEditors {
  readonly #editors: { [name in TextName]: Editor };
  readonly #list = byId("flow-diagnostics");
  readonly #chooseTab: (name: string) => void;
  readonly #apply: () => void;
  readonly #check: () => void;
  /** Texts that the problems refer to. */
  readonly #checkedTexts: { [name in TextName]: string } = {
    workflow: "",
    registry: "",
    inputs: "",
  };
  readonly #problems: { [name in TextName]: ProblemGroup[] } = {
    workflow: [],
    registry: [],
    inputs: [],
  };
  /** Problems of the import that made the workflow's text. */
  #importProblems: Problem[] = [];
  #shown: TextName = "workflow";
  #runningMarks: TextMark[] = [];

  constructor(on: {
    typed(name: TextName): void;
    apply(): void;
    check(): void;
    getCompletionData(): CompletionData;
  }) {
    this.#apply = on.apply;
    this.#check = on.check;
    const made = editorNames.map((name): [TextName, Editor] => {
      const [label, placeholder] = editorLabels[name];
      const onEdit = (): void => on.typed(name);
      return [
        name,
        new Editor(byId(`flow-editor-${name}`), {
          label,
          placeholder,
          highlight: highlightWorkflow,
          complete: (text, offset) =>
            name === "workflow" ? completionsAt(text, offset, on.getCompletionData()) : null,
          textEdited: onEdit,
          apply: on.apply,
        }),
      ];
    });
    this.#editors = Object.fromEntries(made) as { [name in TextName]: Editor };
    const list = editorNames.map((name) => byId(`flow-text-${name}`));
    this.#chooseTab = wireTabs(list, (name) => {
      this.#shown = name as TextName;
      for (const one of editorNames) byId(`flow-editor-${one}`).hidden = one !== name;
      this.#showProblems();
    });
    this.#chooseTab("workflow");
  }

  get text(): string {
    return this.#editors.workflow.text;
  }

  get all(): { [name in TextName]: string } {
    const { workflow, registry, inputs } = this.#editors;
    return { workflow: workflow.text, registry: registry.text, inputs: inputs.text };
  }

  /** Number of errors in all three texts. */
  get errorCount(): number {
    return Object.values(this.#problems)
      .flat()
      .flatMap(({ problems }) => problems)
      .filter(({ diagnostic }) => diagnostic.severity === "error").length;
  }

  setText(name: TextName, text: string): void {
    if (name === "workflow") this.#importProblems = [];
    this.#editors[name].show(text, false);
  }

  /** Replaces the workflow by an imported one, which can be undone. */
  import(text: string, diagnostics: readonly Diagnostic[]): void {
    this.#editors.workflow.replace(0, this.text.length, text);
    // Locations refer to the text before the import.
    this.#importProblems = diagnostics.map((diagnostic) => ({
      diagnostic,
      range: null,
      fixes: [],
    }));
  }

  open(name: TextName): void {
    this.#chooseTab(name);
  }

  /** Makes the editors writable; called when the core has loaded. */
  unlock(): void {
    for (const name of editorNames) this.#editors[name].unlock();
  }

  /** Parses the registry or the inputs; returns null if the text is not an object. */
  read(name: "registry" | "inputs"): Row | null {
    const { text } = this.#editors[name];
    this.#checkedTexts[name] = text;
    let value: Json = null;
    try {
      value = JSON.parse(text.trim() === "" ? "{}" : text) as Json;
    } catch {
      this.#problems[name] = [{ problems: syntaxErrors(text).map((one) => toProblem(one, text)) }];
      return null;
    }
    const fine = isRecord(value);
    const message = `expected an object in the ${name}`;
    const diagnostic: Diagnostic = { code: "JSON", severity: "error", message };
    this.#problems[name] = fine ? [] : [{ problems: [{ diagnostic, range: null, fixes: [] }] }];
    return fine ? (value as Row) : null;
  }

  /** Shows the diagnostics of compiling and of the run. Those of inputs go to the inputs editor. */
  showDiagnostics(
    text: string,
    compiling: readonly Diagnostic[],
    running: readonly Diagnostic[],
  ): void {
    this.#checkedTexts.workflow = text;
    const inputs = this.#checkedTexts.inputs;
    const ofInputs = running.filter(({ location }) => {
      return location?.kind === "pointer" && location.pointer.startsWith("/inputs/");
    });
    const others = running.filter((one) => !ofInputs.includes(one));
    // Collisions are shown in the diagram and need no fix.
    const shown = compiling.filter(({ code }) => code !== "FLOW020");
    this.#problems.workflow = [
      { problems: shown.map((one) => toProblem(one, text)) },
      { title: "From the import", problems: this.#importProblems },
      { title: "In the run", problems: others.map((one) => toProblem(one, text)) },
    ];
    if (ofInputs.length > 0 || this.#problems.inputs.some(({ title }) => title === "In the run")) {
      const problems = ofInputs.map((one) => toProblem(one, inputs, "/inputs"));
      this.#problems.inputs = [{ title: "In the run", problems }];
    }
    this.#showProblems();
    if (others.length > 0) this.#editors.workflow.scrollToFirstMark();
  }

  /** Marks the running nodes. */
  markRunning(pointers: readonly string[], scrollIntoView: boolean): void {
    const { text } = this.#editors.workflow;
    const now = pointers.flatMap((pointer): TextMark[] => {
      const place = locatePointer(text, pointer);
      return place ? [{ ...place, severity: "now" }] : [];
    });
    if (now.length === 0 && this.#runningMarks.length === 0) return;
    this.#runningMarks = now;
    this.#mark("workflow");
    const writing = byId("flow-editor-workflow").contains(document.activeElement);
    if (scrollIntoView && now.length > 0 && !writing) this.#editors.workflow.scrollToFirstMark();
  }

  reveal(pointer: string): void {
    const place = locatePointer(this.text, pointer);
    if (!place) return;
    this.open("workflow");
    this.#editors.workflow.mark([{ ...place, severity: "now" }, ...this.#marks("workflow")]);
    this.#editors.workflow.scrollToFirstMark();
  }

  #marks(name: TextName): TextMark[] {
    return marksOfProblems(this.#problems[name].flatMap(({ problems }) => problems));
  }

  #mark(name: TextName): void {
    const wrong = this.#editors[name].text === this.#checkedTexts[name] ? this.#marks(name) : [];
    this.#editors[name].mark([...wrong, ...(name === "workflow" ? this.#runningMarks : [])]);
  }

  #showProblems(): void {
    for (const name of editorNames) {
      this.#mark(name);
      const wrong = this.#problems[name]
        .flatMap(({ problems }) => problems)
        .some(({ diagnostic }) => diagnostic.severity === "error");
      const tab = byId(`flow-text-${name}`);
      tab.classList.toggle("wrong", wrong);
      tab.querySelector(".visually-hidden")?.remove();
      if (wrong) tab.append(span("visually-hidden", ", with errors"));
    }
    const shown = this.#shown;
    showProblems(this.#list, this.#problems[shown], {
      editor: this.#editors[shown],
      text: this.#checkedTexts[shown],
      apply: this.#apply,
      check: this.#check,
    });
  }
}

/** Returns the JSON syntax errors of a text; the workflow compiler reports them. */
function syntaxErrors(text: string): Diagnostic[] {
  const answer = compileFlow(text, {});
  return answer.diagnostics.filter(({ code }) => code.startsWith("JSON"));
}
