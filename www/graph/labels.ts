/** A name that wants to stand beside its node. */
export interface Sized {
  key: string;
  x: number;
  y: number;
  radius: number;
  text: string;
  /** Who comes first. */
  weight: number;
  /** It stands even where it covers a node. */
  needed: boolean;
}

/** Where a name stands: the middle of its line, on its baseline. */
export type Spots = Map<string, { x: number; y: number }>;

/** Pixels of a character on average, and of a line. */
const wide = 6;
const high = 13;

type Box = [left: number, top: number, right: number, bottom: number];

/** The names that can stand without covering one another or a node, the weightier first. */
export function placed(
  list: readonly Sized[],
  { width, height }: { width: number; height: number },
): Spots {
  const spots: Spots = new Map();
  const nodes = list.map(({ key, x, y, radius }) => {
    const box: Box = [x - radius, y - radius, x + radius, y + radius];
    return { key, box };
  });
  const names: Box[] = [];
  for (const one of [...list].sort((a, b) => b.weight - a.weight)) {
    const boxes = around(one).filter(
      ([left, top, right, bottom]) =>
        left > 2 && right < width - 2 && top > 2 && bottom < height - 2,
    );
    const clear = boxes.filter((box) => names.every((other) => apart(box, other)));
    const free = clear.find((box) =>
      nodes.every(({ key, box: other }) => key === one.key || apart(box, other)),
    );
    const box = free ?? (one.needed ? clear[0] : undefined);
    if (!box) continue;
    names.push(box);
    spots.set(one.key, { x: (box[0] + box[2]) / 2, y: box[3] - 3 });
  }
  return spots;
}

/** Below, above, to the right, to the left. */
function around({ x, y, radius, text }: Sized): Box[] {
  const half = (text.length * wide) / 2;
  const gap = radius + 3;
  return [
    [x - half, y + gap, x + half, y + gap + high],
    [x - half, y - gap - high, x + half, y - gap],
    [x + gap, y - high / 2, x + gap + 2 * half, y + high / 2],
    [x - gap - 2 * half, y - high / 2, x - gap, y + high / 2],
  ];
}

function apart(a: Box, b: Box): boolean {
  return a[2] <= b[0] || a[0] >= b[2] || a[3] <= b[1] || a[1] >= b[3];
}
