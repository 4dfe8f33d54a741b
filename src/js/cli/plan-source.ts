import { asList, isJsonObject } from "../json-value.js";
import type { Diagnostic, ExecutionRecord, Json, Plan } from "../types.js";
import { positionOf } from "./check/json-position.js";
import { textLocation } from "./check/places.js";

/** Plan with the text that contains its commands. */
export interface PlanSource {
  name: string;
  text: string;
  plan: Plan | string;
  commands: readonly CommandPlace[];
}

/** Command with its offset in the text. */
interface CommandPlace {
  command: string;
  offset: number;
  /** Whether offsets in the command are offsets in the text, which has no escapes. */
  isVerbatim: boolean;
}

/** Returns the plan of a file: JSON, or a text with one command per line. */
export function planSource(name: string, text: string): PlanSource {
  if (/^\s*\{/.test(text)) return { name, text, plan: text, commands: commandsOfJson(text) };
  const commands: CommandPlace[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    const command = line.trim();
    const offset = start + line.length - line.trimStart().length;
    if (command !== "") commands.push({ command, offset, isVerbatim: true });
    start += line.length + 1;
  }
  const texts = commands.map(({ command }) => command);
  return { name, text, plan: { plan_id: "plan", why: "command line", commands: texts }, commands };
}

/** Returns the diagnostics of a plan and of its steps, located in the text of the plan. */
export function locatedProblems(
  { commands }: PlanSource,
  diagnostics: readonly Diagnostic[],
  records: readonly ExecutionRecord[],
): Diagnostic[] {
  const ofPlan = diagnostics.map((one) => {
    const pointer = one.location?.kind === "pointer" ? one.location.pointer : "";
    const [, index] = /^\/commands\/(\d+)/.exec(pointer) ?? [];
    const place = index === undefined ? undefined : commands[Number(index)];
    return place === undefined ? one : { ...one, location: textLocation(place.offset) };
  });
  let next = 0;
  const ofSteps = records.flatMap(({ command, errors = [] }) => {
    // A command of a block can run again.
    const isSame = (one: CommandPlace): boolean => one.command === command;
    const later = commands.findIndex((one, at) => at >= next && isSame(one));
    const index = later < 0 ? commands.findIndex(isSame) : later;
    if (index >= 0) next = index + 1;
    return errors.map((one) => inCommand(one, commands[index]));
  });
  return [...ofPlan, ...ofSteps];
}

/** Returns a diagnostic with its offset in the text; without one if the command is unknown. */
function inCommand(one: Diagnostic, place: CommandPlace | undefined): Diagnostic {
  const { location, ...rest } = one;
  if (location?.kind === "pointer") return one;
  if (place === undefined) return rest;
  const inner = place.isVerbatim ? (location?.start ?? 0) : 0;
  return { ...rest, location: textLocation(place.offset + inner) };
}

function commandsOfJson(text: string): CommandPlace[] {
  let plan: Json;
  try {
    plan = JSON.parse(text) as Json;
  } catch {
    return [];
  }
  const commands = isJsonObject(plan) ? asList(plan["commands"]) : [];
  return commands.map((command, at) => ({
    command: String(command),
    offset: positionOf(text, `/commands/${at}`) ?? 0,
    isVerbatim: false,
  }));
}
