// Streams of the reference model, which parses the complete text after every push (rule 7).

import { readSoFar } from "./stream-text.mjs";
import { isEdit } from "./update.mjs";

export class ModelStream {
  constructor(store, rejection) {
    this.store = store;
    this.rejection = rejection;
    this.decoder = new TextDecoder("utf-8", { fatal: true });
    this.text = "";
    this.appliedCount = 0;
    this.set = new Set();
    this.ended = false;
  }

  push(chunk) {
    if (this.ended) return this.rejection;
    this.text += typeof chunk === "string" ? chunk : this.decoder.decode(chunk, { stream: true });
    const { entries, state } = readSoFar(this.text);
    const newEntries = entries.slice(this.appliedCount);
    this.appliedCount = entries.length;
    const nodes = {};
    for (const [key, value] of newEntries) {
      if (key.startsWith("!") && this.set.has(key.slice(1))) continue;
      if (!key.startsWith("!")) {
        this.set.add(isEdit(key, this.store.options) ? key.slice(1) : key);
      }
      Object.defineProperty(nodes, key, { value, configurable: true, enumerable: true });
    }
    const result =
      state === "broken" ? this.rejection : this.store.apply({ updateDataModel: { nodes } });
    this.ended = !result.ok;
    return result;
  }

  end() {
    const isComplete = !this.ended && readSoFar(this.text).state === "complete";
    this.ended = true;
    return isComplete ? this.store.apply({}) : this.rejection;
  }
}
