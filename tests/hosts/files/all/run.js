// Small program that uses all parts of the package; its result is the same in every host.
import { ask, compileFlow, Graph, HamStore, Surface } from "byname";
import { scripted } from "byname/llm";

/** Runs an update, a surface, a question about a graph, and a workflow. */
export async function run() {
  const { store, changes } = people();
  const answer = await question();
  return { people: store.toJSON().people, changes, answer, said: await workflow(answer) };
}

function people() {
  const store = new HamStore();
  const surface = new Surface({ store });
  const components = [
    { id: "root", component: "Column", children: { binding: { key: "people" }, template: "row" } },
    { id: "row", component: "Text", text: { binding: { key: "name" } } },
  ];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  store.apply({ root: { people: ["*a", "*b"] }, a: { name: "Ada" }, b: { name: "Grace" } });
  const changes = [];
  surface.subscribe((list) => changes.push(...list.map(({ kind, key }) => `${kind} ${key}`)));
  store.apply('{"a": {"name": "Ada Lovelace"}, "root": {"people": ["*b", "*a"]}}');
  return { store, changes };
}

async function question() {
  const graph = Graph.fromNodeLink({
    nodes: [
      { id: "ADA", type: "PERSON" },
      { id: "LONDON", type: "PLACE" },
    ],
    edges: [{ source: "ADA", target: "LONDON" }],
  });
  const commands = [
    "DECLARE people AS LIST",
    'FIND nodes WHERE type = "PERSON" AS found',
    "UPDATE people WITH found",
  ];
  const plan = { plan_id: "p1", why: "find the people", commands };
  const llm = scripted([{ json: plan }, `COMPLETE: ADA, and no one else`]);
  return (await ask("Who is there?", { graph, llm })).answer;
}

async function workflow(answer) {
  const { flow } = compileFlow(
    {
      inputs: { name: {} },
      nodes: [{ id: "one", type: "say", params: { text: "Found: $name" } }],
      outputs: { said: {} },
    },
    { say: { inputs: ["text"], outputs: ["said"] } },
  );
  const say = async ({ inputs }) => ({ outputs: { said: inputs.text } });
  const { outputs } = await flow.run({ inputs: { name: answer }, nodes: { say } });
  return outputs.said;
}
