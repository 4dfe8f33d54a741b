// Generates docs/components.md from the basic catalog, and renders the picture of each component.

/** Purpose of each component, in one line, and the example that its picture shows. */
const EXAMPLES = {
  Text: {
    purpose:
      "Shows text with a subset of Markdown: headings, lists, code, emphasis and links. `variant` selects the style.",
    components: [
      {
        id: "root",
        component: "Text",
        text: "## Weather\n**Sunny**, up to *24 °C*.\n- wind: light\n- rain: none",
      },
    ],
  },
  Image: {
    purpose: "Shows an image. `fit` is the CSS `object-fit`, `variant` the size.",
    components: [
      {
        id: "root",
        component: "Image",
        url: "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAxNjAgOTAiPjxyZWN0IHdpZHRoPSIxNjAiIGhlaWdodD0iOTAiIGZpbGw9IiM4Y2IzZTAiLz48Y2lyY2xlIGN4PSIxMjAiIGN5PSIyNiIgcj0iMTQiIGZpbGw9IiNmZmQ5NWEiLz48cGF0aCBkPSJNMCA5MCA1MCAzOGwzMCAzMCAyMC0xOCA2MCA0MHoiIGZpbGw9IiM0YzdhNWEiLz48L3N2Zz4=",
        description: "Mountains in the sun",
        variant: "smallFeature",
      },
    ],
  },
  Icon: {
    purpose: "Shows an icon by name, or an SVG path.",
    components: [
      { id: "root", component: "Row", children: ["home", "search", "favorite"] },
      { id: "home", component: "Icon", name: "home" },
      { id: "search", component: "Icon", name: "search" },
      { id: "favorite", component: "Icon", name: "favorite" },
    ],
  },
  Video: {
    purpose: "Plays a video with the controls of the browser.",
    components: [{ id: "root", component: "Video", url: "https://example.org/film.mp4" }],
  },
  AudioPlayer: {
    purpose: "Plays audio with the controls of the browser. `description` is its label.",
    components: [
      {
        id: "root",
        component: "AudioPlayer",
        url: "https://example.org/talk.mp3",
        description: "Interview",
      },
    ],
  },
  Row: {
    purpose:
      "Arranges its children horizontally. `justify` and `align` are the CSS properties `justify-content` and `align-items`.",
    components: [
      { id: "root", component: "Row", children: ["a", "b", "c"], justify: "spaceBetween" },
      { id: "a", component: "Text", text: "first" },
      { id: "b", component: "Text", text: "second" },
      { id: "c", component: "Text", text: "third" },
    ],
  },
  Column: {
    purpose: "Arranges its children vertically.",
    components: [
      { id: "root", component: "Column", children: ["a", "b", "c"] },
      { id: "a", component: "Text", text: "first" },
      { id: "b", component: "Text", text: "second" },
      { id: "c", component: "Text", text: "third" },
    ],
  },
  List: {
    purpose: "Shows one component per item of a list. Long lists are virtualised.",
    components: [
      {
        id: "root",
        component: "List",
        children: { binding: { node: "people" }, template: "person" },
      },
      { id: "person", component: "Text", text: { binding: { key: "name" } } },
    ],
    nodes: {
      people: ["*ann", "*bob", "*cy"],
      ann: { name: "Ann" },
      bob: { name: "Bob" },
      cy: { name: "Cy" },
    },
  },
  Card: {
    purpose: "Surrounds one child with a border and padding.",
    components: [
      { id: "root", component: "Card", child: "text" },
      { id: "text", component: "Text", text: "Bern, 24 °C" },
    ],
  },
  Tabs: {
    purpose: "Shows one of several children, selected by a tab.",
    components: [
      {
        id: "root",
        component: "Tabs",
        tabs: [
          { title: "Today", child: "today" },
          { title: "Tomorrow", child: "tomorrow" },
        ],
      },
      { id: "today", component: "Text", text: "Sunny" },
      { id: "tomorrow", component: "Text", text: "Rain" },
    ],
  },
  Modal: {
    purpose:
      "Opens a dialog with `content` when its `trigger` is pressed, or when `open` becomes true. Escape, the close button, a false `open`, and the action `closeModal` of a button in the dialog close it; a bound `open` follows. The picture shows the open dialog.",
    components: [
      { id: "root", component: "Modal", trigger: "open", content: "text" },
      { id: "open", component: "Text", text: "Details" },
      { id: "text", component: "Text", text: "The train leaves at 9:04." },
    ],
    press: "Details",
  },
  Divider: {
    purpose: "Draws a line between its siblings.",
    components: [
      { id: "root", component: "Column", children: ["a", "line", "b"] },
      { id: "a", component: "Text", text: "Sum" },
      { id: "line", component: "Divider" },
      { id: "b", component: "Text", text: "42.00" },
    ],
  },
  Button: {
    purpose:
      "Triggers an action. Failed `checks` disable it. With `submit` it triggers its action only if the inputs of its [form](surface.md#checks-and-forms) pass their checks; otherwise it shows their messages.",
    components: [
      { id: "root", component: "Row", children: ["send", "cancel", "help"] },
      {
        id: "send",
        component: "Button",
        child: "send_text",
        variant: "primary",
        action: { event: { name: "send" } },
      },
      { id: "send_text", component: "Text", text: "Send" },
      {
        id: "cancel",
        component: "Button",
        child: "cancel_text",
        action: { event: { name: "cancel" } },
      },
      { id: "cancel_text", component: "Text", text: "Cancel" },
      {
        id: "help",
        component: "Button",
        child: "help_text",
        variant: "borderless",
        action: { event: { name: "help" } },
      },
      { id: "help_text", component: "Text", text: "Help" },
    ],
  },
  TextField: {
    purpose:
      "Edits a text. `variant` selects a single line, several lines, a number or a password.",
    components: [
      {
        id: "root",
        component: "TextField",
        label: "Name",
        value: { binding: { node: "form", key: "name" } },
      },
    ],
    nodes: { form: { name: "Ann" } },
  },
  CheckBox: {
    purpose: "Edits a boolean.",
    components: [
      {
        id: "root",
        component: "CheckBox",
        label: "With breakfast",
        value: { binding: { node: "form", key: "breakfast" } },
      },
    ],
    nodes: { form: { breakfast: true } },
  },
  ChoicePicker: {
    purpose: "Selects one or several of its `options`. The value is a list of option values.",
    components: [
      {
        id: "root",
        component: "ChoicePicker",
        label: "Size",
        displayStyle: "chips",
        variant: "mutuallyExclusive",
        options: [
          { label: "Small", value: "s" },
          { label: "Medium", value: "m" },
          { label: "Large", value: "l" },
        ],
        value: { binding: { node: "form", key: "size" } },
      },
    ],
    nodes: { form: { size: ["m"] } },
  },
  Slider: {
    purpose:
      "Edits a number between `min` (0 by default) and `max`. `steps` is the number of intervals.",
    components: [
      {
        id: "root",
        component: "Slider",
        label: "Seats",
        max: 10,
        value: { binding: { node: "form", key: "seats" } },
      },
    ],
    nodes: { form: { seats: 4 } },
  },
  DateTimeInput: {
    purpose:
      "Edits a date, a time or both, as ISO 8601 text. A value with a zone is shown in the time zone of the reader and written back as an instant; any other value is a wall-clock time.",
    components: [
      {
        id: "root",
        component: "DateTimeInput",
        label: "Arrival",
        enableDate: true,
        value: { binding: { node: "form", key: "arrival" } },
      },
    ],
    nodes: { form: { arrival: "2026-12-24" } },
  },
};

/** Returns the messages that show the example of a component. */
export function messagesOf(name) {
  const { components, nodes } = EXAMPLES[name];
  const surfaceId = "example";
  return [
    { createSurface: { surfaceId } },
    { updateComponents: { surfaceId, components } },
    ...(nodes ? [{ updateDataModel: { surfaceId, nodes } }] : []),
  ];
}

/** Returns the text of the element to press before the picture is taken, if any. */
export const pressOf = (name) => EXAMPLES[name].press;

/** Returns the path of the picture of a component, from `docs`. */
export const pictureOf = (name) => `components/${name.toLowerCase()}.png`;

/** Returns the text of docs/components.md. */
export function componentsPage(catalog) {
  const names = Object.keys(catalog.components);
  const sections = names.map((name) => section(name, catalog.components[name]));
  return `# The basic components

\`byname/dom\` renders the ${names.length} components of the A2UI basic catalog. This page lists their properties, each with its type and an example. It is generated from \`basicCatalog\` by \`npm run components\`.

A property accepts a literal of its type. Where the column *binding* says yes, it also accepts a binding (\`{"binding": {"node": "form", "key": "name"}}\`) or a function call. Properties marked *input* are written when the user edits the component ([writing](ham.md#rule-25)). A \`component\` is the id of a component, \`children\` a list of ids or a ChildList ([rule 18](ham.md#rule-18)), \`action\` an event or a function call, and \`checks\` a list of validations ([surface.md](surface.md#checks-and-forms)).

Every component also accepts:

${table(catalog.common)}

${names.map((name) => `[${name}](#${name.toLowerCase()})`).join(" · ")}

${sections.join("\n")}`;
}

function section(name, { props }) {
  const own = Object.fromEntries(Object.entries(props).filter(([prop]) => !COMMON.includes(prop)));
  const { components, nodes, purpose } = EXAMPLES[name];
  const shown = components.map(
    (component) =>
      `  ${spaced(component).replace(/"data:[^"]{40,}"/, '"data:image/svg+xml;base64,…"')}`,
  );
  const data = nodes ? `\n\nwith the nodes \`${spaced(nodes)}\`` : "";
  return `## ${name}

${purpose}

![${name}](${pictureOf(name)})

${table(own)}

\`\`\`json
[
${shown.join(",\n")}
]
\`\`\`${data}
`;
}

/** Returns JSON on one line, with a space after each `:` and `,`. */
function spaced(value) {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`,
  );
  return `{${entries.join(", ")}}`;
}

const COMMON = ["weight", "accessibility"];

function table(props) {
  const rows = Object.entries(props).map(([prop, written]) => {
    const definition = normalizeType(written);
    const notes = [
      definition.required ? "required" : "",
      definition.input ? "input" : "",
      definition.minimum !== undefined ? `at least ${definition.minimum}` : "",
      definition.minItems !== undefined ? `at least ${definition.minItems} item` : "",
    ].filter((note) => note !== "");
    const binding = isBindable(definition) ? "yes" : "no";
    return `| \`${prop}\` | ${typeOf(definition)} | ${binding} | ${notes.join(", ")} |`;
  });
  return `| property | type | binding | |\n|---|---|---|---|\n${rows.join("\n")}`;
}

/** Returns the definition of a type in short form, such as `"string"` or a list of literals. */
function normalizeType(written) {
  if (typeof written === "string") return { type: written };
  return Array.isArray(written) ? { enum: written } : written;
}

const STRUCTURAL = ["component", "children", "action", "checks"];

function isBindable({ bindable, type, enum: literals }) {
  return bindable ?? !(literals !== undefined || STRUCTURAL.includes(type));
}

function typeOf(written) {
  const definition = normalizeType(written);
  if (definition.enum) {
    if (definition.enum.length > 12)
      return `one of ${definition.enum.length} names: ${definition.enum.map((name) => `\`${name}\``).join(", ")}`;
    return definition.enum.map((value) => `\`${value}\``).join(", ");
  }
  if (definition.anyOf) return definition.anyOf.map(typeOf).join("; or ");
  if (definition.type === "array") return `array of ${typeOf(definition.items ?? "any")}`;
  if (definition.properties) {
    const fields = Object.entries(definition.properties).map(
      ([name, type]) => `\`${name}\` (${typeOf(type)})`,
    );
    return `object with ${fields.join(", ")}`;
  }
  return definition.type ?? "any";
}
