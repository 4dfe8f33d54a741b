/** Returns the plan of a reply, or null; only for display. */
export function findPlan(
  reply: string,
): { why?: unknown; commands?: unknown; rationale?: string } | null {
  const from = reply.search(/[{[]/);
  const to = Math.max(reply.lastIndexOf("}"), reply.lastIndexOf("]"));
  if (/^\s*COMPLETE\s*:/i.test(reply) || from < 0 || to < from) return null;
  type ReplyJson = {
    commands?: unknown;
    plan?: unknown;
    next_actions?: { plan?: unknown; confidence?: number; rationale?: string }[];
  };
  let parsed: ReplyJson | unknown[];
  try {
    parsed = JSON.parse(reply.slice(from, to + 1)) as ReplyJson | unknown[];
  } catch {
    return null;
  }
  if (Array.isArray(parsed)) return { commands: parsed };
  const actions = Array.isArray(parsed.next_actions) ? parsed.next_actions : [];
  const [best] = actions
    .filter(({ plan }) => plan !== undefined)
    .sort((a, b) => (b.confidence ?? 0) - (a.confidence ?? 0));
  const plan = best?.plan ?? parsed.plan ?? parsed;
  const rationale = best?.rationale === undefined ? {} : { rationale: best.rationale };
  if (Array.isArray(plan)) return { commands: plan, ...rationale };
  if (typeof plan !== "object" || plan === null || !("commands" in plan)) return null;
  return { ...plan, ...rationale };
}
