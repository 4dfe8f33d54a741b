import { svg } from "../page/element.js";
import type { EdgeRoute, RowLayout } from "./layout.js";
import type { MappingStage } from "./node-card.js";

/** Position and size of a card in its scene, in pixels. */
export interface CardBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Pixels between two lanes, between a card and its first lane, and per character of a label. */
export const laneWidth = 9;
export const laneGap = 10;
const charWidth = 5.8;
const cornerRadius = 5;

/** Action of the edge that is followed when its node fails. */
const failureAction = "error";

/** Point where edges leave their card. */
interface Exit {
  x: number;
  label: string;
  anchor: "start" | "end";
  /** Pixels below the card where the edge turns; adjacent edges turn at different heights. */
  turnOffset: number;
}

/** Draws the edges of one column, with their actions. */
export function drawRoutes(
  plan: RowLayout,
  stage: MappingStage,
  boxAt: (place: number) => CardBox | null,
): SVGElement[] {
  const drawn: SVGElement[] = [];
  const from = new Map<number, EdgeRoute[]>();
  for (const route of plan.routes) from.set(route.from, [...(from.get(route.from) ?? []), route]);
  for (const [place, routes] of from) {
    const start = boxAt(place);
    if (!start) continue;
    const exits = layOutExits(routes, start);
    for (const route of routes) {
      const end = boxAt(route.to);
      const exit = exits.get(exitKey(route));
      if (!end || !exit) continue;
      const isFailure = route.action === failureAction;
      const path = svg("path", {
        class: `flow-edge ${route.kind}${isFailure ? " failure" : ""}`,
        d: edgePath(route, exit, start, end),
        "marker-end": isFailure ? "url(#flow-head-failure)" : "url(#flow-head)",
        "data-edge": stage === "after" ? `${route.from} ${route.action}` : "",
      });
      drawn.push(path);
    }
    for (const { x, label, anchor } of exits.values()) {
      if (label === "") continue;
      const aside = anchor === "start" ? 5 : -5;
      const y = String(start.top + start.height + 11);
      const words = svg("text", {
        class: `edge-label${label === failureAction ? " failure" : ""}`,
        x: String(x + aside),
        y,
        "text-anchor": anchor,
      });
      words.textContent = label;
      drawn.push(words);
    }
  }
  return drawn;
}

function exitKey({ kind, action }: EdgeRoute): string {
  return `${kind} ${action}`;
}

/**
 * Places forward edges on the left, back edges on the right, and the edge to the next row between.
 */
function layOutExits(routes: readonly EdgeRoute[], { left, width }: CardBox): Map<string, Exit> {
  const exits = new Map<string, Exit>();
  const several = new Set(routes.map(({ action }) => action)).size > 1;
  const shortLabel = (action: string): string => {
    const words = action === "default" && !several ? "" : action;
    return words.length > 14 ? `${words.slice(0, 13)}…` : words;
  };
  const turn = (): number => 12 + Math.min(exits.size, 2) * 5;
  let x = left + 14;
  for (const kind of ["down", "next"] as const) {
    for (const route of routes.filter((one) => one.kind === kind)) {
      if (exits.has(exitKey(route))) continue;
      const label = shortLabel(route.action);
      exits.set(exitKey(route), { x, label, anchor: "start", turnOffset: turn() });
      x += 16 + label.length * charWidth;
    }
  }
  let right = left + width - 14;
  let loops = 0;
  for (const route of routes.filter(({ kind }) => kind === "up")) {
    if (exits.has(exitKey(route))) continue;
    const words = shortLabel(route.action);
    const below = 12 + Math.min(loops, 2) * 5;
    exits.set(exitKey(route), { x: right, label: words, anchor: "end", turnOffset: below });
    loops += 1;
    right -= 16 + words.length * charWidth;
  }
  return exits;
}

function edgePath({ kind, lane }: EdgeRoute, exit: Exit, start: CardBox, end: CardBox): string {
  const { x } = exit;
  const y = start.top + start.height;
  if (kind === "next") return `M${x} ${y}V${end.top - 2}`;
  const side = kind === "down" ? -1 : 1;
  const edge = kind === "down" ? start.left : start.left + start.width;
  const out = edge + side * (laneGap + lane * laneWidth);
  const target = kind === "down" ? end.left : end.left + end.width;
  // Edges that end at one card arrive a few pixels apart.
  const into = end.top + 12 + Math.min(lane, 3) * 4;
  const turn = y + exit.turnOffset;
  const down = into > turn ? 1 : -1;
  const c = cornerRadius;
  return [
    `M${x} ${y}V${turn - c}Q${x} ${turn} ${x + side * c} ${turn}`,
    `H${out - side * c}Q${out} ${turn} ${out} ${turn + down * c}`,
    `V${into - down * c}Q${out} ${into} ${out - side * c} ${into}`,
    `H${target + side * 2}`,
  ].join("");
}

/** Draws curves from the writers of a name to its readers. */
export function drawReads(writers: readonly CardBox[], readers: readonly CardBox[]): SVGElement[] {
  return writers.flatMap((one) =>
    readers.map((other) => {
      const [x1, y1] = [one.left + one.width, one.top + one.height / 2];
      const [x2, y2] = [other.left + other.width, other.top + other.height / 2];
      const bend = Math.min(56, 14 + Math.abs(y2 - y1) / 6);
      const out = Math.max(x1, x2) + bend;
      const d = `M${x1 + 1} ${y1}C${out} ${y1} ${out} ${y2} ${x2 + 3} ${y2}`;
      return svg("path", { class: "read", d, "marker-end": "url(#flow-head-lit)" });
    }),
  );
}
