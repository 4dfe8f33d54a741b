// Section on a text that streams.
import { two } from "./rows.mjs";

/** Largest allowed growth of the time per token from the shortest to the longest text. */
const GROWTH_TARGET = 1.25;

/** Returns the section. */
export function textStreamSection({ runtime, date, times }) {
  const lengths = Object.keys(times.byname);
  const titles = lengths.map((length) => `after ${Number(length).toLocaleString("en")}`);
  const line = ([side, values]) => {
    const cells = lengths.map((length) => `${two(values[length])} µs`);
    const growth = values[lengths.at(-1)] / values[lengths[0]];
    const text = `${two(growth)}×`;
    const isConstant = side === "byname" && growth <= GROWTH_TARGET;
    return `| ${side} | ${cells.join(" | ")} | ${isConstant ? `**${text}**` : text} |`;
  };
  return `## A text that streams

${runtime}; ${date}. Time of one token in the text of one of 1,000 nodes in the page, after the text has the given number of tokens: from the message to the changed text in the document, without layout and paint.
A2UI and the state of json-render have no message that appends, so their messages contain the complete text; \`@json-render/core\` has no renderer, so each value has a text node. A constant time is the target: a growth of at most ${GROWTH_TARGET}×.

| | ${titles.join(" | ")} | growth |
|---|${lengths.map(() => "--:|").join("")}--:|
${Object.entries(times).map(line).join("\n")}`;
}
