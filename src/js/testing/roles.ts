import { asList, asText, isJsonObject } from "../json-value.js";
import type { Instance, Json } from "../types.js";

/** Roles (WAI-ARIA) of the basic components, as `byname/dom` renders them. */
const ROLES: { readonly [component: string]: string | ((props: Props) => string | undefined) } = {
  Text: ({ text, variant }) =>
    /^h\d$/.test(asText(variant)) || /^#{1,6} /.test(asText(text)) ? "heading" : "paragraph",
  Image: "img",
  Icon: "img",
  List: "list",
  Tabs: "tablist",
  Modal: "dialog",
  Divider: "separator",
  Button: "button",
  TextField: "textbox",
  CheckBox: "checkbox",
  ChoicePicker: ({ variant }) => (variant === "mutuallyExclusive" ? "radiogroup" : "group"),
  Slider: "slider",
  DateTimeInput: "textbox",
};

type Props = { readonly [prop: string]: Json };

/** Roles of other components: a role, or a function of the properties. */
export type Roles = typeof ROLES;

/** Returns the role of an instance, or undefined without one. */
export function roleOf({ component, props }: Instance, roles: Roles): string | undefined {
  const all = Object.hasOwn(roles, component) ? roles : ROLES;
  const role = Object.hasOwn(all, component) ? all[component] : undefined;
  return typeof role === "function" ? role(props) : role;
}

/** Returns the accessible name of an instance: its label, its description, or its text. */
export function nameOf(instance: Instance): string {
  const { accessibility, label, description } = instance.props;
  const given = isJsonObject(accessibility) ? accessibility["label"] : undefined;
  return (
    asText(given) || asText(label) || asText(description) || textOf(instance).replaceAll("\n", " ")
  );
}

/** Returns the texts of an instance and all that it contains, one per line. */
export function textOf({ component, props, children }: Instance): string {
  const texts = [
    props["label"],
    props["text"],
    ...(component === "TextField" || component === "DateTimeInput" ? [props["value"]] : []),
    ...titlesOf(props["tabs"]),
    ...titlesOf(props["options"]),
  ];
  const own = texts.map((text) => withoutMarks(asText(text)));
  return [...own, ...children.map(textOf)].filter((text) => text !== "").join("\n");
}

function titlesOf(list: Json | undefined): (Json | undefined)[] {
  return asList(list).map((one) =>
    isJsonObject(one) ? (one["title"] ?? one["label"]) : undefined,
  );
}

/** Removes the marks of a Markdown heading. */
function withoutMarks(text: string): string {
  return text.replace(/^#{1,6} /, "");
}
