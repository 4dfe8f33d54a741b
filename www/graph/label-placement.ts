/** Label to place next to its node. */
export interface LabelRequest {
  key: string;
  x: number;
  y: number;
  radius: number;
  text: string;
  /** Priority; higher comes first. */
  weight: number;
  /** Whether it is placed, in bold, even if it covers a node. */
  required: boolean;
}

/** Centre of each label, on its baseline, by key. */
export type LabelPositions = Map<string, { x: number; y: number }>;

/** Average pixels per character, per bold character, and per line. */
const charWidth = 6;
const boldCharWidth = 6.6;
const lineHeight = 13;

/** Cost of covering a node with a required label, relative to any other node. */
const requiredNodeCost = 8;

type Box = [left: number, top: number, right: number, bottom: number];

/**
 * Places labels greedily by weight, so that none covers another label or a node. A required label
 * is placed where it covers least.
 */
export function placeLabels(
  list: readonly LabelRequest[],
  { width, height }: { width: number; height: number },
): LabelPositions {
  const positions: LabelPositions = new Map();
  const nodes = list.map(({ x, y, radius, required }) => {
    const box: Box = [x - radius, y - radius, x + radius, y + radius];
    return { box, cost: required ? requiredNodeCost : 1 };
  });
  const covered = (box: Box): number =>
    nodes.reduce((all, node) => all + node.cost * overlapArea(box, node.box), 0);
  const placed: Box[] = [];
  for (const one of [...list].sort((a, b) => b.weight - a.weight)) {
    const boxes = candidateBoxes(one).filter(
      ([left, top, right, bottom]) =>
        left > 2 && right < width - 2 && top > 2 && bottom < height - 2,
    );
    const clear = boxes.filter((box) => placed.every((other) => overlapArea(box, other) === 0));
    const [least] = clear
      .map((box) => ({ box, cost: covered(box) }))
      .sort((a, b) => a.cost - b.cost);
    const box = least && (one.required || least.cost === 0) ? least.box : undefined;
    if (!box) continue;
    placed.push(box);
    positions.set(one.key, { x: (box[0] + box[2]) / 2, y: box[3] - 3 });
  }
  return positions;
}

/** Returns boxes below, above, right, left and at the four corners. */
function candidateBoxes({ x, y, radius, text, required: needed }: LabelRequest): Box[] {
  const length = text.length * (needed ? boldCharWidth : charWidth);
  const gap = radius + 3;
  // Outside the bounding box of the node.
  const corner = Math.max(radius, radius * 0.7 + 3);
  const box = (left: number, top: number): Box => [left, top, left + length, top + lineHeight];
  return [
    box(x - length / 2, y + gap),
    box(x - length / 2, y - gap - lineHeight),
    box(x + gap, y - lineHeight / 2),
    box(x - gap - length, y - lineHeight / 2),
    box(x + corner, y + corner),
    box(x + corner, y - corner - lineHeight),
    box(x - corner - length, y + corner),
    box(x - corner - length, y - corner - lineHeight),
  ];
}

function overlapArea(a: Box, b: Box): number {
  const across = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const down = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return across > 0 && down > 0 ? across * down : 0;
}
