import { button, element } from "./element.js";

const host = element("div", { class: "notices", role: "status" });

export interface Notice {
  text: string;
  /** What can be done about it. */
  actions?: readonly { label: string; run: () => void }[];
  /** Goes by itself after a while: it only says that something was done. */
  autoClose?: boolean;
}

/** Says something about the whole page, above the bar at its bottom. Answers what takes it away. */
export function showNotice({ text, actions = [], autoClose = false }: Notice): () => void {
  if (!host.isConnected) document.body.append(host);
  const made = element("div", { class: "notice" }, element("p", {}, text));
  const close = (): void => made.remove();
  for (const { label, run } of actions) {
    const act = (): void => {
      close();
      run();
    };
    made.append(button(label, { class: "small" }, act));
  }
  made.append(button("×", { class: "close", "aria-label": "Close this message" }, close));
  // The same words twice are one message.
  for (const old of [...host.children]) {
    if (old.querySelector("p")?.textContent === text) old.remove();
  }
  host.append(made);
  if (autoClose) setTimeout(close, 4000);
  return close;
}

/** Says why a press did nothing: what it is about needs the core. */
export function showStillLoading(what: string): void {
  showNotice({
    text: `${what} yet: the page is still loading. Press again in a moment.`,
    autoClose: true,
  });
}
