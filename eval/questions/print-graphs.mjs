// Prints the graphs of the questions as one JSON object, for answers.py.
import { loadGraph } from "./graphs.mjs";
import { questions } from "./index.mjs";

const names = [...new Set(questions.map(({ graph }) => graph))];
const graphs = await Promise.all(names.map(async (name) => [name, await loadGraph(name)]));
console.log(JSON.stringify(Object.fromEntries(graphs.filter(([, graph]) => graph))));
