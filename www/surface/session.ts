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
import { Hidden, hides } from "./hidden.js";

/** What one update, or one step made of many small ones, did. All of it is measured while it happens. */
export interface Report {
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

interface Answer {
  ok: boolean;
  diagnostics: Diagnostic[];
}

export interface Observer {
  before(): void;
  changed(changes: readonly SurfaceChange[]): void;
  after(report: Report): void;
  action(action: Action): void;
}

/** Makes the surface that the messages of the examples are for. */
export const firstMessage = {
  version: "v0.9",
  createSurface: {
    surfaceId,
    catalogId: "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json",
  },
};

/** A store, a surface on it, and a record of what happens to them. */
export class Session {
  readonly store: HamStore;
  readonly surface: Surface;
  /** The components as they were sent, for the inspector: bindings are not in the resolved tree. */
  readonly definitions = new Map<string, Component>();
  report: Report = blank("Nothing yet");
  /** Whether there may be an update of the data to take back: that there is none is known once it was tried. */
  undoable = false;
  /** How many updates that were taken back may be done again: as with Undo, none is known once it was tried. */
  redoable = 0;
  /** Whether somebody has typed or chosen something in the surface, or has taken an update back: no step does that. */
  changed = false;
  /** What was typed where it is not shown. */
  readonly hidden = new Hidden();
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
      onAction: (action) => observer.action(action),
    });
    this.surface.receive(firstMessage);
  }

  /** The surface as the renderer gets it: what a user types is measured like any update. */
  get view(): SurfaceLike {
    const { surface } = this;
    return {
      tree: () => surface.tree(),
      subscribe: (listener) => surface.subscribe(listener),
      input: (key, prop, value) => {
        this.begin("Typed in the surface");
        this.changed = true;
        const before = hides(surface.tree(), key) ? this.store.export() : null;
        const { calls } = this.report;
        this.#measure(() => {
          surface.input(key, prop, value);
          return undefined;
        }, 0);
        this.#written(calls);
        if (before) this.hidden.note(value, before, this.store.export());
      },
      trigger: (key, event) => surface.trigger(key, event),
    };
  }

  /** Listens after the renderer has subscribed, so that what is told here already stands in the document. */
  watch(): () => void {
    return this.surface.subscribe((changes) => {
      if (!this.#measuring) {
        this.begin("Changed by the program");
        this.undoable = true;
        this.redoable = 0;
      }
      this.report.calls += 1;
      for (const change of changes) this.report.changes.push(change);
      this.#observer.changed(changes);
    });
  }

  begin(title: string): void {
    this.report = blank(title);
  }

  send(text: string): void {
    const { calls } = this.report;
    this.#measure(
      () => (isMessage(text) ? this.surface.receive(text) : this.store.apply(text)),
      text.length,
    );
    if (!this.report.ok) return;
    if (!isMessage(text) || text.includes('"updateDataModel"')) this.#written(calls);
    if (!text.includes('"updateComponents"')) return;
    this.#learn(text);
    this.report.diagnostics.push(...doubts(text));
  }

  /** Takes a text in pieces; the answer of each call says whether to go on. */
  stream(): { push(piece: string): boolean; end(): void } {
    const stream = this.store.stream();
    return {
      push: (piece) => {
        const { calls } = this.report;
        this.#measure(() => stream.push(piece), piece.length);
        this.#written(calls);
        return this.report.ok;
      },
      end: () => this.#measure(() => stream.end(), 0),
    };
  }

  /**
   * What was written may be taken back. Where it changed the surface, nothing stands before it to be done again; what
   * changed nothing leaves that as it was.
   */
  #written(calls: number): void {
    this.undoable = true;
    if (this.report.calls > calls) this.redoable = 0;
  }

  /** Takes the last update of the data back, and answers the ids of the nodes that differ; nothing where there is none. */
  undo(): string[] | null {
    const ids = this.#back("Undo", () => this.store.undo());
    this.undoable = ids !== null;
    if (ids) this.redoable += 1;
    return ids;
  }

  redo(): string[] | null {
    const ids = this.#back("Redo", () => this.store.redo());
    this.redoable = ids ? this.redoable - 1 : 0;
    if (ids) this.undoable = true;
    return ids;
  }

  #back(title: string, run: () => boolean): string[] | null {
    const before = this.store.export();
    let done = false;
    this.changed = true;
    this.begin(title);
    this.#measure(() => {
      done = run();
      return undefined;
    }, 0);
    return done ? differing(before, this.store.export()) : null;
  }

  #measure(run: () => Answer | undefined, characters: number): void {
    this.#observer.before();
    this.#measuring = true;
    const start = performance.now();
    let answer: Answer | undefined;
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
    this.#observer.after(this.report);
  }

  #learn(text: string): void {
    const message = JSON.parse(text) as { updateComponents?: { components?: Component[] } };
    for (const component of message.updateComponents?.components ?? [])
      this.definitions.set(component.id, component);
  }
}

/** What a surface takes in silence, though its catalog knows better. What an example brings of its own has no types. */
function doubts(text: string): Diagnostic[] {
  return checkMessages(basicCatalog, text)
    .filter(({ code }) => code.startsWith("CAT"))
    .map((one) => ({ ...one, severity: "warning" }));
}

function differing(before: HamNodes, after: HamNodes): string[] {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...ids].filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]));
}

const named = /"(?:createSurface|updateComponents|updateDataModel|deleteSurface)"\s*:/;
/** How a message begins, whatever its name is. */
const begun = /^\s*\{\s*"(?:version"\s*:\s*"v\d|\w+"\s*:\s*\{\s*"surfaceId")/;

/** True for an envelope of the surface, also a misspelt one, false for the bare nodes that a store takes. */
export function isMessage(text: string): boolean {
  const beginning = text.slice(0, 2000);
  return named.test(beginning) || begun.test(beginning);
}

function blank(title: string): Report {
  return { title, ok: true, diagnostics: [], changes: [], calls: 0, time: 0, characters: 0 };
}
