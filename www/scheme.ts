const words = { auto: "Auto", light: "Light", dark: "Dark" } as const;
type Scheme = keyof typeof words;
const order: readonly Scheme[] = ["auto", "light", "dark"];

/** The switch between the system's colours, light and dark; the choice is kept where the browser keeps things. */
export function schemeSwitch(button: HTMLElement): void {
  let now: Scheme = "auto";
  const show = (): void => {
    document.documentElement.style.colorScheme = now === "auto" ? "light dark" : now;
    button.textContent = words[now];
    button.setAttribute("aria-label", `Colours: ${words[now]}`);
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
}
