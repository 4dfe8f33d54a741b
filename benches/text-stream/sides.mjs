// A text of one of 1,000 nodes that a model writes: byname, @a2ui/lit, and the state of
// @json-render/core with a text node per value.
import { A2uiSurface, basicCatalog as a2uiCatalog } from "@a2ui/lit/v0_9";
import { MessageProcessor } from "@a2ui/web_core/v0_9";
import { createStateStore } from "@json-render/core";
import { HamStore, Surface } from "byname";
import { basicCatalog, mount } from "byname/dom";

const surfaceId = "main";
const version = "v0.9";
const ids = Array.from({ length: 1000 }, (_, at) => `note${at}`);
/** Index of the node whose text grows. */
const GROWING = 500;

/** Returns the message that appends a token to the text of a node. */
function tokenMessage(id, token) {
  return JSON.stringify({ [`>${id}`]: token });
}

/** Each side has `message(token, textSoFar)`, written by the sender, and `receive(message)`. */
export const sides = {
  byname(host) {
    const store = new HamStore({ extensions: { listEdits: true } });
    const surface = new Surface({ store, catalog: basicCatalog });
    // Each note is a node that is a text.
    const text = { binding: {} };
    const components = [
      { id: "root", component: "List", children: { binding: { key: "notes" }, template: "note" } },
      { id: "note", component: "Text", text },
    ];
    surface.receive({ createSurface: { surfaceId, components } });
    const notes = Object.fromEntries(ids.map((id) => [id, id]));
    surface.store.apply({ root: { notes: ids.map((id) => `*${id}`) }, ...notes });
    mount(surface, host, { windowAbove: Number.POSITIVE_INFINITY });
    return {
      message: (token) => tokenMessage(ids[GROWING], token),
      receive: (message) => surface.store.apply(message),
    };
  },

  "@a2ui/lit"(host) {
    const processor = new MessageProcessor([a2uiCatalog]);
    processor.onSurfaceCreated((created) => {
      const element = new A2uiSurface();
      element.surface = created;
      host.append(element);
    });
    const components = [
      { id: "root", component: "List", children: { path: "/notes", componentId: "note" } },
      { id: "note", component: "Text", text: { path: "text" } },
    ];
    processor.processMessages([
      { version, createSurface: { surfaceId, catalogId: a2uiCatalog.id } },
      { version, updateComponents: { surfaceId, components } },
      {
        version,
        updateDataModel: { surfaceId, path: "/notes", value: ids.map((id) => ({ text: id })) },
      },
    ]);
    const path = `/notes/${GROWING}/text`;
    return {
      message: (_, textSoFar) =>
        JSON.stringify({ version, updateDataModel: { surfaceId, path, value: textSoFar } }),
      receive: (message) => processor.processMessages([JSON.parse(message)]),
    };
  },

  "@json-render/core"(host) {
    const store = createStateStore({ notes: ids.map((id) => ({ text: id })) });
    const texts = ids.map((id) =>
      host.appendChild(document.createElement("div")).appendChild(new Text(id)),
    );
    let { notes } = store.getSnapshot();
    // Listeners receive no changes, so notes are compared by reference.
    store.subscribe(() => {
      const now = store.getSnapshot().notes;
      for (let at = 0; at < now.length; at++) {
        if (now[at] !== notes[at]) texts[at].data = now[at].text;
      }
      notes = now;
    });
    const path = `/notes/${GROWING}/text`;
    return {
      message: (_, textSoFar) => JSON.stringify({ op: "replace", path, value: textSoFar }),
      receive: (message) => {
        const patch = JSON.parse(message);
        store.set(patch.path, patch.value);
      },
    };
  },
};
