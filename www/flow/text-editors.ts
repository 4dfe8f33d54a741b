import { compileFlow, type Diagnostic, type Json } from "byname";
import { Editor } from "../editor/editor.js";
import type { Mark } from "../editor/pane.js";
import { marksOf, type Problems, showProblems } from "../editor/problem-list.js";
import { byId, element } from "../page/element.js";
import { tabs } from "../page/tabs.js";
import { type Known, suggest } from "./completion.js";
import { colours } from "./highlight.js";
import { placeOf } from "./json-pointer.js";
import { problem } from "./quick-fix.js";

const names = ["workflow", "registry", "inputs"] as const;
export type TextName = (typeof names)[number];

const labels: { [name in TextName]: [label: string, placeholder: string] } = {
  workflow: [
    "Workflow, in JSON",
    '{ "nodes": [{ "id": "a", "type": "text", "params": { "template": "Hello" } }] }',
  ],
  registry: ["Node types, in JSON", '{ "text": { "inputs": ["template"], "outputs": ["text"] } }'],
  inputs: ["Inputs of the run, in JSON", "{}"],
};

type Row = { [name: string]: Json };

/** The three texts that a run is made of, each with its faults at their place. */
export class Texts {
  readonly #editors: { [name in TextName]: Editor };
  readonly #list = byId("flow-diagnostics");
  readonly #choose: (name: string) => void;
  readonly #apply: () => void;
  readonly #check: () => void;
  /** What the problems were found in. */
  readonly #read: { [name in TextName]: string } = { workflow: "", registry: "", inputs: "" };
  readonly #problems: { [name in TextName]: Problems[] } = {
    workflow: [],
    registry: [],
    inputs: [],
  };
  #shown: TextName = "workflow";
  #now: Mark[] = [];

  constructor(on: {
    typed(name: TextName): void;
    apply(): void;
    check(): void;
    known(): Known;
  }) {
    this.#apply = on.apply;
    this.#check = on.check;
    const made = names.map((name): [TextName, Editor] => {
      const [label, placeholder] = labels[name];
      const typed = (): void => on.typed(name);
      return [
        name,
        new Editor(byId(`flow-editor-${name}`), {
          label,
          placeholder,
          colours,
          suggest: (text, at) => (name === "workflow" ? suggest(text, at, on.known()) : null),
          typed,
          apply: on.apply,
        }),
      ];
    });
    this.#editors = Object.fromEntries(made) as { [name in TextName]: Editor };
    const list = names.map((name) => byId(`flow-text-${name}`));
    this.#choose = tabs(list, (name) => {
      this.#shown = name as TextName;
      for (const one of names) byId(`flow-editor-${one}`).hidden = one !== name;
      this.#showProblems();
    });
    this.#choose("workflow");
  }

  get text(): string {
    return this.#editors.workflow.text;
  }

  get all(): { [name in TextName]: string } {
    const { workflow, registry, inputs } = this.#editors;
    return { workflow: workflow.text, registry: registry.text, inputs: inputs.text };
  }

  /** How much there is to mend, in all three. */
  get faults(): number {
    return Object.values(this.#problems)
      .flat()
      .flatMap(({ problems }) => problems)
      .filter(({ diagnostic }) => diagnostic.severity === "error").length;
  }

  put(name: TextName, text: string): void {
    this.#editors[name].show(text, false);
  }

  open(name: TextName): void {
    this.#choose(name);
  }

  /** The core is here. */
  unlock(): void {
    for (const name of names) this.#editors[name].unlock();
  }

  /** The registry or the inputs; nothing where the text is no object. */
  read(name: "registry" | "inputs"): Row | null {
    const { text } = this.#editors[name];
    this.#read[name] = text;
    let value: Json = null;
    try {
      value = JSON.parse(text.trim() === "" ? "{}" : text) as Json;
    } catch {
      this.#problems[name] = [{ problems: faultsOf(text).map((one) => problem(one, text)) }];
      return null;
    }
    const fine = typeof value === "object" && value !== null && !Array.isArray(value);
    const message = `the ${name} are no object`.replace("registry are", "registry is");
    const diagnostic: Diagnostic = { code: "JSON", severity: "error", message };
    this.#problems[name] = fine ? [] : [{ problems: [{ diagnostic, place: null, repairs: [] }] }];
    return fine ? (value as Row) : null;
  }

  /** What is wrong: with the workflow of a text, and with its run. Faults of inputs stand where these are. */
  told(text: string, compiling: readonly Diagnostic[], running: readonly Diagnostic[]): void {
    this.#read.workflow = text;
    const inputs = this.#read.inputs;
    const ofInputs = running.filter(({ location }) => {
      return location?.kind === "pointer" && location.pointer.startsWith("/inputs/");
    });
    const others = running.filter((one) => !ofInputs.includes(one));
    // What collides is marked in the picture, and needs nobody's help.
    const faults = compiling.filter(({ code }) => code !== "FLOW020");
    this.#problems.workflow = [
      { problems: faults.map((one) => problem(one, text)) },
      { title: "In the run", problems: others.map((one) => problem(one, text)) },
    ];
    if (ofInputs.length > 0 || this.#problems.inputs.some(({ title }) => title === "In the run")) {
      const problems = ofInputs.map((one) => problem(one, inputs, "/inputs"));
      this.#problems.inputs = [{ title: "In the run", problems }];
    }
    this.#showProblems();
    if (others.length > 0) this.#editors.workflow.follow();
  }

  /** Marks the nodes that are at work. */
  at(pointers: readonly string[], follow: boolean): void {
    const { text } = this.#editors.workflow;
    const now = pointers.flatMap((pointer): Mark[] => {
      const place = placeOf(text, pointer);
      return place ? [{ ...place, severity: "now" }] : [];
    });
    if (now.length === 0 && this.#now.length === 0) return;
    this.#now = now;
    this.#mark("workflow");
    const writing = byId("flow-editor-workflow").contains(document.activeElement);
    if (follow && now.length > 0 && !writing) this.#editors.workflow.follow();
  }

  reveal(pointer: string): void {
    const place = placeOf(this.text, pointer);
    if (!place) return;
    this.open("workflow");
    this.#editors.workflow.mark([{ ...place, severity: "now" }, ...this.#marks("workflow")]);
    this.#editors.workflow.follow();
  }

  #marks(name: TextName): Mark[] {
    return marksOf(this.#problems[name].flatMap(({ problems }) => problems));
  }

  #mark(name: TextName): void {
    const wrong = this.#editors[name].text === this.#read[name] ? this.#marks(name) : [];
    this.#editors[name].mark([...wrong, ...(name === "workflow" ? this.#now : [])]);
  }

  #showProblems(): void {
    for (const name of names) {
      this.#mark(name);
      const wrong = this.#problems[name]
        .flatMap(({ problems }) => problems)
        .some(({ diagnostic }) => diagnostic.severity === "error");
      const tab = byId(`flow-text-${name}`);
      tab.classList.toggle("wrong", wrong);
      tab.querySelector(".hidden-word")?.remove();
      if (wrong) tab.append(element("span", { class: "hidden-word" }, ", with mistakes"));
    }
    const shown = this.#shown;
    showProblems(this.#list, this.#problems[shown], {
      editor: this.#editors[shown],
      text: this.#read[shown],
      apply: this.#apply,
      check: this.#check,
    });
  }
}

/** The faults of a text that is no JSON, with their places: read as a workflow, it has the same ones. */
function faultsOf(text: string): Diagnostic[] {
  const answer = compileFlow(text, {});
  return answer.diagnostics.filter(({ code }) => code.startsWith("JSON"));
}
