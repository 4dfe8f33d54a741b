import { attach, type SelectDetail } from "byname/devtools";
import { createPanel } from "../page/devtools-panel.js";
import { div } from "../page/element.js";
import { preserveFocus } from "../page/focus.js";
import { TokenTable } from "../tokens/view.js";
import type { Session } from "./session.js";

/** Tabs of the panel in this page; it adds the tab of the tokens. */
const views = ["Changes", "Tree", "Nodes", "Actions", "Log", "Diagnostics"];

/** Name of the surface in the panel. */
const source = "surface";

/** Panel of `byname/devtools` for the surface, with a tab for the tokens. */
export class Inspector {
  readonly #panel = createPanel(views);
  readonly #tokens = div("why");
  readonly #table = new TokenTable(() => this.#drawTokens());
  #detach = (): void => {};

  /** `selected` is called when the user selects an instance or a node. */
  constructor(host: HTMLElement, selected: (detail: SelectDetail) => void) {
    const panel = this.#panel;
    panel.addTab("Tokens", this.#tokens);
    panel.addEventListener("byname-select", ({ detail }) => selected(detail));
    panel.addEventListener("byname-tab", ({ detail }) => {
      // The tokenizer is loaded when its tab is opened.
      if (detail.name === "Tokens") this.#drawTokens();
    });
    host.replaceChildren(panel);
  }

  /** Milliseconds that the recording has taken. */
  get recordingTime(): number {
    return this.#panel.recorder.recordingTime;
  }

  /** Records a session in place of the previous one. */
  show({ surface }: Session): void {
    this.#detach();
    this.#panel.recorder.clear();
    this.#detach = attach({ surfaces: { [source]: surface } }, { panel: this.#panel });
  }

  /** Selects an instance in the tree; a click on a control does not change the tab. */
  select(key: string, isShown: boolean): void {
    this.#panel.select(key, source);
    if (isShown) this.#panel.showTab("Tree");
  }

  /** Shows the actions. `sent` is the message that reports the last one to the agent of a log. */
  showActions(sent: object | null): void {
    if (sent) this.#panel.recorder.note(source, "sent to the agent", sent);
    this.#panel.showTab("Actions");
  }

  #drawTokens(): void {
    preserveFocus(this.#tokens, () => this.#tokens.replaceChildren(...this.#table.draw()));
  }
}
