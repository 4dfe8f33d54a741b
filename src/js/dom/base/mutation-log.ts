/** Arguments of `append` and similar methods. */
type InsertArguments = readonly (Node | string)[];

/**
 * Log of the nodes that components insert and remove. Mutations of an attached element are recorded
 * and not done, except for texts that are set.
 */
export class MutationLog {
  /** Logged child nodes by element, and by node the list that contains it. */
  readonly #nodesByElement = new Map<Element, Node[]>();
  readonly #listByNode = new Map<Node, Node[]>();
  /** Nodes that were removed. */
  readonly removed = new Set<Node>();
  /** Texts that were inserted as strings, so that no component has a reference to their nodes. */
  readonly stringTexts = new Set<Node>();
  readonly #descriptors: PropertyDescriptorMap = {
    ...Object.getOwnPropertyDescriptors(this.#loggingMethods()),
    ...this.#textProperties(),
    ...this.#childProperties(),
  };

  /** Starts to log the mutations of an element by overriding its methods and properties. */
  attach(element: Element): void {
    Object.defineProperties(element, this.#descriptors);
  }

  /** Stops logging the mutations of an element. */
  detach(element: Element): void {
    for (const name of Object.keys(this.#descriptors)) Reflect.deleteProperty(element, name);
  }

  /** Returns the logged child nodes of an element, or `undefined` if nothing was inserted. */
  nodesIn(element: Element): readonly Node[] | undefined {
    return this.#nodesByElement.get(element);
  }

  /** Discards the logged child nodes of an element. */
  clear(element: Element): void {
    this.#nodesByElement.delete(element);
  }

  /** Inserts nodes into an element before a node, or at the end. */
  #insertInto(element: Element, added: InsertArguments, before?: Node | null): void {
    const list = this.#nodesByElement.get(element) ?? [];
    this.#nodesByElement.set(element, list);
    const at = before ? list.indexOf(before) : -1;
    this.#insertAt(list, added, at < 0 ? list.length : at);
  }

  /** Inserts nodes next to a sibling: before it, or after it if `offset` is 1. */
  #insertNextTo(node: Node, added: InsertArguments, offset = 0): void {
    const list = this.#listByNode.get(node);
    if (list) this.#insertAt(list, added, list.indexOf(node) + offset);
  }

  /** Removes all logged child nodes of an element. */
  #removeLogged(element: Element): void {
    for (const node of this.#nodesByElement.get(element)?.splice(0) ?? []) {
      this.#listByNode.delete(node);
      this.removed.add(node);
    }
  }

  #remove(node: Node): void {
    this.#removeFromList(node);
    this.#listByNode.delete(node);
    this.removed.add(node);
    if (node.parentNode) Node.prototype.removeChild.call(node.parentNode, node);
  }

  #insertAt(list: Node[], added: InsertArguments, at: number): void {
    const before = list[at];
    const nodes = added.flatMap((one) => this.#toNodes(one));
    for (const node of nodes) {
      this.#removeFromList(node);
      this.#listByNode.set(node, list);
      this.removed.delete(node);
    }
    list.splice(before ? list.indexOf(before) : list.length, 0, ...nodes);
  }

  /** Returns the nodes to insert. The DOM converts other values to text. */
  #toNodes(one: Node | string): Node | Node[] {
    if (one instanceof Node)
      return one.nodeType === DOCUMENT_FRAGMENT_NODE ? [...one.childNodes] : one;
    const text = new Text(String(one));
    this.stringTexts.add(text);
    return text;
  }

  #removeFromList(node: Node): void {
    const list = this.#listByNode.get(node);
    list?.splice(list.indexOf(node), 1);
  }

  /** Returns the DOM methods that insert and remove nodes, with logging. */
  #loggingMethods() {
    const log = this;
    const insertBefore = function <T extends Node>(this: Element, node: T, before: Node | null): T {
      log.#insertInto(this, [node], before);
      return node;
    };
    return {
      append(this: Element, ...added: (Node | string)[]): void {
        log.#insertInto(this, added);
      },
      prepend(this: Element, ...added: (Node | string)[]): void {
        log.#insertInto(this, added, log.nodesIn(this)?.[0]);
      },
      appendChild<T extends Node>(this: Element, node: T): T {
        log.#insertInto(this, [node]);
        return node;
      },
      remove(this: Element): void {
        log.#remove(this);
      },
      removeChild<T extends Node>(this: Element, node: T): T {
        log.#remove(node);
        return node;
      },
      replaceChild<T extends Node>(this: Element, node: Node, old: T): T {
        log.#insertInto(this, [node], old);
        log.#remove(old);
        return old;
      },
      replaceWith(this: Element, ...added: (Node | string)[]): void {
        log.#insertNextTo(this, added);
        log.#remove(this);
      },
      before(this: Element, ...added: (Node | string)[]): void {
        log.#insertNextTo(this, added);
      },
      after(this: Element, ...added: (Node | string)[]): void {
        log.#insertNextTo(this, added, 1);
      },
      replaceChildren(this: Element, ...added: (Node | string)[]): void {
        log.#removeLogged(this);
        log.#insertInto(this, added);
      },
      insertBefore,
      moveBefore: insertBefore,
    };
  }

  /** Returns the DOM properties that set text, with logging. */
  #textProperties(): PropertyDescriptorMap {
    const log = this;
    const descriptors: PropertyDescriptorMap = {};
    for (const [name, owner] of [
      ["textContent", Node.prototype],
      ["innerText", HTMLElement.prototype],
    ] as const) {
      const native = Object.getOwnPropertyDescriptor(owner, name);
      descriptors[name] = {
        configurable: true,
        get(this: Element): unknown {
          return native?.get?.call(this);
        },
        set(this: Element, value: unknown) {
          log.#removeLogged(this);
          native?.set?.call(this, value);
          log.#insertInto(this, [...this.childNodes]);
        },
      };
    }
    return descriptors;
  }

  /**
   * Returns the DOM properties for the first and last child, which read the log if it has an entry.
   */
  #childProperties(): PropertyDescriptorMap {
    const log = this;
    const descriptors: PropertyDescriptorMap = {};
    const getters = {
      firstChild: (list: readonly Node[]) => list[0],
      lastChild: (list: readonly Node[]) => list.at(-1),
      firstElementChild: (list: readonly Node[]) => list.find(isElement),
      lastElementChild: (list: readonly Node[]) => [...list].reverse().find(isElement),
    };
    for (const [name, endOf] of Object.entries(getters)) {
      const owner = name.includes("Element") ? Element.prototype : Node.prototype;
      const native = Object.getOwnPropertyDescriptor(owner, name);
      descriptors[name] = {
        configurable: true,
        get(this: Element): unknown {
          const list = log.nodesIn(this);
          return list ? (endOf(list) ?? null) : native?.get?.call(this);
        },
      };
    }
    return descriptors;
  }
}

const DOCUMENT_FRAGMENT_NODE = 11;

function isElement(node: Node): boolean {
  return node.nodeType === 1;
}
