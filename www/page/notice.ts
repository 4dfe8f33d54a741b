import { button, div, element } from "./element.js";

const host = element("div", { class: "notices", role: "status" });

export interface Notice {
  text: string;
  actions?: readonly { label: string; run: () => void }[];
  /** Whether it closes after four seconds. */
  autoClose?: boolean;
}

/** Shows a notice above the bottom bar; returns a function that closes it. */
export function showNotice({ text, actions = [], autoClose = false }: Notice): () => void {
  if (!host.isConnected) document.body.append(host);
  const made = div("notice", element("p", text));
  const close = (): void => made.remove();
  for (const { label, run } of actions) {
    const runAction = (): void => {
      close();
      run();
    };
    made.append(button(label, { class: "small" }, runAction));
  }
  made.append(button("×", { class: "close", "aria-label": "Close this message" }, close));
  // A repeated notice replaces the earlier one.
  for (const old of [...host.children]) {
    if (old.querySelector("p")?.textContent === text) old.remove();
  }
  host.append(made);
  if (autoClose) setTimeout(close, 4000);
  return close;
}

/** Explains that an action needs the core, which is still loading. */
export function showStillLoading(what: string): void {
  showNotice({
    text: `${what} yet: the page is still loading. Try again in a moment.`,
    autoClose: true,
  });
}
