// Runs the conformance vectors in a page: each surface of a vector is mounted, too.
import { init } from "byname";
import { onTarget } from "byname/a2ui";
import { mount } from "byname/dom";
import { runVector } from "./conformance.mjs";

await init();
let mounted = [];
onTarget((surface, target) => {
  const host = document.createElement("main");
  document.body.append(host);
  const one = { surface, target, host, stop: mount(surface, host, { locale: "en-US" }) };
  mounted.push({ ...one, diagnostics: recordDiagnostics(target) });
});

/** Returns a list to which the diagnostics of all later messages are added. */
function recordDiagnostics(target) {
  const all = [];
  const receive = target.receive.bind(target);
  target.receive = (message) => {
    const result = receive(message);
    all.push(...result.diagnostics);
    return result;
  };
  return all;
}

/**
 * Runs a vector. Returns the reason why it does not pass, or null, and a summary of each surface.
 * The summary has the numbers of components and diagnostics, whether there are data, and whether
 * anything is visible.
 */
window.run = async (vector) => {
  mounted = [];
  const reason = await outcome(runVector, vector);
  await new Promise((done) => requestAnimationFrame(done));
  const surfaces = mounted.map(({ surface, target, host, diagnostics }) => ({
    components: count(surface.tree()),
    diagnostics: diagnostics.length + target.diagnostics().length,
    hasData: Object.keys(surface.store.export()).length > 0,
    isVisible: isVisible(host),
  }));
  for (const { host, stop } of mounted) {
    stop();
    host.remove();
  }
  return { reason, surfaces };
};

/** Returns the reason why a vector does not pass, or null. */
async function outcome(run, vector) {
  try {
    return (await run(vector)) ?? null;
  } catch (error) {
    return `throws ${error}`;
  }
}

const count = (instance) =>
  instance === null ? 0 : instance.children.reduce((sum, one) => sum + count(one), 1);

/** Returns whether a text, a control or a picture is displayed. */
function isVisible(host) {
  const surface = host.querySelector(".bn-surface");
  const parts = surface.querySelectorAll("img,svg,video,audio,input,textarea,button,hr,[role]");
  const boxes = [...parts].map((one) => one.getBoundingClientRect());
  return surface.innerText.trim() !== "" || boxes.some(({ width, height }) => width * height > 0);
}
