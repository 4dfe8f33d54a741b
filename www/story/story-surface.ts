import { type Action, type ApplyResult, type HamNodes, HamStore, Surface } from "byname";
import { wait } from "../page/motion.js";
import { SurfaceView, type ViewableSurface } from "../surface/surface-view.js";
import { barComponent } from "./bar-component.js";
import { components } from "./components.js";
import type { PaceClock } from "./pace-clock.js";

/** Milliseconds between two chunks of a streamed update, and of the complete stream. */
const chunkDelay = 30;
const maxStreamTime = 2200;

/** Update with its measurements. */
export interface SurfaceUpdate {
  text: string;
  bytes: number;
  /** Document after the update, and its size. */
  document: HamNodes;
  totalBytes: number;
  /** Milliseconds in the store, the surface and the page, without waits between chunks. */
  time: number;
  /** Number of changes reported by the surface, and of listener calls. */
  changes: number;
  calls: number;
  /** Node ids. */
  changed: string[];
  deleted: string[];
}

/** Surface of the answers, and its store. */
export class StorySurface implements ViewableSurface {
  readonly store = new HamStore();
  readonly options = { components: { Bar: barComponent } };
  readonly view: Surface;
  readonly #stage: SurfaceView;
  #notified = { changes: 0, calls: 0 };

  constructor(host: HTMLElement, action: (action: Action) => void) {
    this.#stage = new SurfaceView(host, () => {});
    // The components are fixed, so the first page does not load a catalog with its checks.
    this.view = new Surface({ store: this.store, onAction: action });
    const surfaceId = "main";
    this.view.receive({ createSurface: { surfaceId, components: [...components] } });
    this.#stage.show(this, "answer");
  }

  observe(): () => void {
    return this.view.subscribe((changes) => {
      this.#notified = {
        changes: this.#notified.changes + changes.length,
        calls: this.#notified.calls + 1,
      };
      this.#stage.animateChanges(changes);
    });
  }

  apply(nodes: HamNodes): SurfaceUpdate {
    const text = JSON.stringify(nodes);
    const update = this.#newUpdate(text);
    this.#measureUpdate(update, () => this.store.apply(text));
    return this.#completeUpdate(update);
  }

  /**
   * Streams an update in chunks, as a model would; each node is applied when it is complete. If the
   * clock pauses or the signal aborts, the rest is applied at once, so that no update is partial.
   */
  async streamUpdate(
    nodes: HamNodes,
    clock: PaceClock,
    signal: AbortSignal,
    onText: (text: string) => void,
  ): Promise<SurfaceUpdate> {
    const text = JSON.stringify(nodes);
    const update = this.#newUpdate(text);
    const chunkLength = Math.max(6, Math.ceil(text.length / (maxStreamTime / chunkDelay)));
    const stream = this.store.stream();
    let at = 0;
    const push = (end: number): void => {
      const part = text.slice(at, end);
      at = end;
      this.#measureUpdate(update, () => stream.push(part));
      if (at >= text.length) this.#measureUpdate(update, () => stream.end());
      if (at >= text.length) this.#completeUpdate(update);
      onText(text.slice(0, at));
    };
    const rest = (): void => {
      if (at < text.length) push(text.length);
    };
    const stop = clock.onPause(rest);
    signal.addEventListener("abort", rest);
    try {
      if (clock.skipsWaits || signal.aborted) rest();
      while (at < text.length) {
        push(Math.min(text.length, at + chunkLength));
        await wait(chunkDelay);
      }
    } finally {
      stop();
      signal.removeEventListener("abort", rest);
    }
    return update;
  }

  /** Restores an earlier document as one edit. */
  goTo(nodes: HamNodes): void {
    const then = new HamStore();
    then.apply(nodes);
    const edit = this.store.diff(then);
    then[Symbol.dispose]();
    if (Object.keys(edit).length > 0) this.apply(edit);
  }

  /** Scrolls the row of a node into view. */
  revealRow(node: string): void {
    this.#stage.surface
      .querySelector(`[data-key$="${CSS.escape(`row:${node}`)}"]`)
      ?.scrollIntoView({ block: "nearest" });
  }

  #newUpdate(text: string): SurfaceUpdate {
    const none = { document: {}, totalBytes: 0, time: 0, changes: 0, calls: 0 };
    return { text, bytes: bytesOf(text), ...none, changed: [], deleted: [] };
  }

  #measureUpdate(update: SurfaceUpdate, run: () => ApplyResult): void {
    this.#stage.beforeUpdate();
    this.#notified = { changes: 0, calls: 0 };
    const start = performance.now();
    const result = run();
    update.time += performance.now() - start;
    update.changes += this.#notified.changes;
    update.calls += this.#notified.calls;
    this.#stage.afterUpdate();
    if (!result.ok) {
      const [diagnostic] = result.diagnostics;
      throw new Error(`the update was rejected: ${diagnostic?.message ?? "it is invalid"}`);
    }
    update.changed.push(...result.changed);
    update.deleted.push(...result.deleted);
  }

  #completeUpdate(update: SurfaceUpdate): SurfaceUpdate {
    update.document = this.store.export();
    update.totalBytes = bytesOf(JSON.stringify(update.document));
    return update;
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
