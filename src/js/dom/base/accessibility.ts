import { asText, oneOf, ownProperty } from "../../json-value.js";
import type { Json } from "../../types.js";

/** Elements whose `aria-label` was set by `accessibility`. */
const labelledElements = new WeakSet<HTMLElement>();

/**
 * Applies `weight` or `accessibility`, which every component has. Returns false for another
 * property.
 */
export function setCommonProp(
  element: HTMLElement,
  control: HTMLElement,
  prop: string,
  value: Json,
): boolean {
  if (prop === "weight") {
    const weight = typeof value === "number" && value > 0 ? value : null;
    element.style.flex = weight === null ? "" : `${weight} ${weight} 0`;
    element.classList.toggle("bn-weighted", weight !== null);
    return true;
  }
  if (prop !== "accessibility") return false;
  const label = ownProperty(value, "label");
  // Without a label here, the component itself may have set `aria-label`.
  if (label !== undefined || labelledElements.has(control))
    updateAttribute(control, "aria-label", asText(label));
  if (label !== undefined) labelledElements.add(control);
  updateAttribute(control, "aria-description", asText(ownProperty(value, "description")));
  updateGroupRole(control);
  const live = oneOf(ownProperty(value, "live"), ["off", "polite", "assertive"]);
  updateAttribute(element, "aria-live", live === "off" ? "" : live);
  updateAttribute(element, "aria-hidden", ownProperty(value, "hidden") === true ? "true" : "");
  return true;
}

/**
 * Sets the role `group` on a named `div`, because screen readers ignore the name of a plain `div`.
 */
export function updateGroupRole(element: Element): void {
  const role = element.getAttribute("role");
  if (element.localName !== "div" || (role !== null && role !== "group")) return;
  const isNamed = ["aria-label", "aria-description"].some((name) => element.hasAttribute(name));
  updateAttribute(element, "role", isNamed ? "group" : "");
}

/** Sets an attribute, or removes it if the value is empty. */
export function updateAttribute(element: Element, name: string, value: string): void {
  if (value === "") element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
