import { useEffect, useLayoutEffect } from "react";

/** React 18 warns about layout effects on a server, where no effect runs. */
export const useClientLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
