import { element, span } from "./element.js";
import { readSetting, storeSetting } from "./storage.js";

const schemeLabels = { auto: "Auto", light: "Light", dark: "Dark" } as const;
type Scheme = keyof typeof schemeLabels;
const schemeOrder: readonly Scheme[] = ["auto", "light", "dark"];

/** Makes a button switch between the system, light and dark colour scheme; stores the choice. */
export function wireSchemeButton(button: HTMLElement): void {
  let current: Scheme = "auto";
  const show = (): void => {
    document.documentElement.style.colorScheme = current === "auto" ? "light dark" : current;
    const icon = element("i", { class: `scheme ${current}`, "aria-hidden": "true" });
    const prefix = span("prefix", "Colours: ");
    button.replaceChildren(icon, element("span", prefix, schemeLabels[current]));
    button.setAttribute("aria-label", `Colours: ${schemeLabels[current]}`);
    button.title = current === "auto" ? "System colours" : `${schemeLabels[current]} colours`;
  };
  current = schemeOrder.find((one) => one === readSetting("byname-scheme")) ?? "auto";
  button.addEventListener("click", () => {
    current = schemeOrder[(schemeOrder.indexOf(current) + 1) % schemeOrder.length] ?? "auto";
    show();
    storeSetting("byname-scheme", current);
  });
  show();
  const forced = matchMedia("(forced-colors: active)");
  const loadForcedColours = (): void => {
    // Optional: few users need it, and the page works without it.
    if (forced.matches) void import("../css/forced.css").catch(() => {});
  };
  forced.addEventListener("change", loadForcedColours);
  loadForcedColours();
}
