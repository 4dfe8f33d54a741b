/** Arguments of `append` and similar methods. */
type Added = readonly (Node | string)[];

/**
 * Log of the nodes that components insert and remove. Mutations of an attached element are recorded
 * and not done, except for texts that are set.
 */
export class Notes {
  /** Logged child nodes by element, and by node the list that contains it. */
  readonly #inside = new Map<Element, Node[]>();
  readonly #around = new Map<Node, Node[]>();
  /** Nodes that were removed. */
  readonly dropped = new Set<Node>();
  /** Texts that were inserted as strings, so that no component has a reference to their nodes. */
  readonly words = new Set<Node>();
  readonly #described: PropertyDescriptorMap = {
    ...Object.getOwnPropertyDescriptors(this.#methods()),
    ...this.#texts(),
    ...this.#ends(),
  };

  /** Starts to log the mutations of an element by overriding its methods and properties. */
  begin(element: Element): void {
    Object.defineProperties(element, this.#described);
  }

  /** Stops logging the mutations of an element. */
  end(element: Element): void {
    for (const name of Object.keys(this.#described)) Reflect.deleteProperty(element, name);
  }

  /** Returns the logged child nodes of an element, or `undefined` if nothing was inserted. */
  of(element: Element): readonly Node[] | undefined {
    return this.#inside.get(element);
  }

  /** Discards the logged child nodes of an element. */
  forget(element: Element): void {
    this.#inside.delete(element);
  }

  /** Inserts nodes into an element before a node, or at the end. */
  #putInto(element: Element, added: Added, before?: Node | null): void {
    const list = this.#inside.get(element) ?? [];
    this.#inside.set(element, list);
    const at = before ? list.indexOf(before) : -1;
    this.#put(list, added, at < 0 ? list.length : at);
  }

  /** Inserts nodes next to a sibling: before it, or after it if `offset` is 1. */
  #putBeside(node: Node, added: Added, behind = 0): void {
    const list = this.#around.get(node);
    if (list) this.#put(list, added, list.indexOf(node) + behind);
  }

  /** Removes all logged child nodes of an element. */
  #empty(element: Element): void {
    for (const node of this.#inside.get(element)?.splice(0) ?? []) {
      this.#around.delete(node);
      this.dropped.add(node);
    }
  }

  #takeOut(node: Node): void {
    this.#leave(node);
    this.#around.delete(node);
    this.dropped.add(node);
    if (node.parentNode) Node.prototype.removeChild.call(node.parentNode, node);
  }

  #put(list: Node[], added: Added, at: number): void {
    const before = list[at];
    const nodes = added.flatMap((one) => this.#nodesOf(one));
    for (const node of nodes) {
      this.#leave(node);
      this.#around.set(node, list);
      this.dropped.delete(node);
    }
    list.splice(before ? list.indexOf(before) : list.length, 0, ...nodes);
  }

  /** Returns the nodes to insert. The DOM converts other values to text. */
  #nodesOf(one: Node | string): Node | Node[] {
    if (one instanceof Node) return one.nodeType === FRAGMENT ? [...one.childNodes] : one;
    const text = new Text(String(one));
    this.words.add(text);
    return text;
  }

  #leave(node: Node): void {
    const list = this.#around.get(node);
    list?.splice(list.indexOf(node), 1);
  }

  /** Returns the DOM methods that insert and remove nodes, with logging. */
  #methods() {
    const notes = this;
    const insertBefore = function <T extends Node>(this: Element, node: T, before: Node | null): T {
      notes.#putInto(this, [node], before);
      return node;
    };
    return {
      append(this: Element, ...added: (Node | string)[]): void {
        notes.#putInto(this, added);
      },
      prepend(this: Element, ...added: (Node | string)[]): void {
        notes.#putInto(this, added, notes.of(this)?.[0]);
      },
      appendChild<T extends Node>(this: Element, node: T): T {
        notes.#putInto(this, [node]);
        return node;
      },
      remove(this: Element): void {
        notes.#takeOut(this);
      },
      removeChild<T extends Node>(this: Element, node: T): T {
        notes.#takeOut(node);
        return node;
      },
      replaceChild<T extends Node>(this: Element, node: Node, old: T): T {
        notes.#putInto(this, [node], old);
        notes.#takeOut(old);
        return old;
      },
      replaceWith(this: Element, ...added: (Node | string)[]): void {
        notes.#putBeside(this, added);
        notes.#takeOut(this);
      },
      before(this: Element, ...added: (Node | string)[]): void {
        notes.#putBeside(this, added);
      },
      after(this: Element, ...added: (Node | string)[]): void {
        notes.#putBeside(this, added, 1);
      },
      replaceChildren(this: Element, ...added: (Node | string)[]): void {
        notes.#empty(this);
        notes.#putInto(this, added);
      },
      insertBefore,
      moveBefore: insertBefore,
    };
  }

  /** Returns the DOM properties that set text, with logging. */
  #texts(): PropertyDescriptorMap {
    const notes = this;
    const described: PropertyDescriptorMap = {};
    for (const [name, owner] of [
      ["textContent", Node.prototype],
      ["innerText", HTMLElement.prototype],
    ] as const) {
      const usual = Object.getOwnPropertyDescriptor(owner, name);
      described[name] = {
        configurable: true,
        get(this: Element): unknown {
          return usual?.get?.call(this);
        },
        set(this: Element, value: unknown) {
          notes.#empty(this);
          usual?.set?.call(this, value);
          notes.#putInto(this, [...this.childNodes]);
        },
      };
    }
    return described;
  }

  /**
   * Returns the DOM properties for the first and last child, which read the log if it has an entry.
   */
  #ends(): PropertyDescriptorMap {
    const notes = this;
    const described: PropertyDescriptorMap = {};
    const ends = {
      firstChild: (list: readonly Node[]) => list[0],
      lastChild: (list: readonly Node[]) => list.at(-1),
      firstElementChild: (list: readonly Node[]) => list.find(isElement),
      lastElementChild: (list: readonly Node[]) => [...list].reverse().find(isElement),
    };
    for (const [name, end] of Object.entries(ends)) {
      const owner = name.includes("Element") ? Element.prototype : Node.prototype;
      const usual = Object.getOwnPropertyDescriptor(owner, name);
      described[name] = {
        configurable: true,
        get(this: Element): unknown {
          const list = notes.of(this);
          return list ? (end(list) ?? null) : usual?.get?.call(this);
        },
      };
    }
    return described;
  }
}

const FRAGMENT = 11;

function isElement(node: Node): boolean {
  return node.nodeType === 1;
}
