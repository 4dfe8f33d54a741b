import { ownProperty } from "../../json-value.js";
import type { Json } from "../../types.js";

/** Relative luminance above which text on a colour is dark. */
const DARK_TEXT_LUMINANCE = 0.18;

/** Sets the accent colour of a surface to the `primaryColor` of its theme, or removes it. */
export function applyTheme(host: HTMLElement, theme: Json | undefined): void {
  const color = ownProperty(theme, "primaryColor");
  const isColor = typeof color === "string" && /^#[\da-f]{6}$/i.test(color);
  const set = (name: string, value: string): void => {
    if (isColor) host.style.setProperty(name, value);
    else host.style.removeProperty(name);
  };
  const accent = String(color);
  set("--byname-accent", accent);
  set("--byname-on-accent", luminance(accent) > DARK_TEXT_LUMINANCE ? "#000000" : "#ffffff");
}

/** Returns the relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
