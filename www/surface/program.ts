import { literal } from "../code/literal.js";
import { isMessage } from "./session.js";

/** Returns a program that applies the texts to a new surface. */
export function toProgram(texts: readonly string[], first: object, listEdits: boolean): string {
  const store = listEdits ? "new HamStore({ extensions: { listEdits: true } })" : "new HamStore()";
  const takes = texts.map((text) =>
    isMessage(text)
      ? `take(surface.receive(${literal(text)}));`
      : `take(store.apply(${literal(text)}));`,
  );
  return [
    'import { HamStore, init, Surface } from "byname";',
    'import { basicCatalog } from "byname/dom";',
    "",
    "await init();",
    `const store = ${store};`,
    "const surface = new Surface({ store, catalog: basicCatalog });",
    '// In a page, import mount from "byname/dom" too: mount(surface, document.querySelector("#surface"));',
    "surface.subscribe((changes) => console.log(changes));",
    "",
    "// Invalid input is reported in the result, not thrown.",
    "function take({ ok, diagnostics }) {",
    "  if (!ok) console.error(diagnostics);",
    "}",
    "",
    `take(surface.receive(${JSON.stringify(first)}));`,
    ...takes,
    "",
    "console.log(JSON.stringify(surface.tree(), null, 2));",
    "",
  ].join("\n");
}
