interface Positioned {
  readonly x: number;
  readonly y: number;
}

const directions: { readonly [key: string]: readonly [x: number, y: number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function isArrowKey(key: string): boolean {
  return key in directions;
}

/**
 * Returns the nearest node in the direction of an arrow key, or null. It must be within 45°;
 * sideways distance counts twice.
 */
export function nodeInDirection<Node extends Positioned>(
  from: Node,
  others: Iterable<Node>,
  key: string,
): Node | null {
  const [x, y] = directions[key] ?? [0, 0];
  let best: Node | null = null;
  let leastDistance = Number.POSITIVE_INFINITY;
  for (const other of others) {
    const [dx, dy] = [other.x - from.x, other.y - from.y];
    const along = dx * x + dy * y;
    const aside = Math.abs(dx * y - dy * x);
    const distance = along + 2 * aside;
    if (along <= 0 || aside > along || distance >= leastDistance) continue;
    best = other;
    leastDistance = distance;
  }
  return best;
}
