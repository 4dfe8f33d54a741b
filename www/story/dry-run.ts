import { GaslSession, type Graph, type Plan } from "byname";
import { mistakesIn } from "./plan-check.js";

/** What is wrong with a plan, found by running it on the side; nothing where it leaves rows. */
export async function tried(graph: Graph, plan: Plan): Promise<string | null> {
  const [mistake] = mistakesIn(plan as never);
  if (mistake !== undefined) return mistake;
  using session = new GaslSession({ graph });
  const { status, diagnostics } = await session.run(plan);
  if (status === "failed") return diagnostics[0]?.message ?? "it cannot run";
  const rows = session.variable("answer");
  return Array.isArray(rows) && rows.length > 0 ? null : "it finds nothing";
}
