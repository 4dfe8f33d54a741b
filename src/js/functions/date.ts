import { cachedFormats } from "./format-cache.js";

/**
 * Formats a date with a Unicode pattern (TR35) in the local time zone: `EEEE, MMM d, yyyy 'at' h:mm
 * a`.
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
        ? String(date.getFullYear() % 100).padStart(2, "0")
        : pad(date.getFullYear());
    case "M":
    case "L":
      if (length <= 2) return pad(date.getMonth() + 1);
      // `M` uses the form of the month in dates, `L` the standalone form.
      return token[0] === "L"
        ? name({ month: width(length) }, "month")
        : name({ month: width(length), day: "numeric" }, "month");
    case "d":
      return pad(date.getDate());
    case "E":
      return name({ weekday: length <= 3 ? "short" : width(length) }, "weekday");
    case "a":
      return name({ hour: "numeric", hour12: true }, "dayPeriod");
    case "h":
      return pad(date.getHours() % 12 || 12);
    case "H":
      return pad(date.getHours());
    case "m":
      return pad(date.getMinutes());
    case "s":
      return pad(date.getSeconds());
    case "S":
      return String(date.getMilliseconds()).padStart(3, "0").padEnd(length, "0").slice(0, length);
    default:
      return undefined;
  }
}

function width(length: number): "short" | "long" | "narrow" {
  if (length === 3) return "short";
  return length === 5 ? "narrow" : "long";
}

const formats = cachedFormats(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
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
