const shapes = ["circle", "square", "diamond", "triangle", "hexagon", "drop"] as const;
export type Shape = (typeof shapes)[number];

/** Returns the shape of a node kind; colour is reserved for the result. */
export function shapeOf(nth: number): Shape {
  return shapes[Math.max(0, nth) % shapes.length] ?? "circle";
}

/** Returns an SVG path around the origin; all shapes have about the same area. */
export function shapePath(shape: Shape, r: number): string {
  switch (shape) {
    case "circle":
      return `M${-r} 0a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`;
    case "square": {
      const s = r * 0.88;
      return `M${-s} ${-s}H${s}V${s}H${-s}Z`;
    }
    case "diamond": {
      const s = r * 1.25;
      return `M0 ${-s}L${s} 0L0 ${s}L${-s} 0Z`;
    }
    case "triangle": {
      const s = r * 1.2;
      return `M0 ${-s}L${s} ${s * 0.8}H${-s}Z`;
    }
    case "hexagon": {
      const s = r * 1.1;
      return `M${s} 0L${s / 2} ${s * 0.87}H${-s / 2}L${-s} 0L${-s / 2} ${-s * 0.87}H${s / 2}Z`;
    }
    case "drop": {
      const s = r * 1.2;
      return `M0 ${s}L${s} ${-s * 0.8}H${-s}Z`;
    }
  }
}
