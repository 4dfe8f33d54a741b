/** Where something lies, or how much there is of it, each way. */
export interface Point {
  x: number;
  y: number;
}

/** The pane in pixels, and what lies over it at the top and at the bottom, which the graph keeps clear of. */
export interface PaneSize {
  width: number;
  height: number;
  above: number;
  below: number;
}

const margin = 24;
/** How much farther one direction may be pulled than the other. */
const maxStretch = 1.6;

/** From places of the layout to those of the pane: all of them fit in, and a wheel or a finger goes on from there. */
export class Viewport {
  pane: PaneSize = { width: 600, height: 400, above: 0, below: 0 };
  /** What a wheel or a finger has done on top of the fit. */
  #zoom = { k: 1, x: 0, y: 0 };
  #fit = { x: { k: 1, to: 0 }, y: { k: 1, to: 0 } };

  /** Where in the pane a place lies. */
  toPane({ x, y }: Point): [number, number] {
    const { k: zoom, x: left, y: up } = this.#zoom;
    const { x: across, y: down } = this.#fit;
    return [(x * across.k + across.to) * zoom + left, (y * down.k + down.to) * zoom + up];
  }

  /** How many pixels one step of the layout is. */
  get scale(): Point {
    return { x: this.#fit.x.k * this.#zoom.k, y: this.#fit.y.k * this.#zoom.k };
  }

  /** Fits places into the pane. */
  fit(points: readonly Point[]): void {
    const { width, height } = this.pane;
    const xs = points.map(({ x }) => x);
    const ys = points.map(({ y }) => y);
    const [left, right, top, bottom] = [
      Math.min(...xs),
      Math.max(...xs),
      Math.min(...ys),
      Math.max(...ys),
    ];
    const above = this.pane.above + margin;
    const below = this.pane.below + margin;
    const room = { x: width - 2 * margin, y: height - above - below };
    const fits = { x: room.x / Math.max(1, right - left), y: room.y / Math.max(1, bottom - top) };
    // A pane that is wider than the graph may stretch it a little.
    const x = Math.min(1.9, fits.x, fits.y * maxStretch);
    const y = Math.min(1.9, fits.y, fits.x * maxStretch);
    this.#fit = {
      x: { k: x, to: width / 2 - (x * (left + right)) / 2 },
      y: { k: y, to: above + room.y / 2 - (y * (top + bottom)) / 2 },
    };
  }

  /** Goes closer to a point of the pane, its middle at first, or farther from it. */
  zoomBy(by: number, at?: [number, number]): void {
    const { width, height } = this.pane;
    const [x, y] = at ?? [width / 2, height / 2];
    const k = Math.max(0.5, Math.min(8, this.#zoom.k * by));
    const real = k / this.#zoom.k;
    this.#zoom = { k, x: x - (x - this.#zoom.x) * real, y: y - (y - this.#zoom.y) * real };
  }

  /** Moves all by so many pixels. */
  pan(dx: number, dy: number): void {
    this.#zoom.x += dx;
    this.#zoom.y += dy;
  }

  /** Moves all where a place lies out of sight. */
  reveal(point: Point): void {
    const { width, height } = this.pane;
    const [x, y] = this.toPane(point);
    const inside = (at: number, most: number): number =>
      Math.max(margin, Math.min(most - margin, at));
    this.pan(inside(x, width) - x, inside(y, height) - y);
  }

  /** Takes back what a wheel or a finger has done. */
  resetZoom(): void {
    this.#zoom = { k: 1, x: 0, y: 0 };
  }
}
