import { asText } from "../json-value.js";
import type { Json } from "../types.js";
import { cachedFormats } from "./format-cache.js";

/**
 * Time of a value, in milliseconds. An instant counts from 1970 in UTC. A wall-clock time has no
 * zone; it counts as if it were in UTC.
 */
export interface Time {
  readonly kind: "instant" | "wall";
  readonly at: number;
}

/** ISO 8601 date with an optional time (group 3) and zone (group 4). */
export const ISO_DATE =
  /^(\d{4}-\d\d)(-\d\d)?(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) *(Z|[+-]\d\d:?\d\d)?)?$/i;
const ZONE_SUFFIX = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)(?: \(.*\))?$/i;

/** Date of numbers whose order of day and month differs between countries. */
const AMBIGUOUS_DATE = /^\s*\d{1,2}([/.-])\d{1,2}\1\d{2,4}\b/;

/** Returns whether a value is a date, a time or both that is read in the same way everywhere. */
export function isClearTime(value: Json): boolean {
  return parseTime(value) !== undefined && !AMBIGUOUS_DATE.test(asText(value));
}

/** Parses a date, a time or both. Returns undefined for an invalid or impossible one. */
export function parseTime(value: Json): Time | undefined {
  if (typeof value === "number") return timeOf("instant", value);
  const text = asText(value).trim();
  // A time alone gets a day, which is not displayed.
  const full = /^\d\d:\d\d/.test(text) ? `2000-01-01T${text}` : text;
  const match = ISO_DATE.exec(full);
  if (match === null) {
    // Other forms that engines parse.
    const hasZone = ZONE_SUFFIX.test(text);
    return timeOf(hasZone ? "instant" : "wall", Date.parse(hasZone ? text : `${text} UTC`));
  }
  const [, month, day = "-01", time = "00:00", zone] = match;
  const date = `${month}${day}`;
  // Engines accept February 30.
  if (!new Date(Date.parse(date) || 0).toISOString().startsWith(date)) return undefined;
  const suffix = zone?.replace(/^(...)(\d\d)$/, "$1:$2") ?? "Z";
  return timeOf(zone === undefined ? "wall" : "instant", Date.parse(`${date}T${time}${suffix}`));
}

/** Returns the wall-clock time of a time in a zone, by default that of the system. */
export function wallOf({ kind, at }: Time, timeZone: string | undefined): number {
  return kind === "wall" ? at : wallClock(at, timeZone);
}

/**
 * Returns the instant of a wall-clock time in a zone. A time that a change of the clock skips is
 * moved after the change. A time that occurs twice has the offset of `near`, by default the first.
 */
export function instantOf(wall: number, timeZone: string | undefined, near?: number): number {
  const day = 86_400_000;
  const withOffsetAt = (at: number): number => wall - (wallClock(at, timeZone) - at);
  const starts = [near ?? wall - day, wall - day, wall + day];
  const valid = starts.map(withOffsetAt).find((instant) => wallClock(instant, timeZone) === wall);
  return valid ?? withOffsetAt(wall - day);
}

function timeOf(kind: Time["kind"], at: number): Time | undefined {
  return Number.isNaN(new Date(at).getTime()) ? undefined : { kind, at };
}

/** Swedish dates and times have the form of ISO 8601. */
const formats = cachedFormats(
  (_locale, timeZone: string | undefined) =>
    new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "medium" }),
);

/** Returns the wall-clock time of an instant in a zone. Before the year 1000 it is that of UTC. */
function wallClock(instant: number, timeZone: string | undefined): number {
  const text = formats(undefined, timeZone).format(instant).replace(" ", "T");
  const seconds = Date.parse(`${text}Z`);
  return Number.isNaN(seconds) ? instant : seconds + (((instant % 1000) + 1000) % 1000);
}
