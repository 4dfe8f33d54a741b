/** A name that wants to stand below its node. */
export interface Sized {
  key: string;
  x: number;
  y: number;
  radius: number;
  text: string;
  /** Who comes first. */
  weight: number;
}

/** Pixels of a character on average, and of a line. */
const wide = 6.1;
const high = 13;

/** The names that can stand without covering one another, the weightier first. */
export function placed(
  list: readonly Sized[],
  { width, height }: { width: number; height: number },
): Set<string> {
  const shown = new Set<string>();
  const boxes: [number, number, number, number][] = [];
  for (const { key, x, y, radius, text } of [...list].sort((a, b) => b.weight - a.weight)) {
    const half = (text.length * wide) / 2;
    const top = y + radius + 2;
    const box: (typeof boxes)[number] = [x - half, top, x + half, top + high];
    const inside = box[0] > -8 && box[2] < width + 8 && box[1] > 0 && box[3] < height;
    const free = boxes.every(
      ([left, up, right, down]) =>
        box[2] <= left || box[0] >= right || box[3] <= up || box[1] >= down,
    );
    if (!inside || !free) continue;
    boxes.push(box);
    shown.add(key);
  }
  return shown;
}
