/** A node where it is drawn. */
interface Drawn {
  readonly x: number;
  readonly y: number;
}

const ways: { readonly [key: string]: readonly [x: number, y: number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Whether a key leads from a node to another one. */
export function leads(key: string): boolean {
  return key in ways;
}

/** The node that an arrow key leads to: it lies more ahead than aside, and what is aside counts twice as far. */
export function ahead<D extends Drawn>(from: D, others: Iterable<D>, key: string): D | null {
  const [x, y] = ways[key] ?? [0, 0];
  let best: D | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const other of others) {
    const [dx, dy] = [other.x - from.x, other.y - from.y];
    const along = dx * x + dy * y;
    const aside = Math.abs(dx * y - dy * x);
    const far = along + 2 * aside;
    if (along <= 0 || aside > along || far >= least) continue;
    best = other;
    least = far;
  }
  return best;
}
