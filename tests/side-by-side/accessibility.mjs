// Accessible trees as lines, and their differences. A tree is the result of `Accessibility.getFullAXTree`.

/** Roles of containers and of text formatting: their children take their place. */
const transparent = new Set([
  "RootWebArea",
  "main",
  "generic",
  "none",
  "presentation",
  "LabelText",
  "Legend",
  "paragraph",
  "emphasis",
  "strong",
]);
/** Roles whose children are presentational by the ARIA specification, or parts of the browser's own control. */
const leaves = new Set([
  "button",
  "checkbox",
  "image",
  "option",
  "radio",
  "searchbox",
  "slider",
  "splitter",
  "switch",
  "tab",
  "textbox",
  "Date",
  "DateTime",
  "InputTime",
  "Video",
  "Audio",
]);
/** Roles that a label or legend names. */
const named = new Set([...leaves, "group", "radiogroup"]);
/** Properties that are printed. Others, such as `focusable` and `editable`, follow from the role. */
const states = [
  "autocomplete",
  "busy",
  "checked",
  "disabled",
  "expanded",
  "hasPopup",
  "invalid",
  "level",
  "live",
  "modal",
  "multiline",
  "orientation",
  "pressed",
  "readonly",
  "required",
  "roledescription",
  "selected",
  "valuemin",
  "valuemax",
  "valuetext",
];
/** Values of states that are the same as no value. */
const defaults = new Set(["false", "off", "none", ""]);

/**
 * Returns a line for each node in document order: its role, name, description, value and states.
 * Ignored nodes and generic containers are left out, and adjacent texts are joined.
 */
export function outline(nodes) {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  // The text of a label or legend is the name of its control.
  const names = new Set(
    nodes.flatMap((node) => (named.has(node.role?.value) ? [textOf(node.name)] : [])),
  );
  for (const node of nodes) {
    const isLabel = ["LabelText", "Legend"].includes(node.role?.value);
    if (isLabel && names.has(allText(node, byId))) node.isLabel = true;
  }
  const lines = [];
  for (const one of merged(visible(nodes[0], byId), byId)) print(one, byId, lines);
  return lines;
}

/** Returns a node, or the nodes that take its place. */
function visible(node, byId) {
  if (node === undefined || node.role?.value === "InlineTextBox") return [];
  if (node.isLabel) return childrenOf(node, byId).filter((one) => !isText(one));
  // A live region without contents is not perceived.
  if (node.role?.value === "status" && (node.childIds ?? []).length === 0) return [];
  if (!node.ignored && !transparent.has(node.role?.value)) return [node];
  return childrenOf(node, byId);
}

/** Returns the text inside a node, without that of its controls. */
function allText(node, byId) {
  const texts = childrenOf(node, byId).filter(isText);
  return joined(...texts.map((one) => textOf(one.name)));
}

function childrenOf(node, byId) {
  return (node.childIds ?? []).flatMap((id) => visible(byId.get(id), byId));
}

/** Replaces texts by strings; empty ones are left out. */
function merged(nodes) {
  const result = [];
  for (const node of nodes) {
    const text = isText(node) ? textOf(node.name) : undefined;
    if (text === undefined) result.push(node);
    else if (text !== "") result.push(text);
  }
  return result;
}

const isText = (node) => ["StaticText", "LineBreak"].includes(node.role?.value);
const textOf = (value) =>
  String(value?.value ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
/** Returns a value; numbers of the browser have single precision. */
const valueText = (value) =>
  typeof value.value === "number" ? String(Number(value.value.toPrecision(6))) : textOf(value);
const joined = (...texts) => texts.filter((text) => text !== "").join(" ");

function print(node, byId, lines) {
  if (typeof node === "string") {
    lines.push(`text "${node}"`);
    return;
  }
  const name = textOf(node.name);
  const properties = new Map((node.properties ?? []).map((one) => [one.name, textOf(one.value)]));
  const parts = [
    node.role.value,
    name === "" ? "" : `"${name}"`,
    textOf(node.description) === "" ? "" : `description="${textOf(node.description)}"`,
    node.value === undefined ? "" : `value="${valueText(node.value)}"`,
    ...states
      .filter((state) => !defaults.has(properties.get(state) ?? ""))
      // The level of a list item follows from the lists around it.
      .filter((state) => state !== "level" || node.role.value !== "listitem")
      .map((state) => `${state}=${properties.get(state)}`),
  ];
  lines.push(joined(...parts));
  if (leaves.has(node.role.value)) return;
  const children = merged(childrenOf(node, byId));
  if (children.every((one) => typeof one === "string") && joined(...children) === name) return;
  for (const one of children) print(one, byId, lines);
}

/** Returns the parts in which two outlines differ: `{ first, second }`, the lines of each, in order. */
export function differences(first, second) {
  // Length of the longest common subsequence of the rests.
  const length = Array.from({ length: first.length + 1 }, () =>
    new Array(second.length + 1).fill(0),
  );
  for (let a = first.length - 1; a >= 0; a -= 1) {
    for (let b = second.length - 1; b >= 0; b -= 1) {
      length[a][b] =
        first[a] === second[b]
          ? length[a + 1][b + 1] + 1
          : Math.max(length[a + 1][b], length[a][b + 1]);
    }
  }
  const parts = [];
  let part;
  let [a, b] = [0, 0];
  while (a < first.length || b < second.length) {
    if (a < first.length && b < second.length && first[a] === second[b]) {
      part = undefined;
      a += 1;
      b += 1;
      continue;
    }
    if (part === undefined) {
      part = { first: [], second: [] };
      parts.push(part);
    }
    const isFirst =
      b === second.length || (a < first.length && length[a + 1][b] >= length[a][b + 1]);
    if (isFirst) part.first.push(first[a++]);
    else part.second.push(second[b++]);
  }
  return parts;
}
