import { type Diagnostic, GaslSession } from "byname";
import type { QuickFix } from "../editor/problem.js";
import type { PlanEntry } from "./plan.js";

/** Returns the fix that the help describes, if it reduces the errors of the command. */
export function quickFixes({ help, message, location }: Diagnostic, entry: PlanEntry): QuickFix[] {
  if (!help) return [];
  const { command } = entry;
  const place = location?.kind === "text" ? location : undefined;
  const insertedCommand = /^write `(.+)` before it$/.exec(help)?.[1];
  if (insertedCommand !== undefined && isValid(insertedCommand))
    return [insertBefore(entry, insertedCommand)];
  const candidates: string[] = [];
  const line = /^write `(.+)`$/.exec(help)?.[1];
  if (line?.includes(" ")) candidates.push(line);
  const near = /^did you mean `([^`]+)`/.exec(help)?.[1];
  if (near !== undefined) {
    const [, name] = /`([^`]+)`/.exec(message) ?? [];
    const existing = place ? command.slice(place.start, place.end) : "";
    const start = name === undefined ? -1 : command.indexOf(name, place?.start ?? 0);
    if (place && existing !== name && existing.startsWith("${")) {
      candidates.push(spliceText(command, place.start + 2, place.end - 1, near));
    } else if (name !== undefined) {
      const from = start < 0 ? command.indexOf(name) : start;
      if (from >= 0) candidates.push(spliceText(command, from, from + name.length, near));
    }
  }
  const words = /^write (?:one of )?(.+) here$/.exec(help)?.[1];
  if (words !== undefined && place) {
    const existing = command.slice(place.start, place.end).toUpperCase();
    const options = [...words.matchAll(/`(\w+)`/g)].map(([, word = ""]) => word);
    options.sort((a, b) => editDistance(a, existing) - editDistance(b, existing));
    for (const word of options) {
      // A merely allowed keyword would be a guess; a typo of it is fixed.
      const near = editDistance(word, existing) <= Math.max(1, Math.floor(word.length / 2));
      if (near || options.length === 1)
        candidates.push(spliceText(command, place.start, place.end, word));
      const blank = /\w$/.test(command.slice(0, place.start)) ? " " : "";
      candidates.push(spliceText(command, place.start, place.start, `${blank}${word} `));
    }
  }
  const improved = candidates.filter(
    (one) => one !== command && !one.includes("…") && hasFewerErrors(one, command),
  );
  return [...new Set(improved)].slice(0, 1).map((one) => replaceCommand(entry, one));
}

function replaceCommand(entry: PlanEntry, command: string): QuickFix {
  return {
    start: entry.start,
    end: entry.end,
    text: entry.encode(command),
    label: `Write ${diffExcerpt(command, entry.command)}`,
  };
}

function insertBefore(entry: PlanEntry, command: string): QuickFix {
  const json = entry.encode('"') !== '"';
  const text = json ? `${entry.encode(command)}", "` : `${command}\n`;
  return { start: entry.start, end: entry.start, text, label: `Put ${command} before it` };
}

/** Returns the changed part of a command, with a word on each side. */
function diffExcerpt(command: string, old: string): string {
  if (command.length <= 44) return command;
  let from = 0;
  while (from < command.length && command[from] === old[from]) from += 1;
  let tail = 0;
  while (tail < command.length - from && command.at(-1 - tail) === old.at(-1 - tail)) tail += 1;
  const start = command.lastIndexOf(" ", Math.max(0, command.lastIndexOf(" ", from - 1) - 1)) + 1;
  const next = command.indexOf(" ", command.length - tail + 1);
  const end = Math.min(next < 0 ? command.length : next, start + 48);
  return `${start > 0 ? "… " : ""}${command.slice(start, end)}${end < command.length ? " …" : ""}`;
}

function spliceText(text: string, start: number, end: number, words: string): string {
  return text.slice(0, start) + words + text.slice(end);
}

function errorCount(command: string): number {
  return GaslSession.check(command).diagnostics.filter(({ severity }) => severity === "error")
    .length;
}

function isValid(command: string): boolean {
  return errorCount(command) === 0;
}

/** A run-time error has no check errors before or after. */
function hasFewerErrors(command: string, old: string): boolean {
  const before = errorCount(old);
  const after = errorCount(command);
  return after === 0 || after < before;
}

/** Returns the Levenshtein distance of two words. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
