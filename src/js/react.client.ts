"use client";

/**
 * `byname/react` where server components import it: what it exports belongs to the page. The directive stands here and not in
 * `react.ts`, because bundlers that know nothing of it warn of it.
 */
export { SurfaceView, useBinding, useSurface } from "./react.js";
