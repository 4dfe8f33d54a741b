// Runs the operations of all sides in turn in one page. Marks enclose each operation up to its
// second frame, so that a trace has the CPU time of the main thread with layout and paint.
import { init } from "byname";
import { stylesheet } from "byname/dom/server";
import { operations, rowsAfter, tableRows } from "../data/table.mjs";
import { collect } from "../host/collect.mjs";
import { a2uiLit } from "./a2ui.mjs";
import { bynameBasic, bynameOwn } from "./byname.mjs";
import { lit } from "./lit.mjs";
import { react } from "./react.mjs";
import { solidBasic, solidOwn } from "./same-dom.jsx";
import { solid } from "./solid.jsx";
import { vanilla } from "./vanilla.mjs";

const sides = {
  solid,
  vanilla,
  react,
  lit,
  "a2ui-lit": a2uiLit,
  "byname-own": bynameOwn(Number.POSITIVE_INFINITY),
  "byname-basic": bynameBasic(Number.POSITIVE_INFINITY),
  "byname-own-windowed": bynameOwn(100),
  "byname-basic-windowed": bynameBasic(100),
  "solid-own": solidOwn,
  "solid-basic": solidBasic,
};

/** Sides whose markup must be equal. */
const equal = [
  ["byname-own", "solid-own"],
  ["byname-basic", "solid-basic"],
];

/** Rounds before those that count, also with 10,000 rows; at most this many of a slow side. */
const WARM_UP = 3;
const LARGE_WARM_UP = 1;
const SLOW_ROUNDS = 3;
/** Milliseconds of a round, with its preparation, above which a side is slow. */
const SLOW_MS = 5000;

await init();
// All sides have the stylesheet of byname, which a surface adds itself.
const sheet = new CSSStyleSheet();
sheet.replaceSync(stylesheet);

/** Measures one operation; the trace contains marks `list-begin` and `list-end` with the side. */
window.measure = async (name, { rounds, only }) => {
  const entries = Object.entries(sides).filter(([side]) => !only || only.includes(side));
  const slow = new Set();
  const warmUp = isLarge(name) ? LARGE_WARM_UP : WARM_UP;
  for (let round = -warmUp; round < rounds; round++) {
    for (const [side, create] of rotated(entries, round)) {
      if (slow.has(side) && (round < 0 || round >= SLOW_ROUNDS)) continue;
      const begin = performance.now();
      adoptStylesheet(side);
      await runOnce(create, operations[name], round < 0 ? undefined : `${side} ${round}`);
      if (performance.now() - begin > SLOW_MS) slow.add(side);
    }
  }
};

function adoptStylesheet(side) {
  document.adoptedStyleSheets = side.startsWith("byname") ? [] : [sheet];
}

/** Runs an operation; `inspect` receives the element and the expected rows. */
async function runOnce(create, { before, change }, detail, inspect) {
  // Lit and React keep their state on the element.
  const host = document.createElement("div");
  document.body.append(host);
  const side = create(host);
  const rows = tableRows(before, 1);
  if (before > 0) side.prepare({ kind: "replace", rows })();
  await painted();
  const planned = change(rows);
  if (planned.kind === "select") {
    // Another row is selected before.
    side.prepare({ kind: "select", before: planned.before, id: planned.before })();
    await painted();
  }
  const run = side.prepare(planned);
  collect("young");
  if (detail) performance.mark(`list-begin ${detail}`);
  run();
  await painted();
  if (detail) performance.mark(`list-end ${detail}`);
  inspect?.(host, rowsAfter(rows, planned));
  side.unmount();
  host.remove();
  await painted();
  collect("all");
}

/** Throws unless each side displays the rows, and paired sides have the same markup. */
window.compare = async (name) => {
  const markup = {};
  for (const [side, create] of Object.entries(sides)) {
    if (side.endsWith("windowed")) continue;
    adoptStylesheet(side);
    await runOnce(create, operations[name], undefined, (host, rows) => {
      markup[side] = sortedMarkup(host.innerHTML);
      // The basic catalog of A2UI has no selected row, so a label changes.
      if (name !== "select") assertRows(side, withoutSpace(deepText(host)), rows);
    });
  }
  for (const [a, b] of equal) {
    if (markup[a] === markup[b]) continue;
    let at = 0;
    while (markup[a][at] === markup[b][at]) at++;
    const excerpt = (side) => `${side}: …${markup[side].slice(Math.max(0, at - 200), at + 100)}…`;
    throw new Error(`${name}: ${excerpt(a)}, ${excerpt(b)}`);
  }
};

/** Returns markup with sorted attributes and class names, without the status of a surface. */
function sortedMarkup(markup) {
  const body = new DOMParser().parseFromString(markup, "text/html").body;
  for (const status of body.querySelectorAll(".bn-status")) status.remove();
  for (const element of body.querySelectorAll("*")) {
    const attributes = [...element.attributes].map(({ name, value }) => [name, value]);
    for (const [attribute] of attributes) element.removeAttribute(attribute);
    for (const [attribute, value] of attributes.sort()) {
      const text =
        attribute === "class" ? value.split(/\s+/).filter(Boolean).sort().join(" ") : value;
      if (text !== "" || attribute !== "class") element.setAttribute(attribute, text);
    }
  }
  return body.innerHTML;
}

function assertRows(side, drawn, rows) {
  const expected = (end) => withoutSpace(rows.map(({ id, label }) => id + label + end).join(""));
  if (drawn === expected("") || drawn === expected("x")) return;
  throw new Error(`${side} draws ${drawn.slice(0, 80)}…, expected ${expected("").slice(0, 80)}…`);
}

/** Returns the displayed text, also in shadow trees. */
function deepText(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  const name = node.localName;
  if (name === "style" || node.className === "bn-status") return "";
  const inside = node.shadowRoot ?? node;
  const nodes = name === "slot" ? node.assignedNodes() : inside.childNodes;
  return [...nodes].map(deepText).join("");
}

function withoutSpace(text) {
  return text.replaceAll(/\s+/g, "");
}

function rotated(list, round) {
  const by = ((round % list.length) + list.length) % list.length;
  return [...list.slice(by), ...list.slice(0, by)];
}

// After the second frame all is laid out and painted.
function painted() {
  return new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
  });
}

function isLarge(name) {
  return name === "create10" || operations[name].before > 1000;
}

window.operations = Object.keys(operations).map((name) => ({ name, isLarge: isLarge(name) }));
