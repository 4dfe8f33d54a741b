// Runs the conformance vectors in a page: each surface of a vector is mounted, too.
import { init } from "byname";
import { mount } from "byname/dom";
import { onReceiver, runVector } from "./conformance.mjs";

await init();
let receivers = [];
onReceiver((receiver) => {
  const host = document.createElement("main");
  document.body.append(host);
  const stop = mount(receiver.surface, host, { locale: "en-US" });
  const { target } = receiver;
  const shown = { receiver, host, stop, diagnostics: [] };
  receivers.push(shown);
  receiver.target = {
    receive: (message) => {
      const result = target.receive(message);
      shown.diagnostics.push(...result.diagnostics);
      return result;
    },
    diagnostics: () => target.diagnostics(),
  };
});

/**
 * Runs a vector. Returns the reason why it does not pass, or null, and what each surface shows: its number of
 * components and diagnostics, and whether something is visible.
 */
window.run = async (vector) => {
  receivers = [];
  const reason = runVector(vector) ?? null;
  await new Promise((done) => requestAnimationFrame(done));
  const surfaces = receivers.map(({ receiver, host, diagnostics }) => ({
    components: count(receiver.surface.tree()),
    diagnostics: diagnostics.length + receiver.target.diagnostics().length,
    isVisible: isVisible(host),
  }));
  for (const { host, stop } of receivers) {
    stop();
    host.remove();
  }
  return { reason, surfaces };
};

const count = (instance) =>
  instance === null ? 0 : instance.children.reduce((sum, one) => sum + count(one), 1);

/** Returns whether a text, a control or a picture is displayed. */
function isVisible(host) {
  const surface = host.querySelector(".bn-surface");
  const parts = surface.querySelectorAll("img,svg,video,audio,input,textarea,button,hr,[role]");
  const boxes = [...parts].map((one) => one.getBoundingClientRect());
  return surface.innerText.trim() !== "" || boxes.some(({ width, height }) => width * height > 0);
}
