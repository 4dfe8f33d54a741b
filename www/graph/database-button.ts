import { button } from "../page/element.js";
import { showNotice } from "../page/notice.js";
import type { DatabaseAddress } from "./database-address.js";
import type { GraphModel } from "./graph-model.js";

export interface DatabaseActions {
  /** Shows the graph of a database. */
  show(graph: GraphModel): void;
  /** Shows another graph, which ends the connection. */
  disconnect(): void;
}

/** Button that connects to a database, or disconnects. */
export class DatabaseButton {
  readonly element: HTMLButtonElement;
  readonly #report: HTMLElement;
  #isConnected = false;

  /** `report` shows the fields of the database. */
  constructor(report: HTMLElement, { show, disconnect }: DatabaseActions) {
    this.#report = report;
    const act = async (): Promise<void> => {
      if (this.#isConnected) return disconnect();
      const graph = await this.#connect();
      if (graph) show(graph);
    };
    const onError = (): void => {
      showNotice({ text: "Could not load the database dialog. Check the network and try again." });
    };
    this.element = button("Database", { class: "small", disabled: "" }, () => {
      act().catch(onError);
    });
  }

  /** Connects to the database of a saved session. Rejects if the user cancels. */
  async connect(address: DatabaseAddress): Promise<GraphModel> {
    const graph = await this.#connect(address);
    if (!graph) throw new Error("Not connected: the session needs its database.");
    return graph;
  }

  /** Shows whether a graph is in a database, and its fields. */
  async showState(graph: GraphModel): Promise<void> {
    this.#isConnected = graph.address !== null;
    this.element.textContent = this.#isConnected ? "Disconnect" : "Database";
    if (!this.#isConnected) return;
    const { showSchema } = await loadDialog();
    showSchema(this.#report, graph);
  }

  async #connect(address?: DatabaseAddress): Promise<GraphModel | null> {
    const { connectByDialog } = await loadDialog();
    return connectByDialog(address);
  }
}

const loadDialog = () => import("./database-dialog.js");
