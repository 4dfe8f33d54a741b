// Measures the time of a token at several lengths of the text. The element is not laid out, because
// layout depends on the text and not on the library.
import { init } from "byname";
import { collect } from "../host/collect.mjs";
import { sides } from "./sides.mjs";

/** Tokens that the text has before the measured ones. */
const LENGTHS = [1000, 10_000, 100_000];
/** Measured tokens at each length, and those before that warm up. */
const MEASURED = 200;
const WARM_UP = 20;

const words = "one of the many words that a model writes while a reader waits".split(" ");
const tokenAt = (at) => `${words[at % words.length]} `;

await init();

/** Returns the microseconds per token: `{ [side]: { [length]: µs } }`. */
window.measure = async () => {
  const times = {};
  for (const [name, create] of Object.entries(sides)) times[name] = await measureSide(create);
  return times;
};

async function measureSide(create) {
  const host = document.createElement("div");
  host.style.display = "none";
  document.body.append(host);
  const side = create(host);
  await nextTask();
  const times = {};
  let text = "";
  let count = 0;
  for (const length of LENGTHS) {
    for (; count < length; count++) text += tokenAt(count);
    side.receive(side.message(text, text));
    await nextTask();
    const messages = Array.from({ length: WARM_UP + MEASURED }, () => {
      const token = tokenAt(count++);
      text += token;
      return side.message(token, text);
    });
    collect("young");
    let begin = 0;
    for (const [at, message] of messages.entries()) {
      if (at === WARM_UP) begin = performance.now();
      side.receive(message);
      await nextTask();
    }
    times[length] = ((performance.now() - begin) * 1000) / MEASURED;
    if (!deepText(host).includes(text)) throw new Error("the page has another text");
  }
  host.remove();
  return times;
}

const channel = new MessageChannel();
/** Waits for the next task, before which a library has updated the page. */
function nextTask() {
  return new Promise((done) => {
    channel.port2.onmessage = done;
    channel.port1.postMessage(null);
  });
}

/** Returns the text of a node, also in shadow trees. */
function deepText(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  return [...(node.shadowRoot ?? node).childNodes].map(deepText).join("");
}
