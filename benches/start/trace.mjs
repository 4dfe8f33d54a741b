// CPU time of the main thread between the marks of a page, from a Chromium trace. Other processes
// do not affect it.

/** Trace categories. */
export const categories = ["toplevel", "blink.user_timing", "devtools.timeline"];

const layout = new Set(["UpdateLayoutTree", "Layout", "PrePaint"]);
const paint = new Set(["Paint", "Layerize", "Commit", "UpdateLayer"]);

/**
 * Returns the total milliseconds and those between the marks of `rows.mjs`, with layout and paint
 * separate.
 */
export function mainThreadWork(trace) {
  const { traceEvents } = JSON.parse(trace);
  const marks = Object.fromEntries(
    traceEvents.filter(({ name }) => name.startsWith("rows-")).map((event) => [event.name, event]),
  );
  const { pid, tid, ts: begin } = marks["rows-begin"];
  const end = marks["rows-end"].ts;
  const between = (from, to) => (marks[to].tts - marks[from].tts) / 1000;
  const spent = (names) =>
    traceEvents
      .filter((event) => event.pid === pid && event.tid === tid && names.has(event.name))
      .filter(({ ts, tdur }) => ts >= begin && ts < end && tdur !== undefined)
      .reduce((total, { tdur }) => total + tdur / 1000, 0);
  return {
    total: between("rows-begin", "rows-end"),
    read: between("rows-begin", "rows-mount"),
    mount: between("rows-mount", "rows-mounted"),
    layout: spent(layout),
    paint: spent(paint),
  };
}
