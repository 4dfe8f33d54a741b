"use client";

/**
 * `byname/react` for imports from server components. The directive is in this file and not in
 * `react.ts`, because some bundlers warn about unknown directives.
 */
export { SurfacesView, SurfaceView, useBinding, useSurface } from "./react.js";
