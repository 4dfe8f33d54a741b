import { byId } from "../page/element.js";
import { Picture } from "./drawing.js";
import type { Sight } from "./graph-model.js";
import type { Result } from "./result.js";
import { showRows } from "./row-table.js";

/** A result as it is seen: lit in the picture of the graph, and as rows below it. */
export class ResultView {
  readonly #picture = new Picture(byId("graph-picture"));
  readonly #rows = byId("graph-rows");
  #sight: Sight | null = null;
  /** The result that the picture is about. */
  #result: Result | null = null;

  /** Draws another graph. */
  open(sight: Sight): void {
    this.#sight = sight;
    this.#picture.light(new Set(), new Set());
    void sight.view(null).then((view) => {
      if (sight === this.#sight) this.#picture.draw(view);
    });
  }

  /** Shows a result, and by their names all that there are at its step. */
  show(result: Result | null, results: ReadonlyMap<string, Result>): void {
    this.#result = result;
    this.#light(results);
    const sight = this.#sight;
    if (!sight || sight.small) return;
    void sight.view(result).then((view) => {
      if (sight !== this.#sight || result !== this.#result) return;
      this.#picture.draw(view);
      this.#light(results);
    });
  }

  /** Opens a node of the picture. */
  pick(id: string): void {
    this.#picture.pick(id);
  }

  #light(results: ReadonlyMap<string, Result>): void {
    const { nodes, edges } = this.#result ?? { nodes: new Set<string>(), edges: new Set<string>() };
    this.#picture.light(nodes, edges);
    showRows(this.#rows, this.#result, results, {
      result: (one) => this.show(one, results),
      node: (id) => this.pick(id),
      known: (id) => this.#picture.has(id),
    });
  }
}
