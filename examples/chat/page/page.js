// Chat page: shows the text of the model, and each of its surfaces below it.
import { basicCatalog, mount } from "byname/dom";
import { init } from "byname/ham";
import { receiveAll, Surfaces } from "byname/ham/messages";

init(); // Not awaited, because `receiveAll` waits for it.

const id = crypto.randomUUID();
const log = document.querySelector("#log");
const surfaces = new Surfaces({
  catalog: basicCatalog,
  onSurface: (surface) => mount(surface, addEntry("surface")),
  onAction: ({ name, surfaceId, context }) => send(JSON.stringify({ name, surfaceId, context })),
});

const form = document.querySelector("form");
const input = document.querySelector("#text");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  addEntry("user text").append(input.value);
  send(input.value);
  input.value = "";
});

/** Sends a text or an action, and shows the answer while it arrives. */
async function send(content) {
  let entry;
  const onText = (text) => {
    entry ??= addEntry("text");
    entry.append(text);
  };
  try {
    const response = fetch("/chat", { method: "POST", body: JSON.stringify({ id, content }) });
    const { diagnostics } = await receiveAll(surfaces, response, { onText });
    for (const { code, message, help } of diagnostics) console.warn(code, message, help);
  } catch (error) {
    onText(`The server failed: ${error.message}`);
  }
}

function addEntry(kind) {
  const entry = document.createElement("div");
  entry.className = `entry ${kind}`;
  log.append(entry);
  return entry;
}
