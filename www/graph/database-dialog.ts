import { closeOnOutsideClick, showDialog } from "../page/dialog.js";
import { button, div, element, p } from "../page/element.js";
import { errorText } from "../page/format.js";
import { type DatabaseAddress, dialectNames } from "./database-address.js";
import type { GraphModel } from "./graph-model.js";

/** Last address of this page. The password is not stored. */
let lastAddress: DatabaseAddress = {
  url: "bolt://localhost:7687",
  user: "root",
  database: "",
  dialect: "arcadedb",
};

/** Asks for an address and a password, and connects. Resolves to null if the user cancels. */
export function connectByDialog(address = lastAddress): Promise<GraphModel | null> {
  const dialog = element("dialog", { class: "dialog", "aria-labelledby": "database-head" });
  const errorLine = element("p", { class: "error", role: "alert" });
  const progressLine = element("p", { class: "muted", "aria-live": "polite" });
  const submit = element("button", { type: "submit", class: "main" }, "Connect");
  const select = element(
    "select",
    { name: "dialect" },
    ...Object.entries(dialectNames).map(([value, label]) => element("option", { value }, label)),
  );
  select.value = address.dialect;
  const form = element(
    "form",
    { method: "dialog" },
    element("h2", { id: "database-head" }, "Database"),
    field("url", "Address", address.url, { type: "text", required: "", inputmode: "url" }),
    field("user", "User", address.user, { type: "text", required: "", autocomplete: "off" }),
    field("password", "Password", "", { type: "password", autocomplete: "off" }),
    field("database", "Database name", address.database, {
      type: "text",
      required: "",
      autocomplete: "off",
    }),
    element("label", { class: "field" }, element("span", "Dialect"), select),
    p(
      "muted",
      "This page connects by Bolt over WebSocket and only reads. The password is kept in memory until you disconnect, and is not saved.",
    ),
    errorLine,
    progressLine,
    div(
      "group",
      submit,
      button("Cancel", {}, () => dialog.close()),
    ),
  );
  dialog.append(form);
  return new Promise((resolve) => {
    let connected: GraphModel | null = null;
    dialog.addEventListener("close", () => resolve(connected));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      errorLine.textContent = "";
      progressLine.textContent = "Connecting…";
      submit.disabled = true;
      void connect(new FormData(form))
        .then((graph) => {
          // The user closed the dialog meanwhile.
          if (!dialog.open) return graph.source.close();
          connected = graph;
          dialog.close();
        })
        .catch((error: unknown) => {
          errorLine.textContent = errorText(error);
        })
        .finally(() => {
          submit.disabled = false;
          progressLine.textContent = "";
        });
    });
    closeOnOutsideClick(dialog, () => true);
    showDialog(dialog);
    if (address.database !== "") form.querySelector<HTMLElement>("[name=password]")?.focus();
  });
}

async function connect(form: FormData): Promise<GraphModel> {
  const text = (name: string): string => String(form.get(name) ?? "");
  const address: DatabaseAddress = {
    url: text("url").trim(),
    user: text("user").trim(),
    database: text("database").trim(),
    dialect: text("dialect") === "neo4j" ? "neo4j" : "arcadedb",
  };
  lastAddress = address;
  const { connectDatabase } = await import("./database-graph.js");
  return connectDatabase(address, text("password"));
}

function field(
  name: string,
  label: string,
  value: string,
  attributes: { [name: string]: string },
): HTMLLabelElement {
  const input = element("input", { name, class: "find", ...attributes });
  input.value = value;
  return element("label", { class: "field" }, element("span", label), input);
}

/** Shows the fields of a database. */
export function showSchema(host: HTMLElement, { name, format, summary }: GraphModel): void {
  const names = (fields: readonly unknown[]): string =>
    fields.map((one) => (one as { name: string }).name).join(", ") || "none";
  const close = button("Close", { class: "small" }, () => {
    host.hidden = true;
  });
  host.hidden = false;
  host.replaceChildren(
    div(
      "problem",
      element("p", "Connected to ", element("strong", name), ` (${format}).`),
      p("muted", `Fields of nodes: ${names(summary.node_fields)}.`),
      p("muted", `Fields of relations: ${names(summary.edge_fields)}.`),
      close,
    ),
  );
}
