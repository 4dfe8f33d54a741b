import { type Diagnostic, GaslSession } from "byname";
import type { Problem } from "../editor/problem.js";
import type { Entry, Written } from "./plan.js";
import { repairsOf } from "./quick-fix.js";
import type { Frame } from "./run.js";

/** What is wrong with each command by itself, each fault at its place. */
export function checked({ entries }: Written): Problem[] {
  return entries.flatMap((entry) =>
    GaslSession.check(entry.command).diagnostics.map((one) => problem(one, entry)),
  );
}

/** What a step has wrong, or the end of a run its whole plan. */
export function ofFrame({ kind, entry, diagnostics }: Frame, plan: Written): Problem[] {
  return kind === "end" && !entry
    ? united(checked(plan), ofPlan(diagnostics, plan))
    : diagnostics.map((one) => problem(one, entry));
}

/** What a whole plan has wrong: what points into its list, and what only the whole shows. */
function ofPlan(diagnostics: readonly Diagnostic[], { entries }: Written): Problem[] {
  return diagnostics.map((one) => {
    const pointer = one.location?.kind === "pointer" ? one.location.pointer : "";
    const entry = entries[Number(/^\/commands\/(\d+)/.exec(pointer)?.[1] ?? Number.NaN)];
    return problem(one, entry ?? null);
  });
}

function problem(diagnostic: Diagnostic, entry: Entry | null): Problem {
  if (!entry) return { diagnostic, place: null, repairs: [] };
  const { location } = diagnostic;
  const place =
    location?.kind === "text"
      ? { start: entry.at(location.start), end: entry.at(location.end) }
      : { start: entry.start, end: entry.end };
  return { diagnostic, place, repairs: repairsOf(diagnostic, entry) };
}

/** The same fault is told once: where it is known most exactly. */
function united(exact: readonly Problem[], others: readonly Problem[]): Problem[] {
  const known = new Set(exact.map(({ diagnostic: { code, message } }) => code + message));
  const more = others.filter(({ diagnostic: { code, message } }) => !known.has(code + message));
  return [...exact, ...more].sort((a, b) => (a.place?.start ?? -1) - (b.place?.start ?? -1));
}
