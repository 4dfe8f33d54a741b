import type { DataContext } from "../data-context.js";
import { asObject, isJsonObject, stringOf } from "../json-value.js";
import type { Binding, ChildList, Instance, Json } from "../types.js";
import type { ObservedStore, ObservedSurface } from "./types.js";

/** Maximum number of instances traced. */
const MAX_INSTANCES = 4000;

/** Property with a binding, and where its value comes from. */
export interface BoundProp {
  prop: string;
  binding: Binding;
  /** Node that the binding reads; null for a literal row. */
  node: string | null;
  /** Node that a pointer in the property references. */
  ref: string | null;
  value: Json;
  status: string;
}

/** Instance with its bindings. */
export interface InstanceTrace {
  instance: Instance;
  parent: string | null;
  /** Data context: a node id, or null at the top and for a literal item. */
  context: string | null;
  bound: BoundProp[];
}

/** Surface and store, with the definitions of the components, which have the bindings. */
export interface TraceSource {
  readonly surface: Pick<ObservedSurface, "tree">;
  readonly store: Pick<ObservedStore, "read" | "children" | "has">;
  readonly definitions: ReadonlyMap<string, { readonly [prop: string]: Json }>;
}

/** Returns the nodes that each instance reads, by walking the definitions and the tree together. */
export function traceBindings(source: TraceSource): Map<string, InstanceTrace> {
  const { store, definitions } = source;
  const found = new Map<string, InstanceTrace>();
  const top = source.surface.tree();
  type Pending = {
    instance: Instance;
    parent: string | null;
    context: DataContext | undefined;
    name: string | null;
  };
  const pending: Pending[] = top
    ? [{ instance: top, parent: null, context: undefined, name: null }]
    : [];
  // Depth first, so that the rows at the top are traced even if the list is long.
  for (let next = pending.pop(); next && found.size < MAX_INSTANCES; next = pending.pop()) {
    const { instance, parent, context, name } = next;
    const definition = definitions.get(instance.id) ?? {};
    const bound: BoundProp[] = [];
    const lists: ChildList[] = [];
    for (const [prop, value] of Object.entries(definition)) {
      const binding = bindingOf(value);
      if (!binding) continue;
      const reading = store.read(binding, context);
      bound.push({
        prop,
        binding,
        node: binding.node ?? name ?? (context === undefined ? "root" : null),
        ref: reading.ref ?? null,
        value: reading.value,
        status: reading.status,
      });
      const list = asObject(value);
      const template = stringOf(list?.["template"]) ?? stringOf(list?.["componentId"]);
      if (template !== undefined) lists.push({ binding, template });
    }
    found.set(instance.key, { instance, parent, context: name, bound });
    const [list] = lists;
    const items = list ? store.children(list, context) : null;
    const owner = instance.key;
    const children = instance.children.slice(0, MAX_INSTANCES).map((child, index): Pending => {
      const item = items?.[index];
      return item
        ? {
            instance: child,
            parent: owner,
            context: item.context,
            name: itemNode(store, item.key),
          }
        : { instance: child, parent: owner, context, name };
    });
    pending.push(...children.reverse());
  }
  return found;
}

function bindingOf(value: Json | undefined): Binding | null {
  const binding = asObject(value)?.["binding"];
  return isJsonObject(binding) ? (binding as Binding) : null;
}

/**
 * Returns the node of a list item, or null for a literal. The key of a repeated node ends in a
 * counter.
 */
function itemNode(store: Pick<ObservedStore, "has">, key: string): string | null {
  if (store.has(key)) return key;
  const first = key.replace(/#\d+$/, "");
  return first !== "" && store.has(first) ? first : null;
}
