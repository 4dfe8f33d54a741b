import { type CanvasColours, readColours } from "./canvas-colours.js";
import {
  type Area,
  currentTransform,
  paintScene,
  type SceneContent,
  type Transform,
} from "./canvas-scene.js";
import type { Viewport } from "./viewport.js";

/** Part of the pane that is painted beyond each of its borders, so that panning shows it. */
const paintedMargin = 0.3;
/** Milliseconds without zoom or pan until the scene is painted sharply. */
const settleTime = 120;
/** Milliseconds of painting per frame. */
const sliceTime = 6;
/** Maximum number of batches per frame, because the browser may execute them later. */
const maxBatchesPerFrame = 10;

/**
 * Image of a scene. Zoom and pan only move and scale the image; afterwards it is painted again, in
 * slices, while the old image stays visible.
 */
export class SceneCache {
  readonly canvas = document.createElement("canvas");
  /** Called after each frame to paint the selection above the scene. */
  readonly #overlay: (context: CanvasRenderingContext2D, colours: CanvasColours) => void;
  readonly #viewport: Viewport;
  #content: SceneContent | null = null;
  #colours: CanvasColours | null = null;
  #front = { image: document.createElement("canvas"), at: unitTransform, area: emptyArea };
  #back = document.createElement("canvas");
  #job: Generator<void> | null = null;
  #jobRequest = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frameRequest = 0;

  constructor(
    viewport: Viewport,
    overlay: (context: CanvasRenderingContext2D, colours: CanvasColours) => void,
  ) {
    this.#viewport = viewport;
    this.#overlay = overlay;
  }

  get isPainting(): boolean {
    return this.#job !== null;
  }

  /** Sets the content and paints it again. */
  show(content: SceneContent): void {
    this.#content = content;
    this.#stopJob();
    this.#startJob();
  }

  /** Moves the image at the next frame, and paints the scene again when the view is still. */
  viewChanged(): void {
    this.overlayChanged();
    if (this.#job) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#startJob(), settleTime);
  }

  /** Paints the image and the selection at the next frame. */
  overlayChanged(): void {
    this.#frameRequest ||= requestAnimationFrame(() => {
      this.#frameRequest = 0;
      this.#paintFrame();
    });
  }

  /** Reads the colours again. */
  coloursChanged(): void {
    this.#colours = null;
    if (this.#content && this.canvas.isConnected) this.show(this.#content);
  }

  stop(): void {
    this.#stopJob();
    cancelAnimationFrame(this.#frameRequest);
    this.#frameRequest = 0;
    this.#content = null;
    this.#front = { image: document.createElement("canvas"), at: unitTransform, area: emptyArea };
  }

  #readColours(): CanvasColours {
    this.#colours ??= readColours(this.canvas.parentElement ?? document.body);
    return this.#colours;
  }

  #stopJob(): void {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#jobRequest);
    this.#job = null;
  }

  /** Paints the scene into the hidden image, and then shows it. */
  #startJob(): void {
    const content = this.#content;
    if (!content) return;
    const { width, height } = this.#viewport.pane;
    const area: Area = {
      left: -width * paintedMargin,
      top: -height * paintedMargin,
      right: width * (1 + paintedMargin),
      bottom: height * (1 + paintedMargin),
    };
    const at = currentTransform(this.#viewport);
    const image = this.#back;
    const ratio = pixelRatio();
    image.width = Math.ceil((area.right - area.left) * ratio);
    image.height = Math.ceil((area.bottom - area.top) * ratio);
    const context = image.getContext("2d");
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, -area.left * ratio, -area.top * ratio);
    const job = paintScene(context, content, at, area, this.#readColours());
    this.#job = job;
    const slice = (): void => {
      const start = performance.now();
      for (let batches = 0; batches < maxBatchesPerFrame; batches++) {
        if (job.next().done) {
          this.#back = this.#front.image;
          this.#front = { image, at, area };
          this.#job = null;
          this.#paintFrame();
          this.canvas.dataset["painted"] = String(
            Number(this.canvas.dataset["painted"] ?? "0") + 1,
          );
          if (!isSame(at, currentTransform(this.#viewport))) this.viewChanged();
          return;
        }
        if (performance.now() - start > sliceTime) break;
      }
      this.#jobRequest = requestAnimationFrame(slice);
    };
    this.#jobRequest = requestAnimationFrame(slice);
  }

  /** Paints the image where the view is now, and the overlay. */
  #paintFrame(): void {
    const { width, height } = this.#viewport.pane;
    const ratio = pixelRatio();
    const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== columns) this.canvas.width = columns;
    if (this.canvas.height !== rows) this.canvas.height = rows;
    const context = this.canvas.getContext("2d");
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const { image, at, area } = this.#front;
    if (image.width > 0 && area !== emptyArea) {
      const now = currentTransform(this.#viewport);
      const [kx, ky] = [now.kx / at.kx, now.ky / at.ky];
      const left = (area.left - at.ox) * kx + now.ox;
      const top = (area.top - at.oy) * ky + now.oy;
      const [wide, high] = [(area.right - area.left) * kx, (area.bottom - area.top) * ky];
      context.drawImage(image, left, top, wide, high);
    }
    this.#overlay(context, this.#readColours());
  }
}

const unitTransform: Transform = { kx: 1, ky: 1, ox: 0, oy: 0 };
const emptyArea: Area = { left: 0, top: 0, right: 0, bottom: 0 };

/** Returns the device pixels per CSS pixel, limited because of memory. */
function pixelRatio(): number {
  return Math.min(2, devicePixelRatio || 1);
}

function isSame(a: Transform, b: Transform): boolean {
  return a.kx === b.kx && a.ky === b.ky && a.ox === b.ox && a.oy === b.oy;
}
