export interface Point {
  x: number;
  y: number;
}

/** Size of the pane in pixels, and the heights of the overlays at its top and bottom. */
export interface PaneSize {
  width: number;
  height: number;
  above: number;
  below: number;
}

const fitMargin = 24;
/** Maximum ratio of the scales of both axes. */
const maxScaleRatio = 1.6;

/** Transformation from layout to pane: fits the graph, then applies the user's zoom. */
export class Viewport {
  pane: PaneSize = { width: 600, height: 400, above: 0, below: 0 };
  /** Maximum zoom; 8 by default. */
  maxZoom: number | undefined;
  /** Zoom and pan of the user, applied after the fit. */
  #zoom = { k: 1, x: 0, y: 0 };
  #fit = { x: { k: 1, to: 0 }, y: { k: 1, to: 0 } };

  toPane({ x, y }: Point): [number, number] {
    const { k: zoom, x: left, y: up } = this.#zoom;
    const { x: across, y: down } = this.#fit;
    return [(x * across.k + across.to) * zoom + left, (y * down.k + down.to) * zoom + up];
  }

  /** Pixels per unit of the layout. */
  get scale(): Point {
    return { x: this.#fit.x.k * this.#zoom.k, y: this.#fit.y.k * this.#zoom.k };
  }

  /** Fits points into the pane. */
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
    const above = this.pane.above + fitMargin;
    const below = this.pane.below + fitMargin;
    const room = { x: width - 2 * fitMargin, y: height - above - below };
    const fits = { x: room.x / Math.max(1, right - left), y: room.y / Math.max(1, bottom - top) };
    // A wide pane may stretch the graph.
    const x = Math.min(1.9, fits.x, fits.y * maxScaleRatio);
    const y = Math.min(1.9, fits.y, fits.x * maxScaleRatio);
    this.#fit = {
      x: { k: x, to: width / 2 - (x * (left + right)) / 2 },
      y: { k: y, to: above + room.y / 2 - (y * (top + bottom)) / 2 },
    };
  }

  /** Zooms around a point of the pane, by default its centre. */
  zoomBy(by: number, at?: [number, number]): void {
    const { width, height } = this.pane;
    const [x, y] = at ?? [width / 2, height / 2];
    const k = Math.max(0.5, Math.min(this.maxZoom ?? 8, this.#zoom.k * by));
    const real = k / this.#zoom.k;
    this.#zoom = { k, x: x - (x - this.#zoom.x) * real, y: y - (y - this.#zoom.y) * real };
  }

  pan(dx: number, dy: number): void {
    this.#zoom.x += dx;
    this.#zoom.y += dy;
  }

  /** Pans so that a point is visible. */
  reveal(point: Point): void {
    const { width, height, above, below } = this.pane;
    const [x, y] = this.toPane(point);
    const inside = (at: number, least: number, most: number): number =>
      Math.max(least + fitMargin, Math.min(most - fitMargin, at));
    this.pan(inside(x, 0, width) - x, inside(y, above, height - below) - y);
  }

  resetZoom(): void {
    this.#zoom = { k: 1, x: 0, y: 0 };
  }
}
