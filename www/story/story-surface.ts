import { type Action, type ApplyResult, type HamNodes, HamStore, Surface } from "byname";
import { basicCatalog } from "byname/dom";
import { wait } from "../page/motion.js";
import { type Showable, Stage } from "../surface/surface-view.js";
import { bar } from "./bar-component.js";
import { components } from "./components.js";
import type { Clock } from "./pace-clock.js";

/** A piece of a streamed update stays the last one so long, in milliseconds; all of them take about so long. */
const tick = 30;
const longest = 2200;

/** What an update did, measured while it was done. */
export interface Update {
  text: string;
  bytes: number;
  /** The document after it, and its bytes. */
  document: HamNodes;
  whole: number;
  /** Milliseconds in the store, the surface and the page; without the waiting between pieces. */
  time: number;
  /** How many changes the surface told, in how many calls. */
  changes: number;
  calls: number;
  /** Node ids. */
  changed: string[];
  deleted: string[];
}

/** The surface that answers come to, and the store below it. */
export class Live implements Showable {
  readonly store = new HamStore();
  readonly options = { components: { Bar: bar } };
  readonly view: Surface;
  readonly #stage: Stage;
  #told = { changes: 0, calls: 0 };

  constructor(host: HTMLElement, action: (action: Action) => void) {
    this.#stage = new Stage(host, () => {});
    this.view = new Surface({
      store: this.store,
      catalog: { components: { ...basicCatalog.components, Bar: {} } },
      onAction: action,
    });
    const surfaceId = "main";
    this.view.receive({ createSurface: { surfaceId, components: [...components] } });
    this.#stage.show(this, "answer");
  }

  watch(): () => void {
    return this.view.subscribe((changes) => {
      this.#told = { changes: this.#told.changes + changes.length, calls: this.#told.calls + 1 };
      this.#stage.changed(changes);
    });
  }

  /** Applies an update at once. */
  apply(nodes: HamNodes): Update {
    const text = JSON.stringify(nodes);
    const update = this.#blank(text);
    this.#measure(update, () => this.store.apply(text));
    return this.#whole(update);
  }

  /**
   * Applies an update as it would come from a model: in pieces, each node as soon as it is complete. Where the
   * clock is held, or the signal aborts, what is left comes at once, so that no update is ever half.
   */
  async pour(
    nodes: HamNodes,
    clock: Clock,
    signal: AbortSignal,
    grown: (text: string) => void,
  ): Promise<Update> {
    const text = JSON.stringify(nodes);
    const update = this.#blank(text);
    const piece = Math.max(6, Math.ceil(text.length / (longest / tick)));
    const stream = this.store.stream();
    let at = 0;
    const push = (end: number): void => {
      const part = text.slice(at, end);
      at = end;
      this.#measure(update, () => stream.push(part));
      if (at >= text.length) this.#measure(update, () => stream.end());
      if (at >= text.length) this.#whole(update);
      grown(text.slice(0, at));
    };
    const rest = (): void => {
      if (at < text.length) push(text.length);
    };
    const stop = clock.onHold(rest);
    signal.addEventListener("abort", rest);
    try {
      if (clock.still || signal.aborted) rest();
      while (at < text.length) {
        push(Math.min(text.length, at + piece));
        await wait(tick);
      }
    } finally {
      stop();
      signal.removeEventListener("abort", rest);
    }
    return update;
  }

  /** Brings the document to what it was at another time, as one edit of what differs. */
  goTo(nodes: HamNodes): void {
    const then = new HamStore();
    then.apply(nodes);
    const edit = this.store.diff(then);
    then[Symbol.dispose]();
    if (Object.keys(edit).length > 0) this.apply(edit);
  }

  /** The row of a node comes into sight. */
  reveal(node: string): void {
    this.#stage.surface
      .querySelector(`[data-key$="${CSS.escape(`row:${node}`)}"]`)
      ?.scrollIntoView({ block: "nearest" });
  }

  #blank(text: string): Update {
    const none = { document: {}, whole: 0, time: 0, changes: 0, calls: 0 };
    return { text, bytes: bytesOf(text), ...none, changed: [], deleted: [] };
  }

  #measure(update: Update, run: () => ApplyResult): void {
    this.#stage.before();
    this.#told = { changes: 0, calls: 0 };
    const start = performance.now();
    const result = run();
    update.time += performance.now() - start;
    update.changes += this.#told.changes;
    update.calls += this.#told.calls;
    this.#stage.after();
    if (!result.ok) {
      const [fault] = result.diagnostics;
      throw new Error(`the update was refused: ${fault?.message ?? "it has a fault"}`);
    }
    update.changed.push(...result.changed);
    update.deleted.push(...result.deleted);
  }

  #whole(update: Update): Update {
    update.document = this.store.export();
    update.whole = bytesOf(JSON.stringify(update.document));
    return update;
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
