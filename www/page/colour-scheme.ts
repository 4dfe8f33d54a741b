import { element } from "./element.js";

const words = { auto: "Auto", light: "Light", dark: "Dark" } as const;
type Scheme = keyof typeof words;
const order: readonly Scheme[] = ["auto", "light", "dark"];

/** The switch between the system's colours, light and dark; the choice is kept where the browser keeps things. */
export function schemeSwitch(button: HTMLElement): void {
  let now: Scheme = "auto";
  const show = (): void => {
    document.documentElement.style.colorScheme = now === "auto" ? "light dark" : now;
    const icon = element("i", { class: `scheme ${now}`, "aria-hidden": "true" });
    const prefix = element("span", { class: "prefix" }, "Colours: ");
    button.replaceChildren(icon, element("span", {}, prefix, words[now]));
    button.setAttribute("aria-label", `Colours: ${words[now]}`);
    button.title = now === "auto" ? "Colours as the system has them" : `${words[now]} colours`;
  };
  try {
    now = order.find((one) => one === localStorage.getItem("byname-scheme")) ?? "auto";
  } catch {
    // A browser may refuse storage; the switch still works for this visit.
  }
  button.addEventListener("click", () => {
    now = order[(order.indexOf(now) + 1) % order.length] ?? "auto";
    show();
    try {
      localStorage.setItem("byname-scheme", now);
    } catch {
      // The same.
    }
  });
  show();
  const forced = matchMedia("(forced-colors: active)");
  const dress = (): void => {
    // Few need it; without it everything is still there, if less told apart.
    if (forced.matches) void import("../css/forced.css").catch(() => {});
  };
  forced.addEventListener("change", dress);
  dress();
}
