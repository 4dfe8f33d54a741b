import { closeOutside, showDialog } from "../page/dialog.js";
import { button, byId, element } from "../page/element.js";
import { count } from "../page/format.js";
import { notice, notYet } from "../page/notice.js";
import type { Bench } from "../work/workbench.js";

const control = byId("code") as HTMLButtonElement;
let shown: Bench | null = null;

/** The workbench whose code the button copies. */
export function codeOf(bench: Bench): void {
  shown = bench;
  control.hidden = bench.code === undefined;
}

async function copy(): Promise<void> {
  const code = shown?.code?.();
  if (!code) return notYet("There is no code to copy");
  const show = { label: "Show it", run: () => showCode(code) };
  try {
    await navigator.clipboard.writeText(code);
  } catch {
    showCode(code);
    return;
  }
  const lines = count(code.split("\n").length, "line");
  const words = `The code is copied: ${lines}, for Node or a page.`;
  notice({ words, actions: [show], brief: true });
}

function showCode(code: string): void {
  const close = button("Close", {}, () => dialog.close());
  const text = element(
    "pre",
    { class: "card code-shown", tabindex: "0", "aria-label": "Code" },
    code,
  );
  const dialog = element(
    "dialog",
    { class: "dialog wide", "aria-labelledby": "code-head" },
    element("h2", { id: "code-head" }, "The same, as code"),
    text,
    element("div", { class: "group" }, close),
  );
  closeOutside(dialog);
  showDialog(dialog);
}

control.addEventListener("click", () => void copy());
