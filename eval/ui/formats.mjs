// Formats of interfaces: HAM, A2UI and Express. Each has a prompt, a grammar, a form of the first surface, and a reader.
import { a2uiGrammar, a2uiPrompt } from "./a2ui-texts.mjs";

/** Id of the surface of every task. */
const surfaceId = "main";

/** Names of the formats. */
export const formatNames = ["ham", "a2ui", "express"];

/**
 * Returns a format by its name: `{ system, grammar, textOf(messages), open(messages), read(view, text) }`. `messages`
 * are those of HAM; `read` applies a reply to an opened surface and returns its diagnostics.
 */
export function formatOf(name, modules) {
  return { ham, a2ui, express }[name](modules);
}

function ham({ catalog, testing: { render } }) {
  return {
    system: catalog.prompt({ surfaceId }),
    grammar: catalog.gbnf({ surfaceId }),
    textOf: linesOf,
    open: (messages) => render(messages, { catalog }),
    read: (view, text) => view.send(text).diagnostics,
  };
}

function a2ui({ catalog, a2ui: { ToA2ui }, testing: { render } }) {
  const translate = (messages) => {
    const translator = new ToA2ui({ version: "v1.0" });
    return messages.flatMap((message) => translator.translate(message).messages);
  };
  const examples = catalog.examples.map(({ request, messages }) => ({
    request,
    text: linesOf(translate(messages)),
  }));
  return {
    system: a2uiPrompt(catalog.prompt(), examples),
    grammar: a2uiGrammar(catalog.gbnf()),
    textOf: (messages) => linesOf(translate(messages)),
    open: (messages) => render(translate(messages), { catalog, a2ui: true }),
    read: (view, text) => view.send(text).diagnostics,
  };
}

function express({ catalog, a2ui: { a2uiTarget }, express: byExpress, testing: { render } }) {
  const { expressGbnf, expressPrompt, expressStream, toExpress } = byExpress;
  const targets = new WeakMap();
  const printed = (messages) =>
    `<a2ui>\n${toExpress(render(messages, { catalog }).surface)}\n</a2ui>`;
  const open = (messages) => {
    const view = render([], { catalog });
    targets.set(view, a2uiTarget(view.surface));
    if (messages.length > 0) read(view, printed(messages));
    return view;
  };
  const read = (view, text) => {
    const stream = expressStream(targets.get(view), { catalog });
    stream.push(text);
    return stream.end().diagnostics;
  };
  return {
    system: expressPrompt(catalog),
    grammar: expressGbnf(catalog),
    textOf: printed,
    open,
    read,
  };
}

function linesOf(messages) {
  return messages.map((message) => JSON.stringify(message)).join("\n");
}
