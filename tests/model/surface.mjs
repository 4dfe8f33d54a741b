// The reference model of Surface: the whole tree expanded again whenever it is asked for.
// Keys are the way down: component id and item key (rule 21).

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

  /** Throws where there are more instances than `most`. */
  tree(most = Infinity) {
    this.left = most;
    if (!this.components.has("root")) return null;
    return this.expand("root", { context: TOP, way: [], key: "root", position: null });
  }

  trigger(key, prop) {
    const { definition, place } = this.find(this.tree(), key);
    const { event } = definition[prop];
    this.onAction({
      name: event.name,
      sourceComponentId: definition.id,
      sourceKey: key,
      surfaceId: this.surfaceId,
      context: this.resolve(event.context ?? {}, place),
    });
  }

  find(instance, key) {
    if (instance.key === key) return instance;
    return instance.children.map((child) => this.find(child, key)).find((found) => found) ?? null;
  }

  expand(id, place) {
    this.left -= 1;
    if (this.left < 0) throw new RangeError("too many instances");
    const definition = this.components.get(id);
    const instance = {
      id,
      component: definition?.component ?? "",
      key: place.key,
      props: {},
      children: [],
    };
    Object.defineProperty(instance, "definition", { value: definition });
    Object.defineProperty(instance, "place", { value: place });
    const {
      child = [],
      children = [],
      actions = [],
    } = this.catalog?.components[instance.component] ?? NO_CATALOG;
    for (const [prop, value] of Object.entries(definition ?? {})) {
      if (prop === "id" || prop === "component") continue;
      if (child.includes(prop)) this.mount(instance, [{ id: value }], place);
      else if (children.includes(prop)) this.mount(instance, this.listed(value, place), place);
      else {
        const resolved = actions.includes(prop) ? value : this.resolve(value, place);
        define(instance.props, prop, resolved);
        for (const path of child.filter((each) => each.startsWith(`${prop}.`))) {
          const ids = value.map((item) => ({ id: item[path.split(".")[1]] }));
          this.mount(instance, ids, place);
        }
      }
    }
    return instance;
  }

  /** What a `children` property names: component ids, or items of a list with their contexts. */
  listed(value, { context }) {
    if (Array.isArray(value)) return value.map((id) => ({ id }));
    const id = value.template ?? value.componentId;
    return itemsOf(this.store.nodes, value, context, this.store.options).map((item, position) => ({
      id,
      item,
      position,
    }));
  }

  mount(instance, named, place) {
    const keys = itemKeys(named.map(({ id }) => id));
    named.forEach(({ id, item, position }, at) => {
      const context = item?.context ?? place.context;
      const pair = context.path.length === 0 ? `${id} ${context.node}` : null;
      const own = place.context.path.length === 0 ? `${instance.id} ${place.context.node}` : null;
      const way = [...place.way, own];
      if (pair !== null && way.includes(pair)) return;
      const key = item ? `${place.key}/${id}[${item.key}]` : `${place.key}/${keys[at]}`;
      instance.children.push(
        this.expand(id, { context, way, key, position: position ?? place.position }),
      );
    });
  }

  resolve(value, place) {
    if (Array.isArray(value)) return value.map((item) => this.resolve(item, place));
    if (!isMap(value)) return value;
    if (isMap(value.binding)) return this.store.read(value.binding, place.context).value;
    if (value.call === "@index") return place.position + (value.args?.offset ?? 0);
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, this.resolve(item, place)]),
    );
  }
}

/** Sets an own property, whatever its name. */
function define(object, name, value) {
  Object.defineProperty(object, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
