// Checks of a rendered surface, by `byname/testing`.
import { isDeepStrictEqual } from "node:util";

/** Check of each kind of step: returns an error text, or undefined. It may throw. */
const CHECKS = {
  find: (view, query) => void view.get(query),
  none: (view, query) => view.find(query) && "an instance that should be missing",
  count: (view, [query, count]) => differenceOf(view.all(query).length, count),
  text: (view, text) => (view.text().split("\n").includes(text) ? undefined : view.text()),
  order: (view, texts) => (isInOrder(view.text().split("\n"), texts) ? undefined : view.text()),
  prop: (view, [query, prop, value]) => differenceOf(view.get(query).props[prop], value),
  type: (view, [query, value]) => void view.type(query, value),
  error: (view, [query, message]) => differenceOf(view.error(query), message),
  press: (view, query, { sends }) => sentDifference(view.press(query), sends),
  pressAll: (view, query, { sends }) => {
    const contexts = view.all(query).map((button) => view.press(button).context);
    return differenceOf(contexts, sends);
  },
  template: (view) => {
    const hasTemplate = JSON.stringify(view.surface.export()).includes('"template":');
    return hasTemplate ? undefined : "no template";
  },
};

/** Returns the first failed step with its reason, or undefined if all steps pass. */
export function failedStep(view, steps) {
  for (const step of steps) {
    const [kind] = Object.keys(step);
    try {
      const reason = CHECKS[kind](view, step[kind], step);
      if (reason !== undefined) return `${JSON.stringify(step)}: ${reason}`;
    } catch (error) {
      return `${JSON.stringify(step)}: ${error.message}`;
    }
  }
}

function differenceOf(found, expected) {
  if (isDeepStrictEqual(found, expected)) return undefined;
  return `found ${JSON.stringify(found)}`;
}

function sentDifference({ name, context }, expected) {
  const found = { name, ...(expected.context && { context }) };
  return differenceOf(found, expected);
}

/** Returns whether texts occur in this order among lines. */
function isInOrder(lines, texts) {
  let at = 0;
  for (const line of lines) if (line === texts[at]) at += 1;
  return at === texts.length;
}
