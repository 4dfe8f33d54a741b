import { type Diagnostic, type HamNodes, HamStore, Surface, type SurfaceChange } from "byname";
import { checkMessages } from "byname/catalog";
import { basicCatalog, type MountOptions, type SurfaceLike } from "byname/dom";
import type { Received } from "byname/messages";
import { type Component, type Log, surfaceId } from "./examples/example.js";
import { recogniseLog } from "./log-format.js";
import { LogReceiver } from "./log-receiver.js";
import { isSecretField, SecretFields } from "./secret-fields.js";

/** Measurements of one update, or of a step with several. */
export interface UpdateReport {
  title: string;
  ok: boolean;
  diagnostics: Diagnostic[];
  changes: SurfaceChange[];
  /** Number of listener calls. */
  calls: number;
  /** Milliseconds of the call: parsing, applying and patching the document. */
  time: number;
  characters: number;
}

interface UpdateResult {
  ok: boolean;
  diagnostics: Diagnostic[];
  /** Node ids; missing in results of a surface. */
  changed?: string[];
  deleted?: string[];
}

export interface Observer {
  beforeUpdate(): void;
  surfaceChanged(changes: readonly SurfaceChange[]): void;
  afterUpdate(report: UpdateReport): void;
  /** Called with an action, or for a log with the message to its agent. */
  actionTriggered(action: object): void;
  /** Returns the milliseconds that recording has taken, which are not those of the updates. */
  recordingTime?(): number;
}

/** Parts of an example that a session uses. */
export interface SessionOptions {
  listEdits?: boolean | undefined;
  components?: MountOptions["components"] | undefined;
  log?: Log | undefined;
  /** Steps that the visitor can play. */
  steps?: readonly { text: string }[] | undefined;
}

/** Message that creates the surface of the examples. */
export const createSurfaceMessage = {
  version: "v0.9",
  createSurface: {
    surfaceId,
    catalogId: "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json",
  },
};

/** Update of the data, and its number of store steps. */
interface UndoEntry {
  /** Source of the update; all chunks of a stream have the same. */
  source: object;
  steps: number;
}

/** Store, surface, and a report of each update. */
export class Session {
  readonly store: HamStore;
  readonly surface: Surface;
  /** Component definitions for the completion, because the resolved tree has no bindings. */
  readonly definitions = new Map<string, Component>();
  report: UpdateReport = emptyReport("No update yet");
  /** Updates of the data for undo and redo. */
  readonly #undoStack: UndoEntry[] = [];
  readonly #redoStack: UndoEntry[] = [];
  /** Whether the user has entered something or used undo. */
  changedByUser = false;
  readonly secretFields = new SecretFields();
  readonly #observer: Observer;
  readonly #log: LogReceiver | undefined;
  readonly #stepTexts: string;
  #isMeasuring = false;

  readonly options: MountOptions;

  constructor(
    observer: Observer,
    { listEdits = false, components = {}, log, steps = [] }: SessionOptions,
  ) {
    this.options = { components };
    this.#stepTexts = steps.map(({ text }) => text).join("\n");
    const own = Object.fromEntries(Object.keys(components).map((name) => [name, {}]));
    this.#observer = observer;
    this.store = new HamStore({ extensions: { listEdits } });
    this.surface = new Surface({
      store: this.store,
      // A typed catalog reports its warnings for each message of a log. Those of a single text have
      // positions in it, see `catalogWarnings`.
      catalog: log ? basicCatalog : { components: { ...basicCatalog.components, ...own } },
      onAction: (action) => observer.actionTriggered(this.#log?.toAgent(action) ?? action),
    });
    if (log)
      this.#log = new LogReceiver(this.surface, log, (one) => this.definitions.set(one.id, one));
    else this.surface.receive(createSurfaceMessage);
  }

  get isLog(): boolean {
    return this.#log !== undefined;
  }

  /**
   * Returns the diagnostics of the current state, except missing nodes of the example: a later step or
   * an action may send them.
   */
  stateDiagnostics(): Diagnostic[] {
    const mayArrive = ({ code, message }: Diagnostic): boolean => {
      const [, id] = /^`\*(.*)` points to a missing node$/s.exec(message) ?? [];
      if (code !== "HAM009" || id === undefined) return false;
      const notations = [JSON.stringify(`*${id}`), `${JSON.stringify(id)}:`];
      return notations.some((notation) => this.#stepTexts.includes(notation));
    };
    return this.#log?.diagnostics() ?? this.surface.diagnostics().filter((one) => !mayArrive(one));
  }

  /** Surface for the renderer; user input is measured like any update. */
  get view(): SurfaceLike {
    const { surface } = this;
    return {
      tree: () => surface.tree(),
      subscribe: (listener) => surface.subscribe(listener),
      input: (key, prop, value) => {
        this.begin("Surface input");
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

  /** Subscribes after the renderer, so that the document is already patched. */
  observe(): () => void {
    return this.surface.subscribe((changes) => {
      if (!this.#isMeasuring) {
        this.begin("Program update");
        this.#pushUndo({});
      }
      this.report.calls += 1;
      for (const change of changes) this.report.changes.push(change);
      this.#observer.surfaceChanged(changes);
    });
  }

  begin(title: string): void {
    this.report = emptyReport(title);
  }

  send(text: string): void {
    if (this.#log && (isMessage(text) || recogniseLog(text))) {
      const stream = this.#streamLog(this.#log);
      stream.push(text);
      stream.end();
      return;
    }
    if (isMessage(text)) this.#receiveMessage(text);
    else this.applyNodes(text);
    if (!this.report.ok) return;
    if (!text.includes('"updateComponents"')) return;
    this.#recordDefinitions(text);
    this.report.diagnostics.push(...catalogWarnings(text));
  }

  /** Applies an update without an envelope. */
  applyNodes(text: string): void {
    this.#runWrite({}, text.length, () => this.store.apply(text));
  }

  /** Receives a message. Its result does not say whether data changed, so exports are compared. */
  #receiveMessage(text: string): void {
    const hasData = text.includes('"updateDataModel"');
    const nodes = (): string => (hasData ? JSON.stringify(this.store.export()) : "");
    const before = nodes();
    const run = (): UpdateResult => this.surface.receive(text);
    this.#runWrite({}, text.length, run, () => nodes() !== before);
  }

  /** Streams a text; `push` returns whether to continue. */
  stream(): { push(chunk: string): boolean; end(): void } {
    if (this.#log) return this.#streamLog(this.#log);
    const stream = this.store.stream();
    return {
      push: (piece) => {
        this.#runWrite(stream, piece.length, () => stream.push(piece));
        return this.report.ok;
      },
      end: () => this.#runWrite(stream, 0, () => stream.end()),
    };
  }

  /** Streams a log. It continues after an error, and is not undone. */
  #streamLog(log: LogReceiver): { push(chunk: string): boolean; end(): void } {
    const stream = log.open();
    let text = "";
    const add = (characters: number, run: () => Received): void => {
      const { ok } = this.report;
      this.#measureUpdate(characters, () => {
        const { diagnostics } = run();
        return { ok: ok && diagnostics.every(({ severity }) => severity !== "error"), diagnostics };
      });
    };
    return {
      push: (chunk) => {
        text += chunk;
        add(chunk.length, () => stream.push(chunk));
        return true;
      },
      end: () => {
        add(0, () => stream.end());
        this.report.diagnostics = withPositions(this.report.diagnostics, text);
      },
    };
  }

  get canUndo(): boolean {
    return this.#undoStack.length > 0;
  }

  get canRedo(): boolean {
    return this.#redoStack.length > 0;
  }

  /**
   * Undoes the last update of the data; returns the ids of changed nodes, or null if there is none.
   */
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
    this.#measureUpdate(0, (): undefined => {
      while (steps < most && run()) steps += 1;
    });
    if (steps > 0) to.push({ source, steps });
    // The store has dropped the earlier history.
    if (steps < most) from.length = 0;
    return steps > 0 ? changedIds(before, this.store.export()) : null;
  }

  /** Runs an update; if it changes data, it becomes an undo step. */
  #runWrite(
    source: object,
    characters: number,
    run: () => UpdateResult | undefined,
    changesData = hasChangedData,
  ): void {
    this.#measureUpdate(characters, run, (result) => {
      if (changesData(result)) this.#pushUndo(source);
    });
  }

  /** User input between two chunks splits a stream into separate undo steps. */
  #pushUndo(source: object): void {
    const last = this.#undoStack.at(-1);
    if (last?.source === source) last.steps += 1;
    else this.#undoStack.push({ source, steps: 1 });
    this.#redoStack.length = 0;
  }

  /** Measures `run`; `then` runs before the observer is notified and is not measured. */
  #measureUpdate(
    characters: number,
    run: () => UpdateResult | undefined,
    then = (_: UpdateResult | undefined): void => {},
  ): void {
    this.#observer.beforeUpdate();
    this.#isMeasuring = true;
    const recording = (): number => this.#observer.recordingTime?.() ?? 0;
    const start = performance.now() - recording();
    let result: UpdateResult | undefined;
    try {
      result = run();
    } finally {
      this.report.time += performance.now() - recording() - start;
      this.#isMeasuring = false;
    }
    this.report.characters += characters;
    if (result) {
      this.report.ok = result.ok;
      this.report.diagnostics.push(...result.diagnostics);
    }
    then(result);
    this.#observer.afterUpdate(this.report);
  }

  #recordDefinitions(text: string): void {
    const message = JSON.parse(text) as { updateComponents?: { components?: Component[] } };
    for (const component of message.updateComponents?.components ?? [])
      this.definitions.set(component.id, component);
  }
}

function hasChangedData(result: UpdateResult | undefined): boolean {
  const { changed = [], deleted = [] } = result ?? {};
  return changed.length + deleted.length > 0;
}

/**
 * Returns catalog errors that a surface ignores, as warnings. Custom components are not checked.
 */
function catalogWarnings(text: string): Diagnostic[] {
  return checkMessages(basicCatalog, text)
    .filter(({ code }) => code.startsWith("CAT"))
    .map((one) => ({ ...one, severity: "warning" }));
}

/**
 * Returns diagnostics with their positions in a text of messages. Those of messages in frames of a
 * transport keep their pointers.
 */
function withPositions(diagnostics: Diagnostic[], text: string): Diagnostic[] {
  if (!diagnostics.some(({ location }) => location?.kind === "pointer")) return diagnostics;
  const checked = checkMessages(basicCatalog, text);
  const places = new Map(checked.map(({ code, message, location }) => [code + message, location]));
  return diagnostics.map((one) => {
    const place = places.get(one.code + one.message);
    return one.location?.kind === "pointer" && place?.kind === "text"
      ? { ...one, location: place }
      : one;
  });
}

function changedIds(before: HamNodes, after: HamNodes): string[] {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...ids].filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]));
}

const messageName = /"(?:createSurface|updateComponents|updateDataModel|deleteSurface)"\s*:/;
/** Start of a message with any name. */
const messageStart = /^\s*\{\s*"(?:version"\s*:\s*"v\d|\w+"\s*:\s*\{\s*"surfaceId")/;

/** Returns whether a text is a message, also one with a misspelled name, and not bare nodes. */
export function isMessage(text: string): boolean {
  const beginning = text.slice(0, 2000);
  return messageName.test(beginning) || messageStart.test(beginning);
}

function emptyReport(title: string): UpdateReport {
  return { title, ok: true, diagnostics: [], changes: [], calls: 0, time: 0, characters: 0 };
}
