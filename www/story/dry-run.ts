import { GaslSession, type Graph, type Plan } from "byname";
import { planErrors } from "./plan-check.js";

/** Runs a plan in a separate session; returns its error, or null if it returns rows. */
export async function dryRunError(graph: Graph, plan: Plan): Promise<string | null> {
  const [mistake] = planErrors(plan as never);
  if (mistake !== undefined) return mistake;
  using session = new GaslSession({ graph });
  const { status, diagnostics } = await session.run(plan);
  if (status === "failed") return diagnostics[0]?.message ?? "it cannot run";
  const rows = session.variable("answer");
  return Array.isArray(rows) && rows.length > 0 ? null : "it returns no rows";
}
