import { type Diagnostic, GaslSession } from "byname";
import type { Problem } from "../editor/problem.js";
import type { ParsedPlan, PlanEntry } from "./plan.js";
import { quickFixes } from "./quick-fix.js";
import type { Frame } from "./run.js";

/** Checks each command by itself. */
export function checkCommands({ entries }: ParsedPlan): Problem[] {
  return entries.flatMap((entry) =>
    GaslSession.check(entry.command).diagnostics.map((one) => toProblem(one, entry)),
  );
}

/** Returns the problems of a step, or of the complete plan at the end of a run. */
export function frameProblems({ kind, entry, diagnostics }: Frame, plan: ParsedPlan): Problem[] {
  return kind === "end" && !entry
    ? mergeProblems(checkCommands(plan), planProblems(diagnostics, plan))
    : diagnostics.map((one) => toProblem(one, entry));
}

/** Returns the problems of a complete plan, located by their pointers. */
function planProblems(diagnostics: readonly Diagnostic[], { entries }: ParsedPlan): Problem[] {
  return diagnostics.map((one) => {
    const pointer = one.location?.kind === "pointer" ? one.location.pointer : "";
    const entry = entries[Number(/^\/commands\/(\d+)/.exec(pointer)?.[1] ?? Number.NaN)];
    return toProblem(one, entry ?? null);
  });
}

function toProblem(diagnostic: Diagnostic, entry: PlanEntry | null): Problem {
  if (!entry) return { diagnostic, range: null, fixes: [] };
  const { location } = diagnostic;
  const range =
    location?.kind === "text"
      ? { start: entry.textOffset(location.start), end: entry.textOffset(location.end) }
      : { start: entry.start, end: entry.end };
  return { diagnostic, range, fixes: quickFixes(diagnostic, entry) };
}

/** Merges the lists; a duplicate keeps its most exact location. */
function mergeProblems(exact: readonly Problem[], others: readonly Problem[]): Problem[] {
  const known = new Set(exact.map(({ diagnostic: { code, message } }) => code + message));
  const more = others.filter(({ diagnostic: { code, message } }) => !known.has(code + message));
  return [...exact, ...more].sort((a, b) => (a.range?.start ?? -1) - (b.range?.start ?? -1));
}
