// Renders a surface twice: with @a2ui/lit and with byname.
import { A2uiSurface, Context, basicCatalog as litCatalog } from "@a2ui/lit/v0_9";
import { renderMarkdown } from "@a2ui/markdown-it";
import { MessageProcessor } from "@a2ui/web_core/v0_9";
import { init, Surface } from "byname";
import { a2uiTarget, FromA2ui } from "byname/a2ui";
import { basicCatalog, mount } from "byname/dom";

await init();
// Used, so that the bundler keeps the element.
window.defined = A2uiSurface.name;

/** Renders both and returns the outline of each. */
window.compare = async (messages) => {
  const host = document.createElement("div");
  document.body.replaceChildren(host);
  const lit = await drawnByLit(host, messages);
  const shownByLit = outline(lit);
  host.replaceChildren();
  const surface = new Surface({ catalog: basicCatalog });
  const from = new FromA2ui();
  const stop = mount(surface, host, { locale: "en-US" });
  for (const message of messages) {
    for (const one of from.translate(message).messages) surface.receive(one);
  }
  await settled();
  const shownByByname = outline(host);
  stop();
  return { lit: shownByLit, byname: shownByByname };
};

/**
 * Renders with one of both, which stays in the page. Returns the error of the renderer, or null.
 * Markdown is rendered in both.
 */
window.draw = async (renderer, messages) => {
  const host = document.createElement("main");
  document.body.replaceChildren(host);
  // Answers the requests of `@lit/context`.
  host.addEventListener("context-request", (event) => {
    if (event.context !== Context.markdown) return;
    event.stopPropagation();
    event.callback(renderMarkdown);
  });
  try {
    if (renderer === "lit") await drawnByLit(host, messages);
    else {
      const surface = new Surface({ catalog: basicCatalog });
      const target = a2uiTarget(surface);
      mount(surface, host, { locale: "en-US" });
      for (const message of messages) target.receive(message);
    }
    for (let n = 0; n < 3; n += 1) await settled();
    return null;
  } catch (error) {
    return String(error);
  }
};

/** Returns the error of lit for messages that are not adapted to it, or null. */
window.litError = (messages) => {
  try {
    new MessageProcessor([litCatalog]).processMessages(messages);
    return null;
  } catch (error) {
    return String(error);
  }
};

async function drawnByLit(host, messages) {
  const processor = new MessageProcessor([litCatalog]);
  let model;
  processor.onSurfaceCreated((created) => {
    model = created;
  });
  for (const message of messages) {
    const { createSurface } = message;
    const named = createSurface && {
      createSurface: { ...createSurface, catalogId: litCatalog.id },
    };
    processor.processMessages([{ ...message, ...named, version: "v0.9" }]);
  }
  const element = document.createElement("a2ui-surface");
  element.surface = model;
  host.append(element);
  for (let n = 0; n < 5; n += 1) await settled();
  return element;
}

window.settled = settled;
function settled() {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done, 10)));
}

/** Returns the visible words, controls and pictures. */
function outline(root) {
  const found = { words: [], inputs: [], images: [], buttons: 0 };
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.data.trim();
      if (text !== "") found.words.push(text);
      return;
    }
    if (node.nodeType === Node.ELEMENT_NODE) {
      const name = node.localName;
      // Icons are SVG in one and a ligature in the other; the status is for screen readers.
      if (["style", "script", "audio", "a2ui-icon", "a2ui-basic-icon"].includes(name)) return;
      if (node.matches(".bn-icon, .bn-status, .material-symbols-outlined, .g-icon")) return;
      if (!node.checkVisibility() && getComputedStyle(node).display !== "contents") return;
      if (name === "button") found.buttons += 1;
      if (["input", "textarea", "select"].includes(name)) {
        const on = ["checkbox", "radio"].includes(node.type) ? node.checked : node.value;
        found.inputs.push([node.type, on]);
      }
      if (name === "img") found.images.push(node.getAttribute("src"));
      if (name === "slot") {
        for (const one of node.assignedNodes()) visit(one);
        return;
      }
    }
    for (const child of (node.shadowRoot ?? node).childNodes) visit(child);
  };
  visit(root);
  return found;
}
