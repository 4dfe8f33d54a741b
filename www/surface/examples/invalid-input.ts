import { bareNodes, bind, component, components, type Example, list, update } from "./example.js";

/** Typical errors of models. Each is reported, and none changes the document. */
export const invalidInput: Example = {
  id: "trouble",
  title: "Invalid input and fixes",
  steps: [
    {
      title: "Components",
      note: "A small list that must not change.",
      text: components(
        component("root", "Column", { children: ["title", "people"] }),
        component("title", "Text", { variant: "h3", text: bind("title") }),
        component("people", "List", { children: list("person", "people") }),
        component("person", "Card", { child: "person_name" }),
        component("person_name", "Text", { text: bind("name") }),
      ),
    },
    {
      title: "Data",
      note: "Valid data first.",
      text: update({
        root: { title: "Guests", people: ["*u1", "*u2"] },
        u1: { name: "Alice" },
        u2: { name: "Bob" },
      }),
    },
    {
      title: "A sigil in an id",
      note: "Only pointers begin with `*`. The help says what to write, and the button writes it.",
      text: bareNodes({ "*u1": { name: "Alice Adams" } }),
    },
    {
      title: "A comma is missing",
      note: "The mark shows the position.",
      text: '{\n  "u1": { "name": "Alice Adams" }\n  "u2": { "name": "Bob Brown" }\n}',
    },
    {
      title: "A pointer to nothing",
      note: "It reads as missing: no row until the node arrives.",
      text: bareNodes({ root: { title: "Guests", people: ["*u1", "*u3", "*u2"] } }),
    },
    {
      title: "Paths",
      note: "An update by path, as plain A2UI writes it. The help shows the form with ids.",
      text: '{\n  "version": "v0.9",\n  "updateDataModel": {\n    "surfaceId": "main",\n    "path": "/people/1/name",\n    "value": "Robert"\n  }\n}',
    },
  ],
};
