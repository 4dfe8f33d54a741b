import { init } from "byname";
import { Editor } from "./editor.js";
import { button, byId, element } from "./element.js";
import { examples } from "./examples/index.js";
import { count, Inspector, milliseconds } from "./inspector.js";
import { Player } from "./player.js";
import { showProblems, ticks } from "./problems.js";
import { schemeSwitch } from "./scheme.js";
import { Session } from "./session.js";
import { Stage } from "./stage.js";

const note = byId("note");
const title = byId("step-title");
const stepList = byId("steps");
const numbers = byId("numbers");
const menu = byId("examples") as HTMLSelectElement;
const controls = Object.fromEntries(
  ["play", "next", "undo", "redo", "apply"].map((id) => [id, byId(id) as HTMLButtonElement]),
);
const { play, next, undo, redo, apply } = controls as Record<
  "play" | "next" | "undo" | "redo" | "apply",
  HTMLButtonElement
>;

const inspector = new Inspector(byId("why-tabs"), byId("why"));
const stage = new Stage(byId("stage"), (key, control) => inspector.select(key, !control));
const editor = new Editor(byId("editor"), {
  typed: () => player.typed(),
  apply: () => applyText(),
});
const player = new Player({
  fresh: (example) => {
    const session = new Session(
      {
        before: () => stage.before(),
        changed: (changes) => stage.changed(changes),
        after: () => {
          stage.after();
          inspector.refresh();
        },
        action: (action) => inspector.acted(action),
      },
      example.listEdits === true,
    );
    stage.show(session);
    inspector.show(session);
    return session;
  },
  text: (text, whole) => editor.show(text, !whole),
  quiet: (quiet) => {
    stage.quiet = quiet;
  },
  begun: (step) => {
    say(step.title, step.note);
    // What was wrong with the step before is not wrong with this one.
    byId("diagnostics").hidden = true;
  },
  shown: (step) => {
    if (!step) say("", "Press Play, take one step, or write an update of your own.");
    if (!step) editor.show(player.steps[0]?.text ?? "", false);
    showResult();
  },
  moved: showBar,
  surface: () => stage.surface,
});

function applyText(): void {
  if (apply.disabled) return;
  // What streams into the box comes whole first: half a text is nobody's update.
  player.pause();
  if (editor.text.trim() === "") return;
  player.apply(editor.text);
  say(
    "Your update",
    player.session.report.ok
      ? "What you wrote. It is a step of its own now."
      : "It changed nothing: what is wrong with it stands below.",
  );
  showResult();
}

/** What the text pane says of what has just happened. */
function say(head: string, words: string): void {
  title.textContent = head;
  note.replaceChildren(...ticks(words));
}

function showResult(): void {
  const { report, surface } = player.session;
  showProblems(byId("diagnostics"), report.diagnostics, surface.diagnostics(), editor, applyText);
  showNumbers();
}

/** Every number is of what just happened here. */
function showNumbers(): void {
  const { report } = player.session;
  const wasm = performance
    .getEntriesByType("resource")
    .find(({ name }) => /\.wasm(?:$|\?)/.test(name)) as PerformanceResourceTiming | undefined;
  const bytes = wasm ? wasm.encodedBodySize || wasm.decodedBodySize : 0;
  const parts = [
    milliseconds(report.time),
    count(report.changes.length, "change"),
    count(report.calls, "callback"),
  ];
  if (bytes > 0) parts.push(`wasm ${Math.round(bytes / 1000).toLocaleString()} kB`);
  numbers.replaceChildren(...parts.map((part) => element("span", {}, part)));
}

function showBar(): void {
  const { at, now, steps, playing } = player;
  play.textContent = playing ? "Pause" : at >= steps.length - 1 ? "Play again" : "Play";
  next.disabled = at >= steps.length - 1;
  stepList.replaceChildren(
    ...steps.map((step, index) => {
      const state = index === now ? "now" : index <= at ? "done" : "later";
      const dot = button(
        "",
        { class: `step ${state}`, "aria-label": `${index + 1}. ${step.title}`, title: step.title },
        () => player.goTo(index),
      );
      if (index === now) dot.setAttribute("aria-current", "step");
      return element("li", {}, dot);
    }),
  );
  showNumbers();
}

function open(id: string): void {
  const found = examples.find((one) => one.id === id);
  const example = found ?? examples[0];
  menu.value = example.id;
  player.open(example);
  if (found || id === "") void player.play();
  else
    say("", `There is no example \`${id}\`. This is the first one: press Play, or choose another.`);
}

function wire(): void {
  play.addEventListener("click", () => (player.playing ? player.pause() : void player.play()));
  next.addEventListener("click", () => void player.next());
  apply.addEventListener("click", applyText);
  for (const [control, head, done, back] of [
    [undo, "Undo", "Taken back", () => player.session.undo()],
    [redo, "Redo", "Done again", () => player.session.redo()],
  ] as const) {
    control.addEventListener("click", () => {
      player.pause();
      say(
        head,
        back()
          ? `${done} as one update; the surface was told what differs.`
          : "There is nothing more in that direction.",
      );
      showResult();
    });
  }
  menu.addEventListener("change", () => {
    history.replaceState(null, "", `#${menu.value}`);
    open(menu.value);
  });
  addEventListener("hashchange", () => open(location.hash.slice(1)));
  for (const control of Object.values(controls)) control.disabled = false;
}

/** On a phone one pane is seen at a time. */
function panes(): void {
  const main = document.querySelector<HTMLElement>(".panes");
  const tabs = [...document.querySelectorAll<HTMLElement>("[role=tab][data-pane]")];
  const show = (tab: HTMLElement): void => {
    if (main) main.dataset["show"] = tab.dataset["pane"] ?? "surface";
    for (const one of tabs) {
      one.setAttribute("aria-selected", String(one === tab));
      one.tabIndex = one === tab ? 0 : -1;
    }
  };
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => show(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const to =
        tabs[(index + ({ ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0) + tabs.length) % tabs.length];
      if (to && to !== tab) {
        show(to);
        to.focus();
      }
    });
  });
  const first = tabs.find((tab) => tab.dataset["pane"] === "surface");
  if (first) show(first);
}

async function start(): Promise<void> {
  try {
    await init();
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    byId("stage").replaceChildren(
      element("p", { class: "hint" }, `The core did not load: ${words}. `),
      button("Try again", { class: "small" }, () => void start()),
    );
    return;
  }
  wire();
  open(location.hash.slice(1));
}

schemeSwitch(byId("scheme"));
panes();
menu.append(...examples.map(({ id, title: words }) => element("option", { value: id }, words)));
// The first text can be read before the core has arrived.
const [first] = examples;
editor.show(
  (examples.find(({ id }) => `#${id}` === location.hash) ?? first).steps[0]?.text ?? "",
  false,
);
void start();
