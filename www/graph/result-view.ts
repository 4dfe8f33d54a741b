import { byId } from "../page/element.js";
import { GraphDrawing } from "./drawing.js";
import type { GraphModel } from "./graph-model.js";
import type { Result } from "./result.js";
import { showRows } from "./row-table.js";

/** Result highlighted in the drawing, and its rows below. */
export class ResultView {
  readonly #drawing = new GraphDrawing(byId("graph-picture"));
  readonly #rows = byId("graph-rows");
  #graph: GraphModel | null = null;
  #result: Result | null = null;

  /** Draws another graph. */
  open(graph: GraphModel): void {
    this.#graph = graph;
    this.#drawing.highlight(new Set(), new Set());
    void graph.view(null).then((view) => {
      if (graph === this.#graph) this.#drawing.draw(view);
    });
  }

  /** Shows a result, and buttons for all results of its step. */
  show(result: Result | null, results: ReadonlyMap<string, Result>): void {
    this.#result = result;
    this.#highlight(results);
    const graph = this.#graph;
    if (!graph || graph.isSmall) return;
    void graph.view(result).then((view) => {
      if (graph !== this.#graph || result !== this.#result) return;
      this.#drawing.draw(view);
      this.#highlight(results);
    });
  }

  select(id: string): void {
    this.#drawing.select(id);
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
