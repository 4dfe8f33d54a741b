import { cachedFormats } from "./format-cache.js";

/**
 * Formats a wall-clock time, whose fields are in UTC, with a Unicode pattern (TR35): `EEEE, MMM d,
 * yyyy 'at' h:mm a`.
 */
export function formatDate(date: Date, pattern: string, locale: string | undefined): string {
  return pattern.replace(
    /'((?:[^']|'')*)'|''|([a-zA-Z])\2*/g,
    (token: string, quoted: string | undefined) => {
      if (token === "''") return "'";
      if (quoted !== undefined) return quoted.replaceAll("''", "'");
      return formatField(date, token, locale) ?? token;
    },
  );
}

/** Returns one formatted field, or undefined for an unknown letter. */
function formatField(date: Date, token: string, locale: string | undefined): string | undefined {
  const { length } = token;
  const pad = (value: number): string => String(value).padStart(length, "0");
  const name = (options: Intl.DateTimeFormatOptions, part: string): string =>
    nameOf(date, locale, options, part);
  switch (token[0]) {
    case "y":
      return length === 2
        ? String(date.getUTCFullYear() % 100).padStart(2, "0")
        : pad(date.getUTCFullYear());
    case "M":
    case "L":
      if (length <= 2) return pad(date.getUTCMonth() + 1);
      // `M` uses the form of the month in dates, `L` the standalone form.
      return token[0] === "L"
        ? name({ month: nameWidth(length) }, "month")
        : name({ month: nameWidth(length), day: "numeric" }, "month");
    case "d":
      return pad(date.getUTCDate());
    case "E":
      return name({ weekday: length <= 3 ? "short" : nameWidth(length) }, "weekday");
    case "a":
      return name({ hour: "numeric", hour12: true }, "dayPeriod");
    case "h":
      return pad(date.getUTCHours() % 12 || 12);
    case "H":
      return pad(date.getUTCHours());
    case "m":
      return pad(date.getUTCMinutes());
    case "s":
      return pad(date.getUTCSeconds());
    case "S":
      return String(date.getUTCMilliseconds())
        .padStart(3, "0")
        .padEnd(length, "0")
        .slice(0, length);
    default:
      return undefined;
  }
}

function nameWidth(length: number): "short" | "long" | "narrow" {
  if (length === 3) return "short";
  return length === 5 ? "narrow" : "long";
}

const formats = cachedFormats(
  (locale, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, calendar: "gregory", timeZone: "UTC" }),
);

function nameOf(
  date: Date,
  locale: string | undefined,
  options: Intl.DateTimeFormatOptions,
  part: string,
): string {
  const parts = formats(locale, options).formatToParts(date);
  return parts.find(({ type }) => type === part)?.value ?? "";
}
