/** Graph drawing as a separate chunk, which loads after the page. */
import "../graph/graph.css";

export { GraphDrawing as Picture } from "../graph/drawing.js";
export { GraphModel as Sight } from "../graph/graph-model.js";
export { pageSource } from "../graph/graph-source.js";
export { PictureFrame as Frame } from "../graph/picture-frame.js";
