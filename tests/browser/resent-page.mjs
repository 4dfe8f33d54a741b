// Script of a page with a list of 200 rows that an agent sends again. It follows a script that defines the exports
// of byname, and `showSurface(surface, options)`.

export const resentScript = `
const COUNT = 200;
const components = (bind, list) => [
  { id: "root", component: "List", children: list },
  { id: "row", component: "Row", children: ["label", "count", "note", "memo"] },
  { id: "label", component: "Text", text: bind("label") },
  { id: "count", component: "Text", text: bind("count") },
  { id: "note", component: "TextField", label: "Note", value: bind("note") },
  { id: "memo", component: "TextField", variant: "longText", label: "Memo", value: bind("memo") },
];
const pathTo = (path) => ({ path });
const keyTo = (key) => ({ binding: { key } });

/** Functions that send components and items, by the form in which the agent writes. */
const agents = {
  target: (surface) => {
    const target = a2uiTarget(surface);
    return plain((message) => target.receive(message));
  },
  translator: (surface) => {
    const from = new FromA2ui({ store: surface.store });
    return plain((message) => {
      const { messages, diagnostics } = from.translate(message);
      const received = messages.flatMap((one) => surface.receive(one).diagnostics);
      return { diagnostics: [...diagnostics, ...received] };
    });
  },
  ham: (surface) => ({
    describe: () => check(surface.receive({ createSurface: { surfaceId: "s", components: components(keyTo, { ...keyTo("rows"), template: "row" }) } })),
    send: (items) => {
      const nodes = { root: { rows: items.map(({ label }) => "*" + label) } };
      for (const item of items) nodes[item.label] = item;
      check(surface.receive({ updateDataModel: { nodes } }));
    },
  }),
};
const plain = (receive) => ({
  describe: () => {
    check(receive({ createSurface: { surfaceId: "s", catalogId: "basic" } }));
    check(receive({ updateComponents: { surfaceId: "s", components: components(pathTo, { path: "/rows", componentId: "row" }) } }));
  },
  send: (items) => check(receive({ updateDataModel: { surfaceId: "s", path: "/rows", value: items } })),
});
const check = ({ diagnostics }) => {
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
};

const lines = (n) => Array.from({ length: 30 }, (_, line) => "memo " + n + ", line " + line).join("\\n");
const item = (n, hasIds) => ({ ...(hasIds ? { id: "id-" + n } : {}), label: "item " + n, count: n, note: "note " + n, memo: lines(n) });

/** Shows the list. \`hasIds\` states whether each item has an \`id\`. */
window.start = async ({ agent, hasIds, options }) => {
  window.surface = new Surface({ catalog: basicCatalog });
  window.items = Array.from({ length: COUNT }, (_, n) => item(n, hasIds));
  window.wire = agents[agent](surface);
  window.mounted = [];
  surface.subscribe((changes) => {
    for (const { kind } of changes) if (kind !== "set" && kind !== "move") mounted.push(kind);
  });
  wire.describe();
  wire.send(items);
  await showSurface(surface, options);
  await settled();
};
window.rows = () => new Map([...document.querySelectorAll("[data-id=row]")].map((row) => [row.querySelector("[data-id=label]").textContent, row]));
window.row = (n) => rows().get("item " + n);
window.note = (n) => row(n).querySelector("[data-id=note] input");
window.memo = (n) => row(n).querySelector("[data-id=memo] textarea");
window.box = () => document.querySelector("#box");

/** Sends the list again after a change. Returns what happened to the rows. */
window.resend = async (change, minKept) => {
  const before = rows();
  const sentBefore = items.length;
  const controls = new Map([...before].map(([name, row]) => [name, row.querySelector("input")]));
  mounted.length = 0;
  items = changes[change](items);
  wire.send(structuredClone(items));
  await settled();
  await settled();
  const after = rows();
  const kept = [...after].filter(([name]) => before.has(name));
  const texts = [...document.querySelectorAll("[data-id=label]")].map((one) => Number(one.textContent.slice(5)));
  const places = texts.map((n) => items.findIndex(({ label }) => label === "item " + n));
  return {
    compared: kept.length >= minKept,
    replaced: kept.filter(([name, row]) => before.get(name) !== row || controls.get(name) !== row.querySelector("input")).map(([name]) => name),
    mounts: mounted.filter((kind) => kind !== "unmount").length,
    unmounts: mounted.filter((kind) => kind === "unmount").length - (sentBefore - items.length),
    isOrdered: places.every((place, at) => at === 0 || place > places[at - 1]),
    counts: [...after].every(([name, row]) => row.querySelector("[data-id=count]").textContent === String(items.find(({ label }) => label === name).count)),
  };
};
/** Reverses each block of ten items. */
const reordered = (list) => list.map((_, at) => list[Math.min(at - (at % 10) + 9, list.length - 1) - (at % 10)]);
/** Reorders by a fixed permutation: 77 has no common factor with the number of items. */
const shuffled = (list) => list.map((_, at) => list[(at * 77 + 13) % list.length]);
const edited = (list, number) => list.map((one) => (one.label === "item " + number ? { ...one, count: one.count + 1000 } : one));
const filtered = (list) => list.filter(({ label }) => Number(label.slice(5)) % 4 !== 1);
const changes = {
  same: (list) => list,
  edited: (list) => edited(list, 103),
  filtered,
  reordered,
  shuffled,
  "shuffled and edited": (list) => edited(shuffled(list), 103),
  "filtered, shuffled and edited": (list) => edited(shuffled(filtered(list)), 103),
};

/** Returns the data of the items: those that differ from what the agent sent. */
window.written = () => surface.store.toJSON().rows.flatMap((one, at) => {
  const names = Object.keys(items[at]).filter((name) => items[at][name] !== one[name]);
  return names.map((name) => [one.label, name, one[name]]);
});
window.focusState = () => {
  const { activeElement: control } = document;
  const name = control.closest("[data-id=row]")?.querySelector("[data-id=label]").textContent;
  return { item: name, value: control.value, selection: [control.selectionStart, control.selectionEnd] };
};
`;

/** Changes of the list. */
export const resentChanges = [
  "same",
  "edited",
  "filtered",
  "reordered",
  "shuffled",
  "shuffled and edited",
  "filtered, shuffled and edited",
];
