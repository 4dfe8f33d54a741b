/** A way from one place to another. */
export interface Link {
  from: number;
  to: number;
  action: string;
}

/** How a link is drawn: straight to the next row, down beside the rows, or back up on the other side. */
export interface Route extends Link {
  kind: "next" | "down" | "up";
  /** How far out it runs, counted from the rows. */
  lane: number;
}

export interface Plan {
  /** The places in the order of their rows. */
  rows: number[];
  routes: Route[];
  /** How many lanes run on either side. */
  down: number;
  up: number;
}

/** More lanes than this are drawn over one another. */
const most = 10;

/** One row a node, in an order in which they can run; what leads back is a loop. */
export function arrange(count: number, links: readonly Link[], starts: readonly number[]): Plan {
  const next: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of links) next[from]?.push(to);
  const rows = order(count, next, starts);
  const row = new Map(rows.map((place, index) => [place, index]));
  const at = (place: number): number => row.get(place) ?? 0;
  const routes = links.map((link): Route => {
    const step = at(link.to) - at(link.from);
    return { ...link, kind: step === 1 ? "next" : step > 0 ? "down" : "up", lane: 0 };
  });
  return { rows, routes, down: lanes(routes, "down", at), up: lanes(routes, "up", at) };
}

/** A walk in depth, turned round: each branch stays together, and what joins comes after all of it. */
function order(count: number, next: readonly number[][], starts: readonly number[]): number[] {
  const seen = new Array<boolean>(count).fill(false);
  const done: number[] = [];
  const all = [...starts, ...Array.from({ length: count }, (_, place) => place)];
  // What nothing leads to comes last, so it is walked first.
  const heads = [...new Set(all)];
  const walk = (head: number): number[] => {
    const part: number[] = [];
    const open: [place: number, left: number[]][] = [];
    const enter = (place: number): void => {
      seen[place] = true;
      open.push([place, [...(next[place] ?? [])]]);
    };
    enter(head);
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const [place, left] = top;
      // The last successor is walked first, and so the first one stands right behind its node.
      const to = left.pop();
      if (to === undefined) {
        part.push(place);
        open.pop();
      } else if (seen[to] === false) enter(to);
    }
    return part;
  };
  const isStart = new Set(starts);
  for (const head of heads.filter((one) => isStart.has(one)).reverse()) {
    if (!seen[head]) done.push(...walk(head));
  }
  const rest: number[] = [];
  for (const head of heads) if (!seen[head]) rest.push(...walk(head).reverse());
  return [...done.reverse(), ...rest];
}

/** Gives each link the innermost lane that is free along its way. Short ones run inside. */
function lanes(routes: Route[], kind: Route["kind"], at: (place: number) => number): number {
  const taken: [first: number, last: number][][] = [];
  const span = ({ from, to }: Route): [number, number] => {
    const [a, b] = [at(from), at(to)];
    return a < b ? [a, b] : [b, a];
  };
  const list = routes
    .filter((route) => route.kind === kind)
    .map((route) => ({ route, span: span(route) }))
    .sort((a, b) => a.span[1] - a.span[0] - (b.span[1] - b.span[0]));
  for (const { route, span: mine } of list) {
    // A link into the same node, or out of it by the same action, may share its lane.
    let lane = taken.findIndex((others) =>
      others.every(([first, last]) => last < mine[0] || first > mine[1]),
    );
    if (lane < 0) lane = taken.push([]) - 1;
    taken[lane]?.push(mine);
    route.lane = Math.min(lane, most - 1);
  }
  return Math.min(taken.length, most);
}
