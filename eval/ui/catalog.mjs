// Catalog of the tasks: the part of the basic catalog that they need, so that prompts fit into small contexts.

const COMPONENTS = [
  "Text",
  "Row",
  "Column",
  "List",
  "Card",
  "Button",
  "TextField",
  "CheckBox",
  "ChoicePicker",
  "Slider",
  "DateTimeInput",
];
const FUNCTIONS = ["required", "email"];

/** One example replaces the generated ones, whose tokens are half of the prompt. */
const examples = [
  {
    request: "A list of the team, with a button that removes a person.",
    messages: [
      { createSurface: { surfaceId: "main" } },
      {
        updateComponents: {
          surfaceId: "main",
          components: [
            { id: "root", component: "Column", children: ["title", "people"] },
            { id: "title", component: "Text", text: "Team", variant: "h2" },
            {
              id: "people",
              component: "List",
              children: { binding: { node: "root", key: "people" }, template: "person" },
            },
            { id: "person", component: "Row", children: ["name", "remove"] },
            { id: "name", component: "Text", text: { binding: { key: "name" } } },
            {
              id: "remove",
              component: "Button",
              child: "remove_text",
              action: { event: { name: "remove", context: { who: { binding: { key: "name" } } } } },
            },
            { id: "remove_text", component: "Text", text: "Remove" },
          ],
        },
      },
      {
        updateDataModel: {
          surfaceId: "main",
          nodes: { root: { people: ["*ann", "*bob"] }, ann: { name: "Ann" }, bob: { name: "Bob" } },
        },
      },
    ],
  },
  {
    request: "Bob is called Bert now.",
    messages: [{ updateDataModel: { surfaceId: "main", nodes: { bob: { name: "Bert" } } } }],
  },
];

/** Returns the catalog, from the modules `byname/dom` and `byname/catalog`. */
export function taskCatalog({ basicCatalog }, { defineCatalog }) {
  const pick = (all, names) => Object.fromEntries(names.map((name) => [name, all[name]]));
  const components = pick(basicCatalog.components, COMPONENTS);
  // No task needs the common properties.
  const withoutCommon = Object.entries(components).map(([name, component]) => {
    const { weight, accessibility, ...props } = component.props;
    return [name, { ...component, props }];
  });
  return defineCatalog({
    components: Object.fromEntries(withoutCommon),
    functions: pick(basicCatalog.functions, FUNCTIONS),
    examples,
  });
}
