import { stepItem, wasmSize } from "../page/control-bar.js";
import { element, span } from "../page/element.js";
import { formatCoarseMilliseconds } from "../page/format.js";
import type { Run } from "./run.js";

/** Maximum number of steps shown. */
const maxSteps = 80;

const stepTones: { readonly [state: string]: string } = {
  failed: " error",
  handled: " error",
  waiting: " warning",
  suspended: " warning",
  stopped: " warning",
  kept: " plan",
};

const stateWords: { readonly [state: string]: string } = {
  kept: "reused",
  handled: "failed, handled",
  suspended: "needs an answer",
};

/** Shows the calls of a run as steps. A step with a checkpoint can be resumed from. */
export function showSteps(
  strip: HTMLElement,
  run: Run | null,
  viewedCall: string | null,
  view: (key: string, isLast: boolean) => void,
): void {
  const calls = [...(run?.calls.values() ?? [])].slice(-maxSteps);
  const focused = strip.contains(document.activeElement);
  const before = run && viewedCall !== null ? run.callsWhenEnded(viewedCall) : null;
  strip.replaceChildren(
    ...calls.map(({ key, node, state, iteration, item }, index) => {
      const checkpoint = run?.checkpointAfter(key);
      const label = [
        `${node}${iteration > 1 ? `, pass ${iteration}` : ""}${item === null ? "" : `, item ${item + 1}`}: ${stateWords[state] ?? state}`,
        ...(checkpoint ? ["checkpoint"] : []),
      ].join(", ");
      const isLast = index === calls.length - 1;
      const current = viewedCall === null ? isLast : key === viewedCall;
      const later = before !== null && !before.has(key);
      const now = state === "running" || (current && viewedCall !== null);
      const look = later ? "later" : now ? "now" : "done";
      const tone = `${stepTones[state] ?? ""}${checkpoint ? " checkpoint" : ""}`;
      return stepItem(`${look}${tone}`, label, current, () => view(key, isLast));
    }),
  );
  if (focused) strip.querySelector<HTMLElement>("[aria-current]")?.focus();
  if (viewedCall === null) strip.scrollLeft = strip.scrollWidth;
}

/** Shows the times of compilation and of the nodes, and the size of the core. */
export function showNumbers(host: HTMLElement, compileTime: number | null, run: Run | null): void {
  const slowed = run?.running === true && run.setup.delay > 0;
  const parts = slowed
    ? [element("span", "slowed down")]
    : [
        ...(compileTime === null
          ? []
          : [element("span", `compiled in ${formatCoarseMilliseconds(compileTime)}`)]),
        ...(run ? [element("span", `nodes ${formatCoarseMilliseconds(run.nodeTime)}`)] : []),
        // A separate element, which narrow screens hide.
        ...wasmSize().map((size) => span("size", size)),
      ];
  host.replaceChildren(...parts);
}
