// One run of the workflow, whose trace is stored after each step: another process continues it.
import { createFlow, createNodes } from "./workflow.mjs";

/**
 * Creates a runner with the trace in a storage. `onEvent` gets each event of a call, `onEnd` the result of a run that
 * completed, failed, was stopped, or waits for an answer.
 */
export async function createRunner({ storage, workMs, onEvent, onEnd }) {
  const flow = await createFlow();
  const nodes = createNodes(workMs);
  let stored = await storage.load();
  let controller;
  let running;

  // One after the other: a run that is stopped does not wait for its last checkpoint.
  let saving = Promise.resolve();
  const onCheckpoint = (trace) => {
    saving = saving.then(async () => {
      const { rev } = await storage.save(trace, { expectedRev: stored?.rev ?? null });
      stored = { state: trace, rev };
    });
    return saving;
  };
  const runOnce = async (answers) => {
    controller = new AbortController();
    const result = await flow.run({
      nodes,
      concurrency: 2,
      signal: controller.signal,
      onEvent,
      onCheckpoint,
      ...(stored && { resume: stored.state }),
      ...(stored && answers && { answers }),
    });
    // The trace of a run that was stopped contains steps that no checkpoint has.
    await onCheckpoint(result.trace);
    onEnd(result);
  };

  return {
    /** Returns the trace of the last checkpoint, or undefined. */
    trace: () => stored?.state,
    /** Starts a run, or continues the stored one; does nothing while one runs. */
    run(answers) {
      running ??= runOnce(answers).finally(() => {
        running = undefined;
      });
      return running;
    },
    /** Stops the run. Its finished steps remain stored. */
    async stop() {
      controller?.abort();
      // The caller of `run` handles its errors.
      await running?.catch(() => {});
    },
    /** Stops the run and deletes its trace. */
    async reset() {
      await this.stop();
      if (stored) await storage.delete();
      stored = null;
    },
  };
}
