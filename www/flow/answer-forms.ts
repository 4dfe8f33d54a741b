import type { Json } from "byname";
import { button, div, element, p, span } from "../page/element.js";
import { formatValue } from "../page/format.js";
import { asList, asRecord } from "../page/json.js";

/** Suspended node, as in the result of a run. */
interface WaitingNode {
  node: string;
  payload: Json;
}

/**
 * Shows a form for each suspended node. A payload can have a `question`, and `options` that become
 * buttons.
 */
export function showAnswerForms(
  host: HTMLElement,
  waiting: readonly WaitingNode[],
  answer: (node: string, value: Json) => void,
): void {
  host.replaceChildren(...waiting.map((one) => answerForm(one, answer)));
  host.hidden = waiting.length === 0;
}

function answerForm(
  { node, payload }: WaitingNode,
  answer: (node: string, value: Json) => void,
): HTMLElement {
  const { question, options, ...rest } = asRecord(payload);
  const field = element("input", {
    type: "text",
    class: "find",
    "aria-label": `Answer to ${node}`,
    placeholder: "Text or JSON",
  });
  const form = element(
    "form",
    { class: "answer-form", "data-waiting": node },
    element("p", span("dot warning"), " ", element("code", node), " needs an answer."),
  );
  if (question !== undefined) form.append(p("question", formatValue(question, 600)));
  const details = question === undefined && options === undefined ? payload : rest;
  const isEmpty = details === null || Object.keys(Object(details)).length === 0;
  if (!isEmpty || typeof details === "string")
    form.append(element("pre", { class: "card", tabindex: "0" }, formatValue(details, 2000)));
  form.append(
    div(
      "line",
      ...asList(options).map((option) =>
        button(formatValue(option, 40), { class: "small" }, () => answer(node, option)),
      ),
      field,
      element("button", { type: "submit", class: "small" }, "Answer"),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim() === "") field.focus();
    else answer(node, parseAnswer(field.value));
  });
  return form;
}

/** Returns the value of JSON text, or else the text itself. */
function parseAnswer(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
