import { TypedCatalog } from "../catalog/define/typed.js";
import { icons } from "./base/icons.js";
import { examples } from "./examples.js";
import { functions } from "./function-types.js";

const text = { type: "string", required: true } as const;
const media = { ...text, url: "media" } as const;
const child = { type: "component", required: true } as const;
const children = { type: "children", required: true } as const;
/** Boolean property that cannot be bound. */
const flag = { type: "boolean", bindable: false } as const;
const align = ["start", "center", "end", "stretch"] as const;
const justify = [
  "start",
  "center",
  "end",
  "spaceBetween",
  "spaceAround",
  "spaceEvenly",
  "stretch",
] as const;

const components = {
  Text: {
    description: "Text with a little Markdown",
    props: { text, variant: ["h1", "h2", "h3", "h4", "h5", "caption", "body"] },
  },
  Image: {
    props: {
      url: { ...text, url: "image" },
      description: "string",
      fit: ["contain", "cover", "fill", "none", "scaleDown"],
      variant: ["icon", "avatar", "smallFeature", "mediumFeature", "largeFeature", "header"],
    },
  },
  Icon: {
    props: {
      name: {
        anyOf: [{ enum: [...icons.keys()] }, { type: "object", properties: { svgPath: text } }],
        required: true,
      },
    },
  },
  Video: { props: { url: media, posterUrl: { type: "string", url: "image" } } },
  AudioPlayer: { props: { url: media, description: "string" } },
  Row: { props: { children, justify, align } },
  Column: { props: { children, justify, align } },
  List: { props: { children, direction: ["vertical", "horizontal"], align } },
  Card: { props: { child } },
  Tabs: {
    props: {
      tabs: {
        type: "array",
        items: { properties: { title: text, child }, bindable: false },
        minItems: 1,
        bindable: false,
        required: true,
      },
    },
  },
  Modal: {
    description:
      "A dialog that opens when its trigger is pressed or open becomes true; a Button in it closes it with closeModal",
    props: {
      trigger: child,
      content: child,
      open: { type: "boolean", input: true, positional: false },
    },
  },
  Divider: { props: { axis: ["horizontal", "vertical"] } },
  Button: {
    props: {
      child,
      variant: ["default", "primary", "borderless"],
      action: { type: "action", required: true },
      checks: "checks",
      submit: { ...flag, positional: false },
    },
  },
  TextField: {
    props: {
      label: text,
      value: { type: "string", input: true },
      placeholder: "string",
      variant: ["shortText", "longText", "number", "obscured"],
      validationRegexp: { type: "string", bindable: false, positional: false },
      checks: "checks",
    },
  },
  CheckBox: {
    props: {
      label: text,
      value: { type: "boolean", required: true, input: true },
      checks: "checks",
    },
  },
  ChoicePicker: {
    props: {
      label: "string",
      variant: ["multipleSelection", "mutuallyExclusive"],
      options: {
        type: "array",
        items: {
          properties: { label: text, value: { ...text, bindable: false } },
          bindable: false,
        },
        bindable: false,
        required: true,
      },
      value: {
        type: "array",
        items: { type: "string", bindable: false },
        required: true,
        input: true,
      },
      displayStyle: ["checkbox", "chips"],
      filterable: flag,
      checks: "checks",
    },
  },
  Slider: {
    props: {
      label: "string",
      min: { type: "number", bindable: false },
      max: { type: "number", bindable: false, required: true },
      value: { type: "number", required: true, input: true },
      steps: { type: "integer", minimum: 1, bindable: false },
      checks: "checks",
    },
  },
  DateTimeInput: {
    description: "ISO 8601",
    props: {
      value: { ...text, format: "date-time", input: true },
      enableDate: flag,
      enableTime: flag,
      min: { type: "string", format: "date-time" },
      max: { type: "string", format: "date-time" },
      label: "string",
      checks: "checks",
    },
  },
} as const;

const common = {
  weight: { type: "number", bindable: false },
  accessibility: {
    type: "object",
    properties: {
      label: "string",
      description: "string",
      live: ["off", "polite", "assertive"],
      hidden: "boolean",
    },
    bindable: false,
    positional: false,
  },
} as const;

/**
 * A2UI basic catalog: 18 components and 15 functions. It is pure data for `new Surface({ catalog:
 * basicCatalog })` and needs no document. `prompt()`, `schema()` and `gbnf()` describe it to a
 * model.
 */
export const basicCatalog: TypedCatalog<{
  readonly components: typeof components;
  readonly common: typeof common;
}> = /* @__PURE__ */ new TypedCatalog({ components, common, functions, examples });
