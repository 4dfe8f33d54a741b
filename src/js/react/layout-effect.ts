import { useEffect, useLayoutEffect } from "react";

/** React 18 complains of layout effects on a server, where none of either kind runs. */
export const useClientLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
