import { javascriptLiteral } from "../code/literal.js";
import { isMessage } from "./session.js";

/** Returns a program that applies the texts to a new surface. */
export function toProgram(texts: readonly string[], first: object, listEdits: boolean): string {
  const store = listEdits ? "new HamStore({ extensions: { listEdits: true } })" : "new HamStore()";
  const takes = texts.map((text) =>
    isMessage(text)
      ? `take(surface.receive(${javascriptLiteral(text)}));`
      : `take(store.apply(${javascriptLiteral(text)}));`,
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

/** Returns a program that receives the texts of a log, and then applies the edits of the user. */
export function toLogProgram(
  texts: readonly string[],
  edits: readonly string[],
  language: "A2UI" | "HAM",
): string {
  const isA2ui = language === "A2UI";
  const receives = [
    ...texts.map((text) => `take(await receiveAll(target, ${javascriptLiteral(text)}));`),
    ...edits.map((text) => `take(surface.store.apply(${javascriptLiteral(text)}));`),
  ];
  return [
    'import { init, Surface } from "byname";',
    ...(isA2ui ? ['import { a2uiTarget } from "byname/a2ui";'] : []),
    'import { basicCatalog } from "byname/dom";',
    'import { receiveAll } from "byname/messages";',
    "",
    "await init();",
    "const surface = new Surface({ catalog: basicCatalog, onAction: (action) => console.log(action) });",
    `const target = ${isA2ui ? "a2uiTarget(surface)" : "surface"};`,
    '// In a page, import mount from "byname/dom" too: mount(surface, document.querySelector("#surface"));',
    "",
    "// Invalid input is reported in the result, not thrown.",
    "function take({ diagnostics }) {",
    "  for (const { code, message, help } of diagnostics) console.warn(code, message, help);",
    "}",
    "",
    ...receives,
    "",
    "console.log(JSON.stringify(surface.tree(), null, 2));",
    "",
  ].join("\n");
}
