import { byId } from "../page/element.js";
import { errorText } from "../page/format.js";
import { showNotice } from "../page/notice.js";
import { CanvasDrawing } from "./canvas-drawing.js";
import { GraphDrawing } from "./drawing.js";
import type { GraphModel, GraphView } from "./graph-model.js";
import { MeasureControl } from "./measure-control.js";
import { plainStyle } from "./measures.js";
import { type Drawing, PictureFrame } from "./picture-frame.js";
import type { Result } from "./result.js";
import { showRows } from "./row-table.js";

/** Maximum numbers of nodes and edges drawn as SVG; more are drawn on a canvas. */
const maxSvgNodes = 300;
const maxSvgEdges = 3000;

/** Result highlighted in the drawing, and its rows below. */
export class ResultView {
  readonly #frame = new PictureFrame(byId("graph-picture"));
  readonly #svg = new GraphDrawing(this.#frame);
  readonly #canvas = new CanvasDrawing(this.#frame);
  #drawing: Drawing = this.#svg;
  readonly #measures = new MeasureControl(() => void this.#applyStyle());
  readonly #rows = byId("graph-rows");
  #style = plainStyle;
  #graph: GraphModel | null = null;
  #result: Result | null = null;

  constructor() {
    byId("graph-picture").before(this.#measures.element);
  }

  /** Draws another graph. */
  open(graph: GraphModel): void {
    this.#graph = graph;
    this.#result = null;
    this.#drawing.highlight(new Set(), new Set());
    this.#measures.reset();
    this.#measures.offerMeasures(graph, null);
    void this.#applyStyle();
    void this.#load(graph, null).then((view) => {
      if (view && graph === this.#graph) this.#draw(view);
    });
  }

  /** Shows a result, and buttons for all results of its step. */
  show(result: Result | null, results: ReadonlyMap<string, Result>): void {
    this.#result = result;
    this.#highlight(results);
    const graph = this.#graph;
    if (!graph) return;
    this.#measures.offerMeasures(graph, result);
    void this.#applyStyle();
    if (graph.isDrawnCompletely) return;
    void this.#load(graph, result).then((view) => {
      if (!view || graph !== this.#graph || result !== this.#result) return;
      this.#draw(view);
      this.#highlight(results);
    });
  }

  select(id: string): void {
    this.#drawing.select(id);
  }

  /** Returns the view of a result, or null after reporting that it cannot be read. */
  async #load(graph: GraphModel, result: Result | null): Promise<GraphView | null> {
    try {
      return await graph.view(result);
    } catch (error) {
      // The worker or the connection of an earlier graph has ended.
      if (graph === this.#graph) showNotice({ text: `Not drawn: ${errorText(error)}` });
      return null;
    }
  }

  /** Draws a view as SVG, or on the canvas if it is large. */
  #draw(view: GraphView): void {
    const isLarge = view.nodes.length > maxSvgNodes || view.edges.length > maxSvgEdges;
    const drawing = isLarge ? this.#canvas : this.#svg;
    if (drawing !== this.#drawing) this.#drawing.remove();
    this.#drawing = drawing;
    drawing.setStyle(this.#style);
    drawing.draw(view);
    const { nodes, edges } = this.#result ?? { nodes: new Set<string>(), edges: new Set<string>() };
    drawing.highlight(nodes, edges);
    void this.#applyStyle();
  }

  /** Shows the selected measures, if graph and result are still the current ones. */
  async #applyStyle(): Promise<void> {
    const [graph, result] = [this.#graph, this.#result];
    if (!graph) return;
    // Loading the view reports its errors.
    const style = await this.#measures.selectedStyle(graph, result).catch(() => plainStyle);
    if (graph !== this.#graph || result !== this.#result) return;
    const [before, isPlain] = [this.#style, style.size === null && style.colour === null];
    if (isPlain && before === plainStyle) return;
    this.#style = isPlain ? plainStyle : style;
    this.#drawing.setStyle(this.#style);
  }

  #highlight(results: ReadonlyMap<string, Result>): void {
    const { nodes, edges } = this.#result ?? { nodes: new Set<string>(), edges: new Set<string>() };
    this.#drawing.highlight(nodes, edges);
    showRows(this.#rows, this.#result, results, {
      result: (one) => this.show(one, results),
      node: (id) => this.select(id),
      known: (id) => this.#drawing.has(id),
    });
  }
}
