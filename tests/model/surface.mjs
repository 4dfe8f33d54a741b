// Reference model of Surface, which expands the complete tree on each request.
// A key is the path from the root: component ids and item keys (rule 21).

import { itemKeys, itemsOf } from "./child-list.mjs";
import { TOP } from "./reading.mjs";
import { nodesOf } from "./update.mjs";
import { isMap } from "./values.mjs";

const NO_CATALOG = { child: ["child"], children: ["children"], actions: ["action"] };

export class ModelSurface {
  constructor({ store, catalog, onAction }) {
    this.store = store;
    this.catalog = catalog;
    this.onAction = onAction;
    this.components = new Map();
    this.surfaceId = null;
  }

  receive(message) {
    if (message.createSurface) this.surfaceId = message.createSurface.surfaceId;
    if (message.deleteSurface) this.components.clear();
    for (const each of message.updateComponents?.components ?? []) {
      this.components.set(each.id, each);
    }
    if (message.updateDataModel && nodesOf(message)) return this.store.apply(message);
    return { ok: true, diagnostics: [] };
  }

  /** Throws a RangeError if there are more instances than `limit`. */
  tree(limit = Infinity) {
    this.remaining = limit;
    if (!this.components.has("root")) return null;
    return this.expand("root", { context: TOP, ancestors: [], key: "root", position: null });
  }

  trigger(key, prop) {
    const { definition, location } = this.find(this.tree(), key);
    const { event } = definition[prop];
    this.onAction({
      name: event.name,
      sourceComponentId: definition.id,
      sourceKey: key,
      surfaceId: this.surfaceId,
      context: this.resolve(event.context ?? {}, location),
    });
  }

  find(instance, key) {
    if (instance.key === key) return instance;
    return instance.children.map((child) => this.find(child, key)).find((match) => match) ?? null;
  }

  expand(id, location) {
    this.remaining -= 1;
    if (this.remaining < 0) throw new RangeError("too many instances");
    const definition = this.components.get(id);
    const instance = {
      id,
      component: definition?.component ?? "",
      key: location.key,
      props: {},
      children: [],
    };
    Object.defineProperty(instance, "definition", { value: definition });
    Object.defineProperty(instance, "location", { value: location });
    const {
      child = [],
      children = [],
      actions = [],
    } = this.catalog?.components[instance.component] ?? NO_CATALOG;
    for (const [prop, value] of Object.entries(definition ?? {})) {
      if (prop === "id" || prop === "component") continue;
      if (child.includes(prop)) this.mount(instance, [{ id: value }], location);
      else if (children.includes(prop))
        this.mount(instance, this.childrenOf(value, location), location);
      else {
        const resolved = actions.includes(prop) ? value : this.resolve(value, location);
        define(instance.props, prop, resolved);
        for (const path of child.filter((each) => each.startsWith(`${prop}.`))) {
          const ids = value.map((item) => ({ id: item[path.split(".")[1]] }));
          this.mount(instance, ids, location);
        }
      }
    }
    return instance;
  }

  /** Returns the children of a property: component ids, or items of a list with their contexts. */
  childrenOf(value, { context }) {
    if (Array.isArray(value)) return value.map((id) => ({ id }));
    const id = value.template ?? value.componentId;
    return itemsOf(this.store.nodes, value, context, this.store.options).map((item, position) => ({
      id,
      item,
      position,
    }));
  }

  mount(instance, items, location) {
    const keys = itemKeys(items.map(({ id }) => id));
    items.forEach(({ id, item, position }, at) => {
      const context = item?.context ?? location.context;
      const step = context.path.length === 0 ? `${id} ${context.node}` : null;
      const ownStep =
        location.context.path.length === 0 ? `${instance.id} ${location.context.node}` : null;
      const ancestors = [...location.ancestors, ownStep];
      if (step !== null && ancestors.includes(step)) return;
      const key = item ? `${location.key}/${id}[${item.key}]` : `${location.key}/${keys[at]}`;
      instance.children.push(
        this.expand(id, { context, ancestors, key, position: position ?? location.position }),
      );
    });
  }

  resolve(value, location) {
    if (Array.isArray(value)) return value.map((item) => this.resolve(item, location));
    if (!isMap(value)) return value;
    if (isMap(value.binding)) return this.store.read(value.binding, location.context).value;
    if (value.call === "@index") return location.position + (value.args?.offset ?? 0);
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, this.resolve(item, location)]),
    );
  }
}

/** Sets an own property with any name. */
function define(object, name, value) {
  Object.defineProperty(object, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
