import { ISO_DATE, instantOf, parseTime, wallOf } from "../../functions/zoned-time.js";
import { asText } from "../../json-value.js";
import type { Json } from "../../types.js";

/** Part of an ISO 8601 text that each input type accepts. */
const VALUE_PATTERNS = {
  date: /^\d{4,6}-\d\d-\d\d/,
  time: /\d\d:\d\d/,
  "datetime-local": /^\d{4,6}-\d\d-\d\dT\d\d:\d\d/,
} as const;

/** Date, time or both in ISO 8601, without a zone. */
const WALL_TEXT = /^(?:\d{4,6}-\d\d-\d\d(?:$|[T ](?=\d)))?(?:\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/;

export type DateInputType = keyof typeof VALUE_PATTERNS;

/** Returns the value of the control for a value of the data. An instant is shown in the zone. */
export function shownDate(
  value: Json | undefined,
  type: DateInputType,
  timeZone: string | undefined,
): string {
  const written = inIsoForm(value);
  const wall = isInstant(written) ? wallText(written, timeZone) : asText(written);
  const text = wall.replace(/^(\d{4,6}-\d\d-\d\d) (?=\d\d:\d\d)/, "$1T");
  // A date without a time begins at midnight.
  const isDateOnly = type === "datetime-local" && /^\d{4,6}-\d\d-\d\d$/.test(text);
  return VALUE_PATTERNS[type].exec(isDateOnly ? `${text}T00:00` : text)?.[0] ?? "";
}

/**
 * Returns the new value of the data for an edited control. The parts that the control does not have
 * (seconds, the zone, the date or the time) are those of the old value. An instant stays an instant.
 */
export function editedDate(
  value: Json | undefined,
  typed: string,
  type: DateInputType,
  timeZone: string | undefined,
): Json {
  if (typed === "") return "";
  const old = inIsoForm(value);
  if (isInstant(old)) return editedInstant(old, typed, type, timeZone) ?? typed;
  const text = asText(old);
  const pattern = VALUE_PATTERNS[type];
  return pattern.test(text) ? text.replace(pattern, typed) : typed;
}

/**
 * Returns a date of another form, such as `Feb 3, 2026`, in ISO 8601. Returns the empty string for
 * a text that is not a date, and other values unchanged.
 */
function inIsoForm(value: Json | undefined): Json | undefined {
  if (typeof value !== "string" || WALL_TEXT.test(value)) return value;
  if (ISO_DATE.exec(value)?.[4] !== undefined) return value;
  const time = parseTime(value);
  if (time === undefined) return "";
  const text = new Date(time.at).toISOString();
  return time.kind === "instant" ? text : text.slice(0, value.includes(":") ? 16 : 10);
}

/** Returns whether a value is a valid instant: a number, or a text with a zone. */
export function isInstant(value: Json | undefined): value is string | number {
  const hasZone = typeof value === "string" && ISO_DATE.exec(value)?.[4] !== undefined;
  return (hasZone || typeof value === "number") && parseTime(value) !== undefined;
}

function wallText(value: string | number, timeZone: string | undefined): string {
  const time = parseTime(value);
  return time ? new Date(wallOf(time, timeZone)).toISOString() : "";
}

/** Returns the edited instant in the form of the old one, or undefined for an impossible date. */
function editedInstant(
  old: string | number,
  typed: string,
  type: DateInputType,
  timeZone: string | undefined,
): string | number | undefined {
  const before = wallText(old, timeZone);
  const at = parseTime(old)?.at ?? 0;
  const [start, end] = ({ date: [0, 10], time: [11, 16], "datetime-local": [0, 16] } as const)[
    type
  ];
  const wall = Date.parse(before.slice(0, start) + typed.slice(0, end - start) + before.slice(end));
  if (Number.isNaN(wall)) return undefined;
  const instant = instantOf(wall, timeZone, at);
  if (typeof old === "number") return instant;
  // The new text has the offset and the seconds of the old one.
  const written = Date.parse(`${old.slice(0, 10)}T${old.slice(11, 16)}Z`);
  const offset = written - Math.floor(at / 60_000) * 60_000;
  const text = new Date(instant + offset).toISOString();
  return text.slice(0, 10) + old.charAt(10) + text.slice(11, 16) + old.slice(16);
}
