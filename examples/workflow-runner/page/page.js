// Shows the surface of the run while it changes, and sends the buttons to the server.
import { basicCatalog, mount } from "byname/dom";
import { HamStore, init, Surface } from "byname/ham";
import { receiveAll } from "byname/ham/messages";

await init();
const problem = document.querySelector("#problem");
const surface = new Surface({
  catalog: basicCatalog,
  // The server appends events to a list.
  store: new HamStore({ extensions: { listEdits: true } }),
  onAction: ({ name }) => fetch("/action", { method: "POST", body: JSON.stringify({ name }) }),
});
mount(surface, document.querySelector("#app"));

// The response has no end. After a lost connection the server sends the whole surface again.
for (;;) {
  try {
    const onDiagnostics = (diagnostics) => {
      for (const { code, message, help } of diagnostics) console.warn(code, message, help);
    };
    problem.textContent = "";
    await receiveAll(surface, fetch("/events"), { onDiagnostics });
  } catch (error) {
    problem.textContent = `The connection was lost: ${error.message}`;
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
