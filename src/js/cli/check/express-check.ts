import type { TypedCatalog } from "../../catalog/define/typed.js";
import { compileExpress } from "../../express/compile.js";
import type { Diagnostic } from "../../types.js";
import { textLocation } from "./places.js";
import { checkParsedMessages } from "./surface-check.js";

/** Returns the diagnostics of Express, and of the surfaces that its messages create. */
export function checkExpress(text: string, catalog: TypedCatalog): Diagnostic[] {
  const { messages, diagnostics } = compileExpress(text, { catalog });
  const found = checkParsedMessages(messages, catalog)
    // The compiler has checked all types, with their offsets.
    .filter(({ code }) => !code.startsWith("CAT"))
    .map((one) => located(text, one));
  const isReported = ({ message, code }: Diagnostic): boolean => {
    const [, id] = /`([^`]*)`/.exec(message) ?? [];
    return code === "HAM028" && diagnostics.some((one) => one.message.includes(`\`${id}\``));
  };
  return [...diagnostics, ...found.filter((one) => !isReported(one))];
}

/** Returns a diagnostic at the statement of the component that its pointer begins with. */
function located(text: string, one: Diagnostic): Diagnostic {
  const { location } = one;
  if (location?.kind !== "pointer") return one;
  const [, id = ""] = location.pointer.split("/");
  // A component inside of another one has the id of that one, `_` and the property.
  for (let name = id; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf("_")))) {
    const escaped = name.replaceAll(/[^\w]/g, "\\$&");
    const match = new RegExp(`^[ \\t]*(?=${escaped}\\s*=(?!=))`, "m").exec(text);
    if (match) return { ...one, location: textLocation(match.index + match[0].length) };
  }
  return one;
}
