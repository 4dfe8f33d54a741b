/** A name that wants to stand beside its node. */
export interface Sized {
  key: string;
  x: number;
  y: number;
  radius: number;
  text: string;
  /** Who comes first. */
  weight: number;
  /** It stands, in bold, even where it covers a node. */
  needed: boolean;
}

/** Where a name stands: the middle of its line, on its baseline. */
export type Spots = Map<string, { x: number; y: number }>;

/** Pixels of a character on average, of one in bold, and of a line. */
const wide = 6;
const bold = 6.6;
const high = 13;

/** To cover a node whose own name is needed is so many times as bad as to cover another. */
const DEAR = 8;

type Box = [left: number, top: number, right: number, bottom: number];

/**
 * The names that can stand without covering one another or a node, the weightier first. One that is needed stands
 * where it covers least.
 */
export function placed(
  list: readonly Sized[],
  { width, height }: { width: number; height: number },
): Spots {
  const spots: Spots = new Map();
  const nodes = list.map(({ x, y, radius, needed }) => {
    const box: Box = [x - radius, y - radius, x + radius, y + radius];
    return { box, dear: needed ? DEAR : 1 };
  });
  const covered = (box: Box): number =>
    nodes.reduce((all, node) => all + node.dear * shared(box, node.box), 0);
  const names: Box[] = [];
  for (const one of [...list].sort((a, b) => b.weight - a.weight)) {
    const boxes = around(one).filter(
      ([left, top, right, bottom]) =>
        left > 2 && right < width - 2 && top > 2 && bottom < height - 2,
    );
    const clear = boxes.filter((box) => names.every((other) => shared(box, other) === 0));
    const [least] = clear
      .map((box) => ({ box, cost: covered(box) }))
      .sort((a, b) => a.cost - b.cost);
    const box = least && (one.needed || least.cost === 0) ? least.box : undefined;
    if (!box) continue;
    names.push(box);
    spots.set(one.key, { x: (box[0] + box[2]) / 2, y: box[3] - 3 });
  }
  return spots;
}

/** Below, above, to the right, to the left, and at the four corners. */
function around({ x, y, radius, text, needed }: Sized): Box[] {
  const length = text.length * (needed ? bold : wide);
  const gap = radius + 3;
  // Off the box of the node, which is what its name must not cover.
  const corner = Math.max(radius, radius * 0.7 + 3);
  const box = (left: number, top: number): Box => [left, top, left + length, top + high];
  return [
    box(x - length / 2, y + gap),
    box(x - length / 2, y - gap - high),
    box(x + gap, y - high / 2),
    box(x - gap - length, y - high / 2),
    box(x + corner, y + corner),
    box(x + corner, y - corner - high),
    box(x - corner - length, y + corner),
    box(x - corner - length, y - corner - high),
  ];
}

/** The area that two boxes have in common. */
function shared(a: Box, b: Box): number {
  const across = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const down = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return across > 0 && down > 0 ? across * down : 0;
}
