export interface WorkflowEdge {
  from: number;
  to: number;
  action: string;
}

/** Edge with its route: to the next row, forward along a lane, or back on the other side. */
export interface EdgeRoute extends WorkflowEdge {
  kind: "next" | "down" | "up";
  /** Distance from the rows, in lanes. */
  lane: number;
}

export interface RowLayout {
  /** Node indices in the order of their rows. */
  rows: number[];
  routes: EdgeRoute[];
  /** Number of lanes on each side. */
  down: number;
  up: number;
}

/** Maximum number of lanes per side; further edges overlap. */
const maxLanes = 10;

/** Lays out one node per row in execution order; backward edges are loops. */
export function layOutRows(
  count: number,
  edges: readonly WorkflowEdge[],
  starts: readonly number[],
): RowLayout {
  const next: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of edges) next[from]?.push(to);
  const rows = reversePostorder(count, next, starts);
  const row = new Map(rows.map((node, index) => [node, index]));
  const at = (place: number): number => row.get(place) ?? 0;
  const routes = edges.map((link): EdgeRoute => {
    const step = at(link.to) - at(link.from);
    return { ...link, kind: step === 1 ? "next" : step > 0 ? "down" : "up", lane: 0 };
  });
  return { rows, routes, down: assignLanes(routes, "down", at), up: assignLanes(routes, "up", at) };
}

/**
 * Returns the nodes in reverse postorder of a depth-first search, so that branches stay together
 * and joins follow them.
 */
function reversePostorder(
  count: number,
  next: readonly number[][],
  starts: readonly number[],
): number[] {
  const visited = new Array<boolean>(count).fill(false);
  const done: number[] = [];
  const all = [...starts, ...Array.from({ length: count }, (_, place) => place)];
  // Nodes without predecessors come last, so they are visited first.
  const heads = [...new Set(all)];
  const visit = (head: number): number[] => {
    const component: number[] = [];
    const stack: [place: number, left: number[]][] = [];
    const enter = (place: number): void => {
      visited[place] = true;
      stack.push([place, [...(next[place] ?? [])]]);
    };
    enter(head);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const [place, left] = top;
      // The last successor is visited first, so that the first one directly follows its node.
      const to = left.pop();
      if (to === undefined) {
        component.push(place);
        stack.pop();
      } else if (visited[to] === false) enter(to);
    }
    return component;
  };
  const isStart = new Set(starts);
  for (const head of heads.filter((one) => isStart.has(one)).reverse()) {
    if (!visited[head]) done.push(...visit(head));
  }
  const unreachable: number[] = [];
  for (const head of heads) if (!visited[head]) unreachable.push(...visit(head).reverse());
  return [...done.reverse(), ...unreachable];
}

/** Assigns each edge the innermost free lane, short edges first; returns the number of lanes. */
function assignLanes(
  routes: EdgeRoute[],
  kind: EdgeRoute["kind"],
  at: (place: number) => number,
): number {
  const occupied: [first: number, last: number][][] = [];
  const span = ({ from, to }: EdgeRoute): [number, number] => {
    const [a, b] = [at(from), at(to)];
    return a < b ? [a, b] : [b, a];
  };
  const list = routes
    .filter((route) => route.kind === kind)
    .map((route) => ({ route, span: span(route) }))
    .sort((a, b) => a.span[1] - a.span[0] - (b.span[1] - b.span[0]));
  for (const { route, span: mine } of list) {
    let lane = occupied.findIndex((others) =>
      others.every(([first, last]) => last < mine[0] || first > mine[1]),
    );
    if (lane < 0) lane = occupied.push([]) - 1;
    occupied[lane]?.push(mine);
    route.lane = Math.min(lane, maxLanes - 1);
  }
  return Math.min(occupied.length, maxLanes);
}
