// The strongest plain JavaScript store that we could write: one entry a node, which knows the row
// that shows it, so an update costs one look-up; values as parsed, pointers followed when read.
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
  // Where each row of the list stands, and the last of those that are there; while rows come after their list.
  #places = null;
  #latest = -1;
  // One function for all messages, not one for each.
  #take = (id, value) => this.#node(id, value);

  /** `read` is one of the ways of `read.mjs`. */
  constructor(read = parseNodes) {
    this.#read = read;
  }

  /** Text or bytes of a message: nodes by id, `!id` for deletions. */
  apply(message) {
    this.#read(message, this.#take);
    if (this.#listChanged) this.#tellList();
  }

  /** A node as it was sent. */
  get(id) {
    return this.#entries.get(id)?.value;
  }

  /** All nodes. */
  export() {
    return Object.fromEntries([...this.#entries].map(([id, { value }]) => [id, value]));
  }

  /** Shows a list of pointers, each with these fields; the watcher is told of every change from then on. */
  bind(list, fields, watcher) {
    this.#list = list;
    this.#fields = fields;
    this.#watcher = watcher;
    this.#shown = this.get(list);
    for (const pointer of this.#shown) this.#entry(pointer.slice(1)).shown = true;
  }

  /** A node set from outside, as a stream does. */
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

  // A row that comes after its list stands before the next that is there.
  #arrive(id) {
    const list = this.#shown;
    this.#places ??= new Map(list.map((pointer, at) => [pointer, at]));
    const place = this.#places.get(`*${id}`);
    let behind = null;
    for (let at = place + 1; behind === null && at <= this.#latest; at++) {
      if (this.get(list[at].slice(1)) !== undefined) behind = list[at];
    }
    this.#latest = Math.max(this.#latest, place);
    this.insert(`*${id}`, behind);
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

  // What the comparison of lists tells: pointers, which are ids behind a sigil.

  insert(pointer, behind) {
    const id = pointer.slice(1);
    const entry = this.#entry(id);
    entry.shown = true;
    const values = {};
    for (const field of this.#fields) values[field] = this.#follow(entry.value[field]);
    this.#watcher.mount(id, behind?.slice(1) ?? null, values);
  }

  remove(pointer) {
    const id = pointer.slice(1);
    const entry = this.#entries.get(id);
    if (entry) entry.shown = false;
    this.#watcher.unmount(id);
  }

  move(pointer, behind) {
    this.#watcher.move(pointer.slice(1), behind?.slice(1) ?? null);
  }
}
