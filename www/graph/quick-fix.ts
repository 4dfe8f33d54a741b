import { type Diagnostic, GaslSession } from "byname";
import type { Repair } from "../editor/problem.js";
import type { Entry } from "./plan.js";

/** The edits that mend a fault of a command: what the help spells out, as far as it then checks. */
export function repairsOf({ help, message, location }: Diagnostic, entry: Entry): Repair[] {
  if (!help) return [];
  const { command } = entry;
  const place = location?.kind === "text" ? location : undefined;
  const whole = /^write `(.+)` before it$/.exec(help)?.[1];
  if (whole !== undefined && good(whole)) return [above(entry, whole)];
  const found: string[] = [];
  const line = /^write `(.+)`$/.exec(help)?.[1];
  if (line?.includes(" ")) found.push(line);
  const near = /^did you mean `([^`]+)`/.exec(help)?.[1];
  if (near !== undefined) {
    const [, name] = /`([^`]+)`/.exec(message) ?? [];
    const standing = place ? command.slice(place.start, place.end) : "";
    const start = name === undefined ? -1 : command.indexOf(name, place?.start ?? 0);
    if (place && standing !== name && standing.startsWith("${")) {
      found.push(change(command, place.start + 2, place.end - 1, near));
    } else if (name !== undefined) {
      const from = start < 0 ? command.indexOf(name) : start;
      if (from >= 0) found.push(change(command, from, from + name.length, near));
    }
  }
  const words = /^write (?:one of )?(.+) here$/.exec(help)?.[1];
  if (words !== undefined && place) {
    const standing = command.slice(place.start, place.end).toUpperCase();
    const options = [...words.matchAll(/`(\w+)`/g)].map(([, word = ""]) => word);
    options.sort((a, b) => distance(a, standing) - distance(b, standing));
    for (const word of options) {
      // A word that is merely allowed there is a guess; one that was nearly written is a repair.
      const near = distance(word, standing) <= Math.max(1, Math.floor(word.length / 2));
      if (near || options.length === 1) found.push(change(command, place.start, place.end, word));
      const blank = /\w$/.test(command.slice(0, place.start)) ? " " : "";
      found.push(change(command, place.start, place.start, `${blank}${word} `));
    }
  }
  const mended = found.filter(
    (one) => one !== command && !one.includes("…") && better(one, command),
  );
  return [...new Set(mended)].slice(0, 1).map((one) => instead(entry, one));
}

function instead(entry: Entry, command: string): Repair {
  return {
    start: entry.start,
    end: entry.end,
    words: entry.write(command),
    label: `Write ${shown(command, entry.command)}`,
  };
}

function above(entry: Entry, command: string): Repair {
  const json = entry.write('"') !== '"';
  const words = json ? `${entry.write(command)}", "` : `${command}\n`;
  return { start: entry.start, end: entry.start, words, label: `Put ${command} before it` };
}

/** The part of the new command that differs, with a word on either side. */
function shown(command: string, old: string): string {
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

function change(text: string, start: number, end: number, words: string): string {
  return text.slice(0, start) + words + text.slice(end);
}

function faults(command: string): number {
  return GaslSession.check(command).diagnostics.filter(({ severity }) => severity === "error")
    .length;
}

function good(command: string): boolean {
  return faults(command) === 0;
}

/** What a command has wrong at run time checks well before and after. */
function better(command: string, old: string): boolean {
  const before = faults(old);
  const after = faults(command);
  return after === 0 || after < before;
}

/** Edits between two words. */
function distance(a: string, b: string): number {
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
