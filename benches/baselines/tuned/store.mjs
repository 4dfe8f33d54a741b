// Fastest plain JavaScript store: one entry per node with a reference to its rendered row, so an
// update is one look-up. Values are stored as parsed, and pointers are resolved on access.
import { diffLists } from "./list-diff.mjs";
import { parseNodes } from "./read.mjs";

const POINTER = 42;
const DELETION = 33;

export class TunedStore {
  #read;
  #entries = new Map();
  #list = null;
  #fields = [];
  #watcher = null;
  #shown = [];
  #listChanged = false;
  // Indices of the rows and the last present one, while rows arrive after their list.
  #places = null;
  #latest = -1;
  // One closure for all messages.
  #take = (id, value) => this.#node(id, value);

  /** `read` is a reader of `read.mjs`. */
  constructor(read = parseNodes) {
    this.#read = read;
  }

  /** Applies a message in text or bytes: nodes by id, `!id` for deletions. */
  apply(message) {
    this.#read(message, this.#take);
    if (this.#listChanged) this.#tellList();
  }

  /** Returns a node as sent. */
  get(id) {
    return this.#entries.get(id)?.value;
  }

  /** Returns all nodes. */
  export() {
    return Object.fromEntries([...this.#entries].map(([id, { value }]) => [id, value]));
  }

  /** Binds a list of pointers with these fields; the watcher receives every change. */
  bind(list, fields, watcher) {
    this.#list = list;
    this.#fields = fields;
    this.#watcher = watcher;
    this.#shown = this.get(list);
    for (const pointer of this.#shown) this.#entry(pointer.slice(1)).shown = true;
  }

  /** Sets a node, as a stream does. */
  set(id, value) {
    this.#node(id, value);
    if (this.#listChanged) this.#tellList();
  }

  #node(id, value) {
    if (id.charCodeAt(0) === DELETION) {
      this.#entries.delete(id.slice(1));
      return;
    }
    const entry = this.#entry(id);
    const before = entry.value;
    entry.value = value;
    if (entry.shown) {
      if (before === undefined) this.#arrive(id);
      else this.#compare(id, before, value);
    } else if (id === this.#list) this.#listChanged = true;
  }

  #entry(id) {
    const known = this.#entries.get(id);
    if (known !== undefined) return known;
    const made = { value: undefined, shown: false };
    this.#entries.set(id, made);
    return made;
  }

  #compare(id, before, value) {
    const fields = this.#fields;
    for (let at = 0; at < fields.length; at++) {
      const now = this.#follow(value[fields[at]]);
      if (now !== before[fields[at]]) this.#watcher.set(id, at, now);
    }
  }

  // A row after its list is mounted before the next present one.
  #arrive(id) {
    const list = this.#shown;
    this.#places ??= new Map(list.map((pointer, at) => [pointer, at]));
    const place = this.#places.get(`*${id}`);
    let nextItem = null;
    for (let at = place + 1; nextItem === null && at <= this.#latest; at++) {
      if (this.get(list[at].slice(1)) !== undefined) nextItem = list[at];
    }
    this.#latest = Math.max(this.#latest, place);
    this.insert(`*${id}`, nextItem);
  }

  #follow(value) {
    const isPointer = typeof value === "string" && value.charCodeAt(0) === POINTER;
    return isPointer ? this.get(value.slice(1)) : value;
  }

  #tellList() {
    this.#listChanged = false;
    const list = this.get(this.#list);
    diffLists(this.#shown, list, this);
    this.#shown = list;
  }

  // Callbacks of the list diff with pointers: ids after a sigil.

  insert(pointer, nextItem) {
    const id = pointer.slice(1);
    const entry = this.#entry(id);
    entry.shown = true;
    const values = {};
    for (const field of this.#fields) values[field] = this.#follow(entry.value[field]);
    this.#watcher.mount(id, nextItem?.slice(1) ?? null, values);
  }

  remove(pointer) {
    const id = pointer.slice(1);
    const entry = this.#entries.get(id);
    if (entry) entry.shown = false;
    this.#watcher.unmount(id);
  }

  move(pointer, nextItem) {
    this.#watcher.move(pointer.slice(1), nextItem?.slice(1) ?? null);
  }
}
