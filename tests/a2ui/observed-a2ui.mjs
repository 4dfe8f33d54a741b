// The module `byname/a2ui` for the page of the conformance vectors: calls a listener with each target.
import { a2uiTarget as createTarget } from "../../pkg/a2ui.js";

export * from "../../pkg/a2ui.js";

let listener = () => {};

/** Sets the listener, which is called with the surface and the target. */
export function onTarget(next) {
  listener = next;
}

export function a2uiTarget(surface, options) {
  const target = createTarget(surface, options);
  listener(surface, target);
  return target;
}
