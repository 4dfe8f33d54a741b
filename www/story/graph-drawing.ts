/** What draws the graph, in a piece of its own: the page is there before it. */
import "../graph/graph.css";

export { GraphDrawing as Picture } from "../graph/drawing.js";
export { GraphModel as Sight } from "../graph/graph-model.js";
