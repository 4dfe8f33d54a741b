import type { SolveOptions } from "../gasl/types.js";
import { HOLD, type Hold } from "../hold.js";
import type { Diagnostic, ExecutionRecord, Json, Plan } from "../types.js";
import { overrideMethod } from "./override.js";
import type { Recorder } from "./recorder.js";
import type { ObservedSession } from "./types.js";

/** Maximum number of rows of a step in the log. */
const MAX_ROWS = 20;

/** Name that a command assigns its result to. */
const RESULT_NAME = /\bAS\s+([A-Za-z_]\w*)\s*$/i;

/** Records the runs of a session: plans, steps with their rows, and results. */
export function observeSession(
  recorder: Recorder,
  source: string,
  session: ObservedSession,
): () => void {
  const { log, gate } = recorder;
  let isAttached = true;

  const addStep = (run: number, record: ExecutionRecord): void => {
    const rows = rowsOf(session, record);
    log.add(source, { kind: "step", run, record, ...rows });
  };

  /** Runs a task, after the pause if the page is paused. */
  const runTask = async <T>(
    title: string,
    signal: AbortSignal | undefined,
    task: (run: number) => Promise<T>,
    outcome: (result: T) => { status: string; diagnostics: Diagnostic[] },
  ): Promise<T> => {
    await gate.waitForTurn(title, signal).catch(() => {
      // The session reports an aborted signal itself.
    });
    const run = log.newRun();
    recorder.addLater(() => log.add(source, { kind: "begin", run, title }));
    try {
      const result = await task(run);
      recorder.addLater(() => log.add(source, { kind: "end", run, ...outcome(result) }));
      return result;
    } catch (error) {
      const diagnostics = failureOf(error);
      recorder.addLater(() => log.add(source, { kind: "end", run, status: "failed", diagnostics }));
      throw error;
    }
  };

  /** Returns options whose listeners also record, and that let the steps of a paused page wait. */
  const listening = <O extends SolveOptions>(options: O, run: number, plans = false): O => {
    let position = "first step";
    const hold: Hold = async (what, signal) => {
      const title = what === "ask" ? "request to the model" : position;
      // The session reports an aborted signal itself.
      if (isAttached) await gate.waitForTurn(title, signal).catch(() => {});
    };
    return {
      ...options,
      [HOLD]: hold,
      onStep: (record: ExecutionRecord) => {
        position = `after step ${record.step}`;
        recorder.addLater(() => addStep(run, record));
        return options.onStep?.(record);
      },
      ...(plans && {
        onPlan: (plan: Plan) => {
          position = "first step of the plan";
          recorder.addLater(() => log.add(source, { kind: "plan", run, plan }));
          return options.onPlan?.(plan);
        },
      }),
    };
  };

  const ends = [
    overrideMethod(
      session,
      "execute",
      (execute) => (command, options) =>
        runTask(
          String(command),
          options?.signal,
          async (run) => {
            const record = await execute(command, options);
            recorder.addLater(() => addStep(run, record));
            return record;
          },
          ({ status, errors = [] }) => ({ status, diagnostics: errors }),
        ),
    ),
    overrideMethod(
      session,
      "run",
      (runPlan) =>
        (plan, options = {}) =>
          runTask(
            titleOfPlan(plan),
            options.signal,
            (run) => {
              const parsed = planOf(plan);
              if (parsed)
                recorder.addLater(() => log.add(source, { kind: "plan", run, plan: parsed }));
              return runPlan(plan, listening(options, run));
            },
            (result) => result,
          ),
    ),
    overrideMethod(
      session,
      "resume",
      (resume) =>
        (options = {}) =>
          runTask(
            "resume",
            options.signal,
            (run) => resume(listening(options, run)),
            (result) => result ?? { status: "nothing to resume", diagnostics: [] },
          ),
    ),
    overrideMethod(
      session,
      "solve",
      (solve) =>
        (query, options = {}) =>
          runTask(
            String(query),
            options.signal,
            (run) => solve(query, listening(options, run, true)),
            (result) => result,
          ),
    ),
  ];
  return () => {
    isAttached = false;
    for (const end of ends) end();
  };
}

/** Returns the rows that a step has assigned to a name. */
function rowsOf(
  session: ObservedSession,
  { command, metrics }: ExecutionRecord,
): { rows?: Json[]; rowCount?: number } {
  const [, name] = RESULT_NAME.exec(command) ?? [];
  if (name === undefined) return {};
  const { count } = metrics;
  try {
    const value = session.variable(name, { limit: MAX_ROWS });
    if (Array.isArray(value))
      return { rows: value, rowCount: typeof count === "number" ? count : value.length };
    return value === undefined ? {} : { rows: [value], rowCount: 1 };
  } catch {
    // The session may be disposed, or the rows may be in a database.
    return {};
  }
}

function planOf(plan: Plan | string): Plan | undefined {
  if (typeof plan !== "string") return plan;
  try {
    return JSON.parse(plan) as Plan;
  } catch {
    return undefined;
  }
}

function titleOfPlan(plan: Plan | string): string {
  const { plan_id: id } = planOf(plan) ?? {};
  return typeof id === "string" ? id : "plan";
}

/** Returns the diagnostics of an error, or one without a code that has its message. */
export function failureOf(error: unknown): Diagnostic[] {
  const { diagnostics, message } = (error ?? {}) as {
    diagnostics?: Diagnostic[];
    message?: string;
  };
  if (Array.isArray(diagnostics) && diagnostics.length > 0) return diagnostics;
  return [{ code: "", severity: "error", message: String(message ?? error) }];
}
