// Streams of the reference model: the whole text is read again after every push (rule 7).

import { readSoFar } from "./stream-text.mjs";
import { isEdit } from "./update.mjs";

export class ModelStream {
  constructor(store, refused) {
    this.store = store;
    this.refused = refused;
    this.decoder = new TextDecoder("utf-8", { fatal: true });
    this.text = "";
    this.taken = 0;
    this.set = new Set();
    this.ended = false;
  }

  push(chunk) {
    if (this.ended) return this.refused;
    this.text += typeof chunk === "string" ? chunk : this.decoder.decode(chunk, { stream: true });
    const { entries, state } = readSoFar(this.text);
    const fresh = entries.slice(this.taken);
    this.taken = entries.length;
    const nodes = {};
    for (const [key, value] of fresh) {
      if (key.startsWith("!") && this.set.has(key.slice(1))) continue;
      if (!key.startsWith("!")) {
        this.set.add(isEdit(key, this.store.options.listEdits) ? key.slice(1) : key);
      }
      Object.defineProperty(nodes, key, { value, configurable: true, enumerable: true });
    }
    const result =
      state === "broken" ? this.refused : this.store.apply({ updateDataModel: { nodes } });
    this.ended = !result.ok;
    return result;
  }

  end() {
    const whole = !this.ended && readSoFar(this.text).state === "whole";
    this.ended = true;
    return whole ? this.store.apply({}) : this.refused;
  }
}
