import { safeUrl } from "../../url.js";
import type { PropDefinition } from "../types.js";
import { diagnosticsAt, type PathDiagnostic } from "./path-diagnostic.js";
import { describeValue } from "./type-names.js";
import { describeLocation, type ValueLocation } from "./value-location.js";

/** Maximum length of a URL in a message. */
const MAX_SHOWN_URL = 60;

/** Warns about a URL that the renderer does not use, such as a relative one. */
export function relativeUrl(
  use: PropDefinition["url"],
  value: unknown,
  location: ValueLocation,
): PathDiagnostic[] {
  if (use === undefined || safeUrl(value, use) !== null) return [];
  const url = String(value).slice(0, MAX_SHOWN_URL);
  const found = url === "" ? describeValue(value) : `\`${url}\``;
  const message = `expected an absolute URL in ${describeLocation(location)}, found ${found}`;
  const more = use === "image" ? " or `data:image/`" : "";
  const help = `write a complete URL that begins with \`https://\`${more}`;
  return diagnosticsAt("CAT014", location, message, help, "warning");
}
