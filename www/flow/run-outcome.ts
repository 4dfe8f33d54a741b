import { formatCount, formatValue } from "../page/format.js";
import { type Run, reusedStates } from "./run.js";
import type { FlowResult } from "./types.js";

/** Returns the title and the note for the end of a run. */
export function runOutcome(run: Run, result: FlowResult): [title: string, note: string] {
  const { status, outputs, waiting, diagnostics } = result;
  const finished = [...run.calls.values()].filter(({ state }) => reusedStates.has(state)).length;
  const done = `${formatCount(finished, "call")} finished.`;
  switch (status) {
    case "completed": {
      const [first] = Object.entries(outputs);
      const note = first ? `\`${first[0]}\`: ${formatValue(first[1], 160)}` : "All nodes have run.";
      return ["Completed", note];
    }
    case "paused": {
      const ids = waiting.map(({ node }) => `\`${node}\``).join(", ");
      const verb = waiting.length === 1 ? "needs an answer" : "need answers";
      return ["Paused", `${ids} ${verb}. Answer below the diagram to continue.`];
    }
    case "cancelled":
      return ["Cancelled", `${done} Resume continues from there.`];
    case "failed": {
      const error = diagnostics.find(({ severity }) => severity === "error");
      return ["Failed", `${error?.message ?? "Failed"}. ${done} Resume retries from there.`];
    }
  }
}
