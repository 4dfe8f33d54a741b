import { button, element } from "../page/element.js";
import { formatCount } from "../page/format.js";
import type { ModelActivity, OpenActivityView } from "./local.js";

/** Number of characters of the reply that are shown. */
const visibleCharacters = 240;

/** Returns a function that opens a panel with the activity of a local model and a Stop button. */
export function activityPanel(name: string): OpenActivityView {
  return (stop) => {
    const words = element("p");
    const bar = element("progress", { "aria-label": "Prompt progress" });
    const text = element("pre", { class: "working-text" });
    const end = button("Stop", { class: "small" }, () => {
      end.disabled = true;
      stop();
    });
    const panel = element(
      "section",
      { class: "notice working", "aria-label": `${name} is running` },
      words,
      end,
      bar,
      text,
    );
    document.querySelector(".working")?.remove();
    document.body.append(panel);
    return {
      show(doing) {
        words.textContent = `${name} ${describeActivity(doing)}`;
        bar.hidden = doing.kind === "writing";
        if (doing.kind === "reading") {
          bar.max = doing.all;
          bar.value = doing.done;
        }
        text.hidden = doing.kind !== "writing";
        if (doing.kind === "writing") text.textContent = doing.text.slice(-visibleCharacters);
      },
      end: () => panel.remove(),
    };
  };
}

function describeActivity(doing: ModelActivity): string {
  switch (doing.kind) {
    case "waiting":
      return "is starting…";
    case "reading": {
      const { done, all, speed } = doing;
      const read = `has read ${done.toLocaleString()} of ${formatCount(all, "token")} of the prompt`;
      return speed > 0
        ? `${read}: ${formatRate(speed)}, ${formatRemaining((all - done) / speed)}`
        : `${read}.`;
    }
    case "writing":
      return `has written ${formatCount(doing.tokens, "token")}: ${formatRate(doing.speed)}.`;
  }
}

function formatRate(speed: number): string {
  return `${speed.toFixed(speed < 10 ? 1 : 0)} per second`;
}

function formatRemaining(seconds: number): string {
  return seconds < 90
    ? `${Math.ceil(seconds)} s to go.`
    : `about ${Math.round(seconds / 60)} minutes to go.`;
}
