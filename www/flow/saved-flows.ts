import type { Json } from "byname";
import { asList, asRecord } from "../page/json.js";
import { SavedList } from "../saved/saved-list.js";
import { SavedRun } from "../saved/saved-run.js";
import { maxRuns, SavedRuns } from "../saved/saved-runs.js";
import type { Call, Continuation, Run } from "./run.js";
import { withoutSecrets } from "./secret-inputs.js";
import { type FlowResult, traceName } from "./types.js";

/** Texts of a saved run, without the values of secret inputs. */
export interface FlowTexts {
  example: string;
  title: string;
  workflow: string;
  registry: string;
  inputs: string;
}

/** Saved run that was opened again. */
export interface OpenedFlow {
  texts: FlowTexts;
  calls: Call[];
  result: FlowResult;
  saved: SavedRun;
}

const runs = new SavedRuns("byname-playground-flow");

/** Runs of workflows in the storage of the browser. */
export class SavedFlows {
  readonly list: SavedList;
  #current: { saved: SavedRun; run: Run; texts: FlowTexts } | null = null;

  constructor(button: HTMLButtonElement, show: (opened: OpenedFlow) => void) {
    this.list = new SavedList(button, {
      noun: "run",
      explanation: `Your runs are saved in this browser: workflow, inputs and trace, without keys and secret inputs. The last ${maxRuns} are kept.`,
      list: () => runs.list(),
      open: async (id) => show(await this.#open(id)),
      delete: ({ id }) => {
        if (this.#current?.saved.id === id) this.#current = null;
        return runs.delete(id);
      },
      currentId: () => this.#current?.saved.id,
    });
  }

  /**
   * Returns the storage of a run, which is that of the run it continues. A run that continues from an
   * earlier call has none.
   */
  forRun(continuation: Continuation | null): SavedRun | undefined {
    if (!continuation) return this.#create();
    return continuation.checkpoint ? undefined : continuation.previous.setup.saved;
  }

  #create(id?: string): SavedRun {
    const saved: SavedRun = new SavedRun(
      runs,
      {
        saved: () => void this.list.update(),
        failed: (error) => this.list.report(saved.id, error),
      },
      id,
    );
    return saved;
  }

  /** Saves a run from now on. */
  track(saved: SavedRun, run: Run, texts: FlowTexts): void {
    this.#current = { saved, run, texts };
    this.save();
    runs.prune().catch(() => {
      // Saving the run reports the error.
    });
  }

  /** Saves the current run; called at each of its events. */
  save(): void {
    const { saved, run, texts } = this.#current ?? {};
    if (!saved || !run || !texts) return;
    saved.save(async () => {
      const ended = [...run.calls.values()].filter(({ state }) => state !== "running").length;
      const status = run.result?.status;
      const detail = `${ended} ${ended === 1 ? "call" : "calls"}${status ? `, ${status}` : ""}`;
      const isDone = status === "completed";
      const page = { version: 1, texts, calls: [...run.calls.values()].map(callState) };
      const entry = { name: texts.title, detail, isDone, files: "" };
      return { entry, page: page as unknown as Json, otherSize: 0 };
    });
  }

  async #open(id: string): Promise<OpenedFlow> {
    const page = await runs.part(id, "page").load();
    if (!page) throw new Error("The run is no longer stored: run the workflow again.");
    const { version, texts, calls } = asRecord(page.state);
    if (version !== 1) throw new Error("The saved run has an unknown format: delete it.");
    const [trace, finished] = [
      await runs.part(id, traceName).load(),
      await runs.part(id, `${traceName}/result`).load(),
    ];
    this.#current = null;
    return {
      texts: texts as unknown as FlowTexts,
      calls: asList(calls).map((call) => ({ ...emptyCall, ...(call as unknown as Call) })),
      result: finished
        ? { ...(finished.state as unknown as FlowResult), trace: trace?.state ?? null }
        : { ...interrupted, trace: trace?.state ?? null },
      saved: this.#create(id),
    };
  }
}

/** Result of a run that was interrupted. */
const interrupted: FlowResult = {
  status: "cancelled",
  outputs: {},
  store: {},
  waiting: [],
  trace: null,
  diagnostics: [],
};

/** Returns the texts of a run as they are saved. */
export function flowTexts(
  { id, title }: { id: string; title: string },
  texts: { workflow: string; registry: string; inputs: string },
  isOwn: boolean,
): FlowTexts {
  const { registry } = texts;
  const name = isOwn ? "Your workflow" : title;
  return { example: id, title: name, registry, ...withoutSecrets(texts) };
}

/** Returns the parts of a call that contain no value, because a value can be secret. */
function callState({ key, node, type, iteration, item, state }: Call): Partial<Call> {
  // A call that ran when the page was closed is made again.
  const saved = ["running", "waiting"].includes(state) ? "stopped" : state;
  return { key, node, type, iteration, item, state: saved };
}

const emptyCall = { excerpt: null, attempts: [], outputs: null, action: null, payload: null };
