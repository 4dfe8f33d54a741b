import {
  type Action,
  type Diagnostic,
  type HamNodes,
  HamStore,
  Surface,
  type SurfaceChange,
} from "byname";
import { checkMessages } from "byname/catalog";
import { basicCatalog, type MountOptions, type SurfaceLike } from "byname/dom";
import { type Component, surfaceId } from "./examples/example.js";
import { isSecretField, SecretFields } from "./secret-fields.js";

/** What one update, or one step made of many small ones, did. All of it is measured while it happens. */
export interface UpdateReport {
  title: string;
  ok: boolean;
  diagnostics: Diagnostic[];
  changes: SurfaceChange[];
  /** How often the surface called its listener. */
  calls: number;
  /** Milliseconds from the call to its return: parsing, applying and patching the document. */
  time: number;
  characters: number;
}

interface UpdateResult {
  ok: boolean;
  diagnostics: Diagnostic[];
  /** Ids of nodes, where a store answers. */
  changed?: string[];
  deleted?: string[];
}

export interface Observer {
  beforeUpdate(): void;
  showChanges(changes: readonly SurfaceChange[]): void;
  afterUpdate(report: UpdateReport): void;
  actionTriggered(action: Action): void;
}

/** Makes the surface that the messages of the examples are for. */
export const createSurfaceMessage = {
  version: "v0.9",
  createSurface: {
    surfaceId,
    catalogId: "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json",
  },
};

/** An update of the data, which came in so many steps of the store: one, or more where it was streamed. */
interface UndoEntry {
  /** What wrote it: all pieces of a stream have one. */
  source: object;
  steps: number;
}

/** A store, a surface on it, and a record of what happens to them. */
export class Session {
  readonly store: HamStore;
  readonly surface: Surface;
  /** The components as they were sent, for the inspector: bindings are not in the resolved tree. */
  readonly definitions = new Map<string, Component>();
  report: UpdateReport = emptyReport("Nothing yet");
  /** The updates of the data that may be taken back, and those that were and may be done again. */
  readonly #undoStack: UndoEntry[] = [];
  readonly #redoStack: UndoEntry[] = [];
  /** Whether somebody has typed or chosen something in the surface, or has taken an update back: no step does that. */
  changedByUser = false;
  /** What was typed where it is not shown. */
  readonly secretFields = new SecretFields();
  readonly #observer: Observer;
  #measuring = false;

  readonly options: MountOptions;

  constructor(
    observer: Observer,
    listEdits: boolean,
    components: NonNullable<MountOptions["components"]> = {},
  ) {
    this.options = { components };
    const own = Object.fromEntries(Object.keys(components).map((name) => [name, {}]));
    this.#observer = observer;
    this.store = new HamStore({ extensions: { listEdits } });
    this.surface = new Surface({
      store: this.store,
      catalog: { components: { ...basicCatalog.components, ...own } },
      onAction: (action) => observer.actionTriggered(action),
    });
    this.surface.receive(createSurfaceMessage);
  }

  /** The surface as the renderer gets it: what a user types is measured like any update. */
  get view(): SurfaceLike {
    const { surface } = this;
    return {
      tree: () => surface.tree(),
      subscribe: (listener) => surface.subscribe(listener),
      input: (key, prop, value) => {
        this.begin("Typed in the surface");
        this.changedByUser = true;
        const before = isSecretField(surface.tree(), key) ? this.store.export() : null;
        const { calls } = this.report;
        const run = (): undefined => {
          surface.input(key, prop, value);
        };
        this.#runWrite({}, 0, run, () => this.report.calls > calls);
        if (before) this.secretFields.record(value, before, this.store.export());
      },
      trigger: (key, event) => surface.trigger(key, event),
    };
  }

  /** Listens after the renderer has subscribed, so that what is told here already stands in the document. */
  observe(): () => void {
    return this.surface.subscribe((changes) => {
      if (!this.#measuring) {
        this.begin("Changed by the program");
        this.#pushUndo({});
      }
      this.report.calls += 1;
      for (const change of changes) this.report.changes.push(change);
      this.#observer.showChanges(changes);
    });
  }

  begin(title: string): void {
    this.report = emptyReport(title);
  }

  send(text: string): void {
    if (isMessage(text)) this.#receive(text);
    else this.#runWrite({}, text.length, () => this.store.apply(text));
    if (!this.report.ok) return;
    if (!text.includes('"updateComponents"')) return;
    this.#recordDefinitions(text);
    this.report.diagnostics.push(...catalogWarnings(text));
  }

  /** A surface does not answer what it has written. */
  #receive(text: string): void {
    const data = text.includes('"updateDataModel"');
    const nodes = (): string => (data ? JSON.stringify(this.store.export()) : "");
    const before = nodes();
    const run = (): UpdateResult => this.surface.receive(text);
    this.#runWrite({}, text.length, run, () => nodes() !== before);
  }

  /** Takes a text in pieces; the answer of each call says whether to go on. */
  stream(): { push(chunk: string): boolean; end(): void } {
    const stream = this.store.stream();
    return {
      push: (piece) => {
        this.#runWrite(stream, piece.length, () => stream.push(piece));
        return this.report.ok;
      },
      end: () => this.#runWrite(stream, 0, () => stream.end()),
    };
  }

  get undoable(): boolean {
    return this.#undoStack.length > 0;
  }

  get redoable(): boolean {
    return this.#redoStack.length > 0;
  }

  /** Takes the last update of the data back, and answers the ids of the nodes that differ; nothing where there is none. */
  undo(): string[] | null {
    return this.#moveHistory("Undo", this.#undoStack, this.#redoStack, () => this.store.undo());
  }

  redo(): string[] | null {
    return this.#moveHistory("Redo", this.#redoStack, this.#undoStack, () => this.store.redo());
  }

  #moveHistory(
    title: string,
    from: UndoEntry[],
    to: UndoEntry[],
    run: () => boolean,
  ): string[] | null {
    const before = this.store.export();
    const { source, steps: most } = from.pop() ?? { source: {}, steps: 0 };
    let steps = 0;
    this.changedByUser = true;
    this.begin(title);
    this.#measure(0, (): undefined => {
      while (steps < most && run()) steps += 1;
    });
    if (steps > 0) to.push({ source, steps });
    // The store has forgotten what came before.
    if (steps < most) from.length = 0;
    return steps > 0 ? changedIds(before, this.store.export()) : null;
  }

  /** Runs what may write to the data: where it does, that is a step of the store. */
  #runWrite(
    by: object,
    characters: number,
    run: () => UpdateResult | undefined,
    wrote = changedData,
  ): void {
    this.#measure(characters, run, (answer) => {
      if (wrote(answer)) this.#pushUndo(by);
    });
  }

  /** Where somebody types between two pieces of a stream, what comes after that is an update of its own. */
  #pushUndo(by: object): void {
    const last = this.#undoStack.at(-1);
    if (last?.source === by) last.steps += 1;
    else this.#undoStack.push({ source: by, steps: 1 });
    this.#redoStack.length = 0;
  }

  /** Runs something, and before others hear of it, what is not a part of the time that it takes. */
  #measure(
    characters: number,
    run: () => UpdateResult | undefined,
    then = (_: UpdateResult | undefined): void => {},
  ): void {
    this.#observer.beforeUpdate();
    this.#measuring = true;
    const start = performance.now();
    let answer: UpdateResult | undefined;
    try {
      answer = run();
    } finally {
      this.report.time += performance.now() - start;
      this.#measuring = false;
    }
    this.report.characters += characters;
    if (answer) {
      this.report.ok = answer.ok;
      this.report.diagnostics.push(...answer.diagnostics);
    }
    then(answer);
    this.#observer.afterUpdate(this.report);
  }

  #recordDefinitions(text: string): void {
    const message = JSON.parse(text) as { updateComponents?: { components?: Component[] } };
    for (const component of message.updateComponents?.components ?? [])
      this.definitions.set(component.id, component);
  }
}

function changedData(answer: UpdateResult | undefined): boolean {
  const { changed = [], deleted = [] } = answer ?? {};
  return changed.length + deleted.length > 0;
}

/** What a surface takes in silence, though its catalog knows better. What an example brings of its own has no types. */
function catalogWarnings(text: string): Diagnostic[] {
  return checkMessages(basicCatalog, text)
    .filter(({ code }) => code.startsWith("CAT"))
    .map((one) => ({ ...one, severity: "warning" }));
}

function changedIds(before: HamNodes, after: HamNodes): string[] {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...ids].filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]));
}

const messageName = /"(?:createSurface|updateComponents|updateDataModel|deleteSurface)"\s*:/;
/** How a message begins, whatever its name is. */
const messageStart = /^\s*\{\s*"(?:version"\s*:\s*"v\d|\w+"\s*:\s*\{\s*"surfaceId")/;

/** True for an envelope of the surface, also a misspelt one, false for the bare nodes that a store takes. */
export function isMessage(text: string): boolean {
  const beginning = text.slice(0, 2000);
  return messageName.test(beginning) || messageStart.test(beginning);
}

function emptyReport(title: string): UpdateReport {
  return { title, ok: true, diagnostics: [], changes: [], calls: 0, time: 0, characters: 0 };
}
