// Plain A2UI (a JSON data model addressed by pointers) into HAM.
//
// Naming: a node's id is the JSON pointer of the object or list that it holds, `root` for the
// whole model. An object is a map whose primitives stand inline, an item of a list is always a
// node of its own. So a later update of any path has a node to name, and the pointer
// `/user/name/first` is the binding {node: "/user/name", key: "first"}.

const SIGIL = "*";

/** Translates messages in order; it keeps the data model, as updates name only a part of it. */
export class Translator {
  constructor() {
    this.model = undefined;
    this.nodes = {};
  }

  message(message) {
    if (message.updateComponents) {
      const { components, ...rest } = message.updateComponents;
      return { ...message, updateComponents: { ...rest, components: components.map(component) } };
    }
    if (!message.updateDataModel) return message;
    const { path = "/", value, ...rest } = message.updateDataModel;
    this.model = withValue(this.model, segmentsOf(path), value);
    const nodes = nodesOf(this.model);
    const update = difference(this.nodes, nodes);
    this.nodes = nodes;
    return { ...message, updateDataModel: { ...rest, nodes: update } };
  }
}

/** Every `{path}` below becomes a binding, whatever holds it: a property, an argument, a context. */
export function component(definition) {
  return Object.fromEntries(
    Object.entries(definition).map(([name, value]) => [name, dynamic(value)]),
  );
}

function dynamic(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(dynamic);
  if (typeof value.path === "string") return bound(value);
  if (value.call === "formatString") return interpolated(value);
  return component(value);
}

function bound({ path, componentId, ...rest }) {
  const binding = bindingOf(path);
  return componentId === undefined
    ? { ...rest, binding }
    : { ...rest, binding, template: componentId };
}

/** The text of formatString stays; the paths that it names are listed beside it, bound. */
function interpolated(call) {
  const text = call.args.value;
  if (typeof text !== "string") return component(call);
  const paths = Object.fromEntries(
    pathsIn(text).map((path) => [path, { binding: bindingOf(path) }]),
  );
  return { ...call, args: { ...component(call.args), values: paths } };
}

/** The data paths inside `${…}`, nested ones too: `${formatDate(value: ${/now})}` names `/now`. */
export function pathsIn(text) {
  const found = text.matchAll(/\$\{\s*([^\s${}()':,]+)\s*\}/g);
  return [...new Set([...found].map((match) => match[1]))];
}

/** Relative paths are properties of the context; an item of a list is bound as a whole node. */
export function bindingOf(path) {
  if (path === "" || path === ".") return {};
  const segments = segmentsOf(path);
  if (!path.startsWith("/")) {
    if (segments.length > 1) throw new Error(`a deep relative path has no HAM form: ${path}`);
    return { key: segments[0] };
  }
  const key = segments.at(-1);
  if (key === undefined) return { node: "root" };
  if (/^\d+$/.test(key)) return { node: idOf(segments) };
  return { node: idOf(segments.slice(0, -1)), key };
}

export function segmentsOf(path) {
  return path
    .split("/")
    .filter((part) => part !== "")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function idOf(segments) {
  const escaped = segments.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"));
  return escaped.length === 0 ? "root" : `/${escaped.join("/")}`;
}

/** The nodes of a whole data model. */
export function nodesOf(model) {
  const nodes = {};
  if (model !== undefined) addNode(nodes, [], model);
  return nodes;
}

function addNode(nodes, segments, value) {
  const below = (name, item) => {
    addNode(nodes, [...segments, name], item);
    return `${SIGIL}${idOf([...segments, name])}`;
  };
  if (Array.isArray(value)) {
    nodes[idOf(segments)] = value.map((item, at) => below(String(at), item));
  } else if (typeof value === "object" && value !== null) {
    nodes[idOf(segments)] = Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        isInline(item) ? item : below(name, item),
      ]),
    );
  } else {
    nodes[idOf(segments)] = value;
  }
}

/** Text that begins with the sigil is hoisted, as the source asks. */
function isInline(value) {
  if (typeof value === "string") return !value.startsWith(SIGIL);
  return typeof value !== "object" || value === null;
}

/** The update that leads from one set of nodes to the other. */
function difference(before, after) {
  const update = {};
  for (const id of Object.keys(before)) if (!Object.hasOwn(after, id)) update[`!${id}`] = null;
  for (const [id, value] of Object.entries(after)) {
    const unchanged =
      Object.hasOwn(before, id) && JSON.stringify(before[id]) === JSON.stringify(value);
    if (!unchanged) update[id] = value;
  }
  return update;
}

/** A copy of the model with the value at a path replaced, or taken away where it is undefined. */
function withValue(model, [segment, ...rest], value) {
  if (segment === undefined) return structuredClone(value);
  const copy = model ?? (/^\d+$/.test(segment) ? [] : {});
  const inner = withValue(copy[segment], rest, value);
  if (Array.isArray(copy)) return Object.assign([...copy], { [segment]: inner });
  const { [segment]: _old, ...others } = copy;
  return inner === undefined ? others : { ...copy, [segment]: inner };
}
