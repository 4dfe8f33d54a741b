import { SavedList } from "../saved/saved-list.js";
import type { RunRevisions, SavedRun } from "../saved/saved-run.js";
import { maxRuns } from "../saved/saved-runs.js";
import type { DatabaseAddress } from "./database-address.js";
import { exampleGraph, findExample } from "./example-graph.js";
import { exampleModel } from "./example-model.js";
import { examples } from "./examples.js";
import { GraphModel } from "./graph-model.js";
import { showLoading } from "./loading-bar.js";
import { openFiles } from "./open-files.js";
import { newSession, Run, type RunListener } from "./run.js";
import {
  createSavedRun,
  deleteSession,
  listSessions,
  loadGraphFiles,
  loadSession,
  pruneSessions,
  type SavedContext,
  type SavedGraph,
  saveRun,
  setFilesId,
} from "./session-saving.js";

/** Session that was opened again. */
export interface OpenedSession extends SavedContext {
  run: Run;
}

/** Parts of the workbench that saved sessions need. */
export interface SessionHost {
  readonly listener: RunListener;
  /** Connects to a database; rejects if the user cancels. */
  connect(address: DatabaseAddress): Promise<GraphModel>;
  show(opened: OpenedSession): void;
}

/** Sessions of the workbench in the storage of the browser. */
export class SavedSessions {
  readonly #host: SessionHost;
  readonly #report: HTMLElement;
  readonly list: SavedList;
  #current: { saved: SavedRun; run: Run; context: SavedContext } | null = null;

  /** The button opens the list, and `report` shows the progress of loading files. */
  constructor(button: HTMLButtonElement, report: HTMLElement, host: SessionHost) {
    this.#host = host;
    this.#report = report;
    this.list = new SavedList(button, {
      noun: "session",
      explanation: `Your runs are saved in this browser: graph, plan, state and history, without keys and passwords. The last ${maxRuns} are kept.`,
      list: listSessions,
      open: (id) => this.#open(id),
      delete: async (run) => {
        if (this.#current?.saved.id === run.id) this.#current = null;
        await deleteSession(run);
      },
      currentId: () => this.#current?.saved.id,
    });
  }

  /** Creates the storage of a new run. */
  create(id?: string, revisions?: RunRevisions): SavedRun {
    const saved = createSavedRun(
      {
        saved: () => void this.list.update(),
        failed: (error) => this.list.report(saved.id, error),
      },
      id,
      revisions,
    );
    return saved;
  }

  /** Saves a run from now on. */
  track(saved: SavedRun, run: Run, context: SavedContext): void {
    this.#current = { saved, run, context };
    this.save();
    pruneSessions().catch(() => {
      // Saving the run reports the error.
    });
  }

  /** Saves the current run; called when it has new frames. */
  save(): void {
    if (this.#current) saveRun(this.#current.saved, this.#current.run, this.#current.context);
  }

  /** Called when another run starts. */
  leave(): void {
    const { saved, run, context } = this.#current ?? {};
    this.#current = null;
    if (saved && run && context && !run.done) saveRun(saved, run, context, true);
  }

  /** Opens a session again. */
  async #open(id: string): Promise<void> {
    const { graph: spec, question, revisions, ...parts } = await loadSession(id);
    const graph = await this.#openGraph(spec);
    const example = spec.kind === "example" ? spec.example : null;
    const saved = this.create(id, revisions);
    const base = newSession(graph.source, question, saved.backend);
    const model = exampleModel((example === null ? null : findExample(example)) ?? null);
    const run = new Run(base, model, this.#host.listener);
    run.restore(parts);
    if (question !== "") run.question = question;
    const context = { graph, example, question };
    // The workbench leaves the earlier run first.
    this.#host.show({ ...context, run });
    this.#current = { saved, run, context };
  }

  async #openGraph(spec: SavedGraph): Promise<GraphModel> {
    if (spec.kind === "example") return exampleGraph(findExample(spec.example) ?? examples[0]);
    if (spec.kind === "database") return this.#host.connect(spec.address);
    const files = await loadGraphFiles(spec.files);
    const opened = await openFiles(files, spec.options, () => showLoading(this.#report, files));
    if (!opened.model)
      throw new Error(opened.diagnostics[0]?.message ?? "The graph is not readable.");
    const { source, origin } = opened.model;
    const graph = new GraphModel(source, spec.name, spec.format, origin);
    setFilesId(graph, spec.files);
    return graph;
  }
}
