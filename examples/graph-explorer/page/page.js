// Page of the explorer: runs GASL commands on a graph, and shows rows and the neighbours of a node.
import { GaslSession, Graph, init } from "byname";
import { showTable } from "./table.js";

const element = (id) => document.getElementById(id);
let session;

await init();
const response = await fetch("/graph");
await open(decodeURIComponent(response.headers.get("X-File-Name")), await response.arrayBuffer());

element("file").addEventListener("change", async ({ target: { files } }) => {
  if (files.length > 0) await open(files[0].name, await files[0].arrayBuffer());
});
document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  runPlan();
});

/** Reads a graph and runs the commands on it. A file that cannot be read leaves the previous graph. */
async function open(name, buffer) {
  try {
    const graph = Graph.from(new Uint8Array(buffer));
    session = new GaslSession({ graph });
    element("summary").textContent =
      `${name}: ${graph.nodeCount} nodes, ${graph.edgeCount} edges, ${graph.format}`;
    await runPlan(graph.diagnostics);
  } catch (error) {
    showProblems(error.diagnostics ?? [error]);
  }
}

/** Runs the commands, and shows the variable of the last one below the warnings of the file. */
async function runPlan(warnings = []) {
  const commands = element("plan")
    .value.split("\n")
    .filter((line) => line.trim() !== "");
  const rows = await query(commands, warnings);
  showTable(element("rows"), rows, showNeighbours);
  showTable(element("neighbours"), [], showNeighbours);
  element("neighbours-title").textContent = "Neighbours";
}

/** Shows the nodes that an edge connects with a node, in either direction. */
async function showNeighbours(id) {
  // JSON and GASL quote texts in the same way.
  const commands = [
    `FIND nodes WHERE id = ${JSON.stringify(id)} AS chosen`,
    "WALK FROM chosen DIRECTION any AS neighbours",
  ];
  const rows = await query(commands);
  showTable(element("neighbours"), rows, showNeighbours);
  element("neighbours-title").textContent = `Neighbours of ${id}`;
}

/** Returns the rows of the variable that the last command sets, and shows all diagnostics. */
async function query(commands, warnings = []) {
  if (session === undefined) return [];
  const [, name] = /\bAS\s+(\w+)\s*$/i.exec(commands.at(-1) ?? "") ?? [];
  if (name === undefined) {
    showProblems([{ message: "the last command sets no name", help: "end it with `AS rows`" }]);
    return [];
  }
  const plan = { plan_id: "page", why: "requested on the page", commands };
  const { records, diagnostics } = await session.run(plan);
  const ofRecords = records.flatMap(({ errors = [] }) => errors);
  const { status: lastStatus, command } = records.at(-1) ?? {};
  const empty = lastStatus === "empty" ? [{ message: `no rows: ${command}` }] : [];
  showProblems([...warnings, ...diagnostics, ...ofRecords, ...empty]);
  const value = session.variable(name) ?? [];
  return Array.isArray(value) ? value : [{ [name]: value }];
}

function showProblems(problems) {
  const items = problems.map(({ message, help }) => {
    const item = document.createElement("li");
    item.textContent = help ? `${message}: ${help}` : message;
    return item;
  });
  element("problems").replaceChildren(...items);
}
