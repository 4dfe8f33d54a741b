import type { GraphOptions, Json } from "byname";
import { asRecord } from "../page/json.js";
import {
  type RunRevisions,
  type RunSnapshot,
  SavedRun,
  type SavedRunListener,
} from "../saved/saved-run.js";
import { newRunId, type SavedRunInfo, SavedRuns } from "../saved/saved-runs.js";
import type { DatabaseAddress } from "./database-address.js";
import { FileStore } from "./file-store.js";
import type { GraphModel } from "./graph-model.js";
import type { Frame, Run } from "./run.js";
import { decodeFrames, encodeFrames, missedFrames, type SavedFrames } from "./saved-frames.js";

/** Graph of a saved session. */
export type SavedGraph =
  | { kind: "example"; example: string }
  | { kind: "files"; files: string; name: string; format: string; options: GraphOptions }
  | { kind: "database"; address: DatabaseAddress };

/** Run that is saved, with what belongs to it. */
export interface SavedContext {
  graph: GraphModel;
  /** Example whose graph it is; null for a graph of the user. */
  example: string | null;
  question: string;
}

/** Saved session as it is opened again. */
export interface StoredSession extends SavedFrames {
  graph: SavedGraph;
  question: string;
  isInterrupted: boolean;
  revisions: RunRevisions;
}

const runs = new SavedRuns("byname-playground-graph");
const fileStore = new FileStore("byname-playground-files");
/** Ids of the stored files of graphs. */
const fileIds = new WeakMap<GraphModel, Promise<string>>();

/** Creates a run that is saved. */
export function createSavedRun(
  listener: SavedRunListener,
  id?: string,
  revisions?: RunRevisions,
): SavedRun {
  return new SavedRun(runs, listener, id, revisions);
}

export async function listSessions(): Promise<SavedRunInfo[]> {
  return runs.list();
}

/** Saves the frames of a run; `isStopped` if it was ended by the user. */
export function saveRun(saved: SavedRun, run: Run, context: SavedContext, isStopped = false): void {
  if (run.frames.length > 0) saved.save(() => snapshotOf(run, context, isStopped));
}

async function snapshotOf(
  run: Run,
  context: SavedContext,
  isStopped: boolean,
): Promise<RunSnapshot> {
  const { graph, question } = context;
  const spec = await savedGraph(context);
  const { frames, exchanges } = run;
  const steps = frames.filter(({ kind }) => kind === "step").length;
  const last = frames.at(-1);
  const isDone = isStopped || (run.done && last?.title !== "Interrupted");
  const name = question === "" ? firstLine(frames[0]) : question;
  const detail = `${graph.name}, ${steps} ${steps === 1 ? "step" : "steps"}`;
  const files = spec.kind === "files" ? spec.files : "";
  const page = { graph: spec, question, run: encodeFrames(frames, exchanges) } as unknown as Json;
  const otherSize = graph.origin?.files.reduce((sum, { size }) => sum + size, 0) ?? 0;
  return { entry: { name, detail, isDone, files }, page, otherSize };
}

/** Returns the first line of a plan without its comment mark. */
function firstLine(frame: Frame | undefined): string {
  return (frame?.text.trim().split("\n", 1)[0] ?? "").replace(/^(?:#|--)\s*/, "").slice(0, 120);
}

/** Returns how a graph is opened again; the files of a graph are stored first. */
async function savedGraph({ graph, example }: SavedContext): Promise<SavedGraph> {
  if (graph.address) return { kind: "database", address: graph.address };
  if (example !== null) return { kind: "example", example };
  const { name, format, origin, text } = graph;
  const json = new File([text ?? ""], name, { type: "application/json" });
  const { files, options } = origin ?? { files: [json], options: { format: "node-link" as const } };
  let id = fileIds.get(graph);
  if (!id) {
    const made = newRunId();
    id = fileStore.save(made, files).then(() => made);
    fileIds.set(graph, id);
  }
  return { kind: "files", files: await id, name, format, options };
}

/** Loads a session. Throws a `StorageError`, or an error if it was deleted or is not readable. */
export async function loadSession(id: string): Promise<StoredSession> {
  const page = await runs.part(id, "page").load();
  if (!page) throw new Error("The session is no longer stored: run the plan again.");
  const { graph, question, run } = asRecord(page.state);
  const { frames, exchanges } = decodeFrames(run ?? null);
  const state = (await runs.part(id, "state").load())?.state ?? null;
  return {
    graph: graph as unknown as SavedGraph,
    question: typeof question === "string" ? question : "",
    frames: [...frames, ...missedFrames(frames, state)],
    exchanges,
    isInterrupted: asRecord(state)["running"] !== undefined,
    revisions: { page: page.rev, entry: (await runs.entry(id).load())?.rev ?? null },
  };
}

/** Returns the files of a saved graph. Throws if they are no longer stored. */
export async function loadGraphFiles(id: string): Promise<File[]> {
  const files = await fileStore.load(id);
  if (files.length === 0)
    throw new Error(
      "The files of the graph are no longer stored: open them again, and run the plan.",
    );
  return files;
}

/** Marks the stored files of a graph, so that they are not stored again. */
export function setFilesId(graph: GraphModel, id: string): void {
  fileIds.set(graph, Promise.resolve(id));
}

/** Deletes a session, and the files that no other session uses. */
export async function deleteSession({ id, files }: SavedRunInfo): Promise<void> {
  await runs.delete(id);
  await deleteFiles(files);
}

/** Deletes the oldest sessions above the maximum number. */
export async function pruneSessions(): Promise<void> {
  for (const { files } of await runs.prune()) await deleteFiles(files);
}

async function deleteFiles(files: string): Promise<void> {
  if (files === "" || (await runs.list()).some((one) => one.files === files)) return;
  await fileStore.delete(files);
}
