import { asObject, isJsonObject, type JsonObject } from "../json-value.js";
import { escapeMarkers, jsonLine, lineText, nameText, oneLine } from "./prompt-text.js";
import { isBindable, normalizeType } from "./prop-types.js";
import { MESSAGES } from "./schema.js";
import type {
  CatalogDefinition,
  CatalogOptions,
  ComponentDefinition,
  Literal,
  MessageName,
  PropDefinition,
  PropType,
} from "./types.js";

/** One-line description of each message. */
const MESSAGE_HELP: { readonly [name in MessageName]: string } = {
  createSurface: '{"createSurface":{"surfaceId":ID}} begins a surface, once.',
  updateComponents:
    '{"updateComponents":{"surfaceId":ID,"components":[…]}} adds components or replaces them by id. The one with the id "root" is the top.',
  updateDataModel: '{"updateDataModel":{"surfaceId":ID,"nodes":{…}}} sets nodes of the data by id.',
  deleteSurface: '{"deleteSurface":{"surfaceId":ID}} ends it.',
};

const DATA_HELP = `## Data
The data is one flat map from node id to value. "root" is the top.
- Inside a list or map, a string that begins with * points to the node of that id: "*u1". Give a node to whatever is listed, shared or changed later; write the rest in place.
- There is no escape: other text that begins with * becomes a node of its own, with a pointer to it. A node that is text is never a pointer.
- Ids are names that you choose. They begin with neither * nor !.
- A node that is sent again is replaced as a whole. Send only nodes that change.
- "!id":null deletes a node; rows that point to it go with it.
- To insert, remove or reorder rows, send the list again with its pointers in the new order. Never write an index or a path.`;

/** Line of the data help that list edits replace. */
const LIST_HELP = DATA_HELP.split("\n").at(-1) as string;

/** Lines for extensions of the store. */
const EXTENSION_HELP = {
  listEdits: `- "+list":{"items":["*u1"],"before":"*u2"} inserts or moves rows of the node "list" ("after" works too; without both, at the end). "-list":["*u1"] removes rows. Never write an index or a path.
- ">id":" more" appends to a node that is text.`,
  merge: '- "~id":{…} sets some properties of a node and keeps the others.',
};

const COMPONENT_HELP = `## Components
{"id":ID,"component":NAME,…properties}. They are flat: a component names others by id.
- In place of a value a property may hold {"binding":{"node":ID,"key":PROPERTY}}. "key" names one property of that node, never a path. Without "key" it is the node itself. Without "node" it starts at the item of the list around it, or at root.
- children: ["id",…], or {"binding":{…},"template":ID} to show one component for each item of a list.
- action: {"event":{"name":TEXT,"context":{…}}}; bindings in the context are read when the user acts.`;

/** Unquoted words with a meaning: types and literals. */
const RESERVED_WORDS = new Set<string>([
  ...["string", "number", "integer", "boolean", "array", "object", "any"],
  ...["component", "children", "action", "checks", "true", "false", "null"],
]);

/** Returns the system prompt for a model that writes surfaces of a catalog. */
export function prompt(catalog: CatalogDefinition, options: CatalogOptions = {}): string {
  const names = options.messages ?? MESSAGES;
  const shape = options.list
    ? 'Answer with one JSON object {"messages":[…]} and nothing else.'
    : "Answer with JSON messages and nothing else, each whole on one line.";
  const builds = names.includes("createSurface") || names.includes("updateComponents");
  return [
    `You write and edit user interfaces. ${shape}\n\n## Messages`,
    ...names.map((name) => `- ${messageHelp(name, options)}`),
    ...(names.includes("updateDataModel") ? ["", dataHelp(options)] : []),
    ...(builds ? ["", ...componentLines(catalog)] : []),
    ...(catalog.instructions === undefined ? [] : ["", catalog.instructions]),
    "",
    "## Examples",
    ...exampleLines(catalog, names, options),
  ].join("\n");
}

/** Returns the line of a message, with the id of the surface where it is fixed. */
function messageHelp(name: MessageName, { surfaceId }: CatalogOptions): string {
  const help = MESSAGE_HELP[name];
  if (surfaceId === undefined) return help;
  const written = jsonLine(surfaceId);
  return help.replace('"surfaceId":ID', () => `"surfaceId":${written}`);
}

function dataHelp({ extensions = {} }: CatalogOptions): string {
  const { listEdits, merge } = extensions;
  const help = listEdits ? DATA_HELP.replace(LIST_HELP, EXTENSION_HELP.listEdits) : DATA_HELP;
  return merge ? `${help}\n${EXTENSION_HELP.merge}` : help;
}

/** Returns where a component is allowed and what it may contain, as sentences. */
function placementSentences({
  allowedParents,
  allowedChildren,
}: Pick<ComponentDefinition, "allowedParents" | "allowedChildren">): string[] {
  return [
    ...(allowedParents === undefined
      ? []
      : [`Only in ${allowedParents.map(nameText).join(", ")}.`]),
    ...(allowedChildren === undefined
      ? []
      : [`Contains only ${allowedChildren.map(nameText).join(", ")}.`]),
  ];
}

function componentLines(catalog: CatalogDefinition): string[] {
  const { common = {}, functions = {} } = catalog;
  const shared = Object.keys(common);
  const all = Object.values(catalog.components).flatMap(({ props = {} }) => Object.values(props));
  const has = (type: string): boolean => all.some((one) => normalizeType(one).type === type);
  const componentHelp = COMPONENT_HELP.split("\n").filter(
    (line) => !/^- (children|action):/.test(line) || has(line.slice(2, line.indexOf(":"))),
  );
  if (has("checks")) componentHelp.push(checksHelp(catalog));
  const lines = [
    ...componentHelp,
    "- ? may be left out; = takes neither binding nor call.",
    ...Object.entries(catalog.components).map(([name, { description, props = {}, ...rest }]) => {
      const ownProps = Object.entries(props).filter(([prop]) => !shared.includes(prop));
      const help = [
        description === undefined ? [] : oneLine(description),
        placementSentences(rest),
      ].flat();
      return [`${nameText(name)}(${propList(ownProps)})`, ...help].join(" ");
    }),
  ];
  if (shared.length > 0) lines.push(`Every component: ${propList(Object.entries(common))}`);
  if (Object.keys(functions).length === 0) return lines;
  lines.push(
    "",
    "## Functions",
    'In place of a value: {"call":NAME,"args":{…}}. Arguments may be bindings and calls. Those that give void are for actions: {"functionCall":{"call":…}}.',
  );
  for (const [name, { args = {}, returns, description }] of Object.entries(functions)) {
    const gives = returns === undefined ? "" : `: ${oneLine(returns)}`;
    const note = description === undefined ? "" : ` ${oneLine(description)}`;
    lines.push(`${nameText(name)}(${propList(Object.entries(args))})${gives}${note}`);
  }
  return lines;
}

function checksHelp({ components }: CatalogDefinition): string {
  const { checks, submit } = components["Button"]?.props ?? {};
  const disabled = checks === undefined ? "" : "; a Button with a false one is disabled";
  const form = 'A Button with "submit":true acts only when all inputs of its form pass.';
  return [
    '- checks: [{"condition":CALL,"message":TEXT}].',
    `An input shows the message of its first condition that is false${disabled}.`,
    ...(submit === undefined ? [] : [form]),
  ].join(" ");
}

function propList(props: readonly (readonly [string, PropType])[]): string {
  return props
    .map(([prop, type]) => {
      const one = normalizeType(type);
      const optionalMark = one.required === true ? "" : "?";
      const note = one.description === undefined ? "" : ` /* ${oneLine(one.description)} */`;
      return `${nameText(prop)}${optionalMark}${needsFixedMark(one) ? "=" : ":"} ${typeText(one)}${note}`;
    })
    .join(", ");
}

/**
 * Returns whether the prompt must mark a property as not bindable. Types that name components never
 * are.
 */
function needsFixedMark(one: PropDefinition): boolean {
  return (
    !isBindable(one) && !["component", "children", "action", "checks"].includes(one.type ?? "")
  );
}

function typeText(one: PropDefinition): string {
  return escapeMarkers(joinedType(one));
}

function joinedType(one: PropDefinition): string {
  if (one.enum !== undefined) return one.enum.map(literalText).join("|");
  if (one.anyOf !== undefined)
    return one.anyOf.map((type) => typeText(normalizeType(type))).join("|");
  if (one.items !== undefined) return `[${typeText(normalizeType(one.items))}]`;
  if (one.properties !== undefined) return `{${propList(Object.entries(one.properties))}}`;
  return one.type === undefined ? "any" : oneLine(one.type);
}

/** Returns a literal, in quotes if it could be confused with a type. */
function literalText(value: Literal): string {
  const plain = typeof value === "string" && /^[a-zA-Z]\w*$/.test(value);
  return plain && !RESERVED_WORDS.has(value) ? value : jsonLine(value);
}

function exampleLines(
  catalog: CatalogDefinition,
  names: readonly MessageName[],
  { list: wrapped, surfaceId }: CatalogOptions,
): string[] {
  let isCreated = false;
  return (catalog.examples ?? []).flatMap(({ request, messages }) => {
    const ofSurface = messages.flatMap((message) => {
      if (surfaceId === undefined) return [message];
      const isRepeated = isCreated && Object.hasOwn(message, "createSurface");
      isCreated ||= Object.hasOwn(message, "createSurface");
      return isRepeated ? withoutCreation(message) : [message];
    });
    const matching = ofSurface.filter((message) =>
      names.some((name) => Object.hasOwn(message, name)),
    );
    if (matching.length === 0) return [];
    const written = matching.map((message) => jsonLine(withSurface(message, surfaceId)));
    return [lineText(request), ...(wrapped ? [`{"messages":[${written.join(",")}]}`] : written)];
  });
}

/**
 * Returns the message of an example for a surface that an earlier example has created: its
 * components, or nothing.
 */
function withoutCreation(message: object): object[] {
  const body = asObject((message as JsonObject)["createSurface"]);
  const { surfaceId = "", components } = body ?? {};
  return components === undefined ? [] : [{ updateComponents: { surfaceId, components } }];
}

/** Returns a message of an example with the id of the surface, where it is fixed. */
function withSurface(message: object, surfaceId: string | undefined): object {
  if (surfaceId === undefined) return message;
  return Object.fromEntries(
    Object.entries(message).map(([key, body]) => [
      key,
      isJsonObject(body) && "surfaceId" in body ? { ...body, surfaceId } : body,
    ]),
  );
}
