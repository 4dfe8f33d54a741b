import { closeOnOutsideClick, showDialog } from "../page/dialog.js";
import { button, byId, div, element } from "../page/element.js";
import { formatCount } from "../page/format.js";
import { showNotice, showStillLoading } from "../page/notice.js";
import type { Workbench } from "../work/workbench.js";

const control = byId("code") as HTMLButtonElement;
let currentWorkbench: Workbench | null = null;

/** Sets the workbench whose program the Code button copies. */
export function setProgramSource(bench: Workbench): void {
  currentWorkbench = bench;
  control.hidden = bench.program === undefined;
}

async function copyProgram(): Promise<void> {
  const code = currentWorkbench?.program?.();
  if (!code) return showStillLoading("No code to copy");
  const show = { label: "Show", run: () => showProgram(code) };
  try {
    await navigator.clipboard.writeText(code);
  } catch {
    showProgram(code);
    return;
  }
  const lines = formatCount(code.split("\n").length, "line");
  const text = `Code copied: ${lines}, for Node or a browser.`;
  showNotice({ text, actions: [show], autoClose: true });
}

function showProgram(code: string): void {
  const close = button("Close", {}, () => dialog.close());
  const text = element(
    "pre",
    { class: "card code-shown", tabindex: "0", "aria-label": "Code" },
    code,
  );
  const dialog = element(
    "dialog",
    { class: "dialog wide", "aria-labelledby": "code-head" },
    element("h2", { id: "code-head" }, "Equivalent code"),
    text,
    div("group", close),
  );
  closeOnOutsideClick(dialog);
  showDialog(dialog);
}

control.addEventListener("click", () => void copyProgram());
