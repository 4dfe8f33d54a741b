// Messages of a small page as a model writes them, one per line: for byname, and for A2UI v0.9.

/** Title, which is the first element of the page. */
export const TITLE = "Restaurants near you";

const places = [
  { name: "Golden Lotus", street: "12 Quay Street", note: "Dumplings and a view of the harbour" },
  { name: "Trattoria Vera", street: "4 Mill Lane", note: "Eight tables and one menu each evening" },
  { name: "The Corner Room", street: "81 High Street", note: "Open late, book for more than four" },
  { name: "Saffron House", street: "7 Station Road", note: "A long list of vegetable dishes" },
];

const surfaceId = "main";

/** Returns the components; `bound` returns a reference to a value of a row. */
function components(bound, list) {
  const text = (id, key) => ({ id, component: "Text", text: bound(key) });
  return [
    { id: "root", component: "Column", children: ["title", "hint", "places", "more"] },
    { id: "title", component: "Text", variant: "h2", text: TITLE },
    { id: "hint", component: "Text", text: "Chosen by distance, with a free table this evening." },
    { id: "places", component: "List", children: list },
    { id: "place", component: "Card", child: "facts" },
    { id: "facts", component: "Column", children: ["name", "street", "note", "book"] },
    { ...text("name", "name"), variant: "h4" },
    text("street", "street"),
    text("note", "note"),
    {
      id: "book",
      component: "Button",
      variant: "primary",
      child: "label",
      action: { event: { name: "book", context: { name: bound("name") } } },
    },
    { id: "label", component: "Text", text: "Book a table" },
    { id: "more", component: "Text", variant: "caption", text: "Ask for others at any time." },
  ];
}

const bound = (key) => ({ binding: { key } });
const nodes = Object.fromEntries(places.map((place, at) => [`place${at}`, place]));
const root = { places: Object.keys(nodes).map((id) => `*${id}`) };
const list = { ...bound("places"), template: "place" };

/** Text for byname. */
export const bynameText = lines([
  { createSurface: { surfaceId } },
  { updateComponents: { surfaceId, components: components(bound, list) } },
  { updateDataModel: { surfaceId, nodes: { root, ...nodes } } },
]);

const version = "v0.9";
const path = (key) => ({ path: key });
const catalogId = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json";

/** Text for A2UI v0.9. */
export const a2uiText = lines([
  { version, createSurface: { surfaceId, catalogId } },
  {
    version,
    updateComponents: {
      surfaceId,
      components: components(path, { path: "/places", componentId: "place" }),
    },
  },
  { version, updateDataModel: { surfaceId, path: "/places", value: places } },
]);

function lines(messages) {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
}
