import type { Plan } from "byname";

/** Command of a plan with its range in the text. */
export interface PlanEntry {
  command: string;
  why?: string;
  start: number;
  end: number;
  /** Maps an offset in the command to an offset in the text. */
  textOffset: (offset: number) => number;
  /** Encodes a command for this position: as it is, or JSON-escaped. */
  encode: (command: string) => string;
}

export interface ParsedPlan {
  /** Plan to run: an object, or the text if it is JSON. */
  plan: Plan | string;
  entries: PlanEntry[];
  json: boolean;
}

/** Parses a text: a JSON plan, or one command per line. */
export function parsePlan(text: string): ParsedPlan {
  if (!/^\s*(?:\{|\[|```)/.test(text)) return parseLines(text);
  return { plan: bareList(text) ?? text, entries: jsonEntries(text), json: true };
}

/** Wraps a bare JSON list of commands in a plan. */
function bareList(text: string): Plan | undefined {
  try {
    const commands = JSON.parse(text) as unknown;
    if (!Array.isArray(commands)) return undefined;
    return { plan_id: "written-here", why: "Written by hand.", commands: commands as string[] };
  } catch {
    return undefined;
  }
}

/**
 * Parses one command per line. A comment directly above a command is its reason, the first one the
 * plan's.
 */
function parseLines(text: string): ParsedPlan {
  const entries: PlanEntry[] = [];
  let planWhy: string | undefined;
  let why: string | undefined;
  let from = 0;
  for (const line of text.split("\n")) {
    const start = from + (line.length - line.trimStart().length);
    const command = line.trim();
    const comment = /^(?:--|#)\s*(.*)$/.exec(command)?.[1];
    if (comment !== undefined) {
      if (planWhy === undefined && entries.length === 0) planWhy = comment;
      else why = comment;
    } else if (command === "") {
      why = undefined;
    } else {
      const end = start + command.length;
      entries.push({
        command,
        ...(why === undefined ? {} : { why }),
        start,
        end,
        textOffset: (offset) => Math.min(start + offset, end),
        encode: (words) => words,
      });
      why = undefined;
    }
    from += line.length + 1;
  }
  const plan: Plan = {
    plan_id: "written-here",
    why: planWhy ?? "Written by hand.",
    commands: entries.map(({ command, why: reason }) =>
      reason === undefined ? command : { command, why: reason },
    ),
  };
  return { plan, entries, json: false };
}

/** Formats a plan as lines for the editor. */
export function formatPlan(plan: { why?: unknown; commands?: unknown }): string {
  const commands = Array.isArray(plan.commands) ? (plan.commands as unknown[]) : [];
  const lines = commands.flatMap((one) => {
    if (typeof one === "string") return [oneLine(one)];
    const { command, why } = (one ?? {}) as { command?: unknown; why?: unknown };
    const reason = typeof why === "string" && why !== "" ? [`-- ${oneLine(why)}`] : [];
    return [...reason, oneLine(String(command ?? ""))];
  });
  const why = typeof plan.why === "string" && plan.why !== "" ? [`# ${oneLine(plan.why)}`] : [];
  return [...why, ...lines].join("\n");
}

function oneLine(text: string): string {
  // Line breaks separate commands in a block; elsewhere they are white space.
  return /^\s*TRY\b/i.test(text) ? text.trim() : text.replace(/\s*\n\s*/g, " ").trim();
}

/** Returns the commands of a JSON plan, also of an incomplete one. */
function jsonEntries(text: string): PlanEntry[] {
  const list = /"commands"\s*:\s*\[/.exec(text);
  const begin = list ? list.index + list[0].length : text.indexOf("[") + 1;
  const entries: PlanEntry[] = [];
  let depth = 0;
  const token = /"(?:[^"\\\n]|\\.)*"|[{}[\]]/g;
  token.lastIndex = begin;
  let key: string | null = null;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [found] = match;
    if (found === "{" || found === "[") depth += 1;
    else if (found === "}" || found === "]") {
      if (depth === 0) break;
      depth -= 1;
    } else if (/^\s*:/.test(text.slice(token.lastIndex)) && depth > 0) {
      key = found;
      continue;
    } else if (depth === 0 || (depth === 1 && key === '"command"')) {
      const entry = jsonEntry(found, match.index);
      if (entry) entries.push(entry);
    }
    key = null;
  }
  return entries;
}

function jsonEntry(raw: string, from: number): PlanEntry | null {
  let command: string;
  try {
    command = JSON.parse(raw) as string;
  } catch {
    return null;
  }
  // Text offset of each character of the command; an escape is several characters of the text.
  const offsets: number[] = [];
  for (const part of raw.slice(1, -1).matchAll(/\\u[0-9a-fA-F]{4}|\\.|[\s\S]/g)) {
    offsets.push(from + 1 + part.index);
    if (part[0].length === 2 && !part[0].startsWith("\\")) offsets.push(from + 2 + part.index);
  }
  const end = from + raw.length - 1;
  return {
    command,
    start: from + 1,
    end,
    textOffset: (offset) => offsets[offset] ?? end,
    encode: (words) => JSON.stringify(words).slice(1, -1),
  };
}
