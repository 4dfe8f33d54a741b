// Suite of questions about graphs: each is answered in a session, and the answer is compared with the true one.
import { countCodes, meter } from "../meter.mjs";
import { loadGraph } from "../questions/graphs.mjs";
import { questions } from "../questions/index.mjs";
import { recordedPlanner } from "../questions/planner.mjs";
import { isRight } from "../questions/score.mjs";

/** Maximum number of plans per question. */
const MAX_PLANS = 6;

export const questionSuite = {
  name: "questions",
  tasks: questions,
  textOf: ({ question }) => question,
  groupOf: ({ graph }) => graph,
  recorded: recordedPlanner,

  /** Loads the graphs of tasks. Returns the tasks whose graph exists, and a function that runs one. */
  async prepare({ byname }, tasks) {
    const graphs = {};
    for (const name of new Set(tasks.map(({ graph }) => graph))) {
      const graph = await loadGraph(name);
      if (graph) graphs[name] = graph;
    }
    return prepareQuestions(byname, tasks, graphs);
  },
};

/** Returns the questions whose graph is in `graphs` (node-link JSON by name), and a function that asks one. */
export function prepareQuestions(byname, tasks, graphs) {
  const loaded = new Map();
  for (const [name, json] of Object.entries(graphs)) {
    const ids = json.nodes.map(({ id }) => String(id));
    loaded.set(name, { graph: byname.Graph.fromNodeLink(json), ids });
  }
  return {
    tasks: tasks.filter(({ graph }) => loaded.has(graph)),
    run: (task, llm) => ask(byname, task, loaded.get(task.graph), llm),
  };
}

async function ask({ GaslSession }, question, { graph, ids }, llm) {
  const log = [];
  const metered = meter(llm);
  const session = new GaslSession({
    graph,
    llm: (request) => {
      log.push(request.task);
      return metered.llm(request);
    },
  });
  const { status, answer, diagnostics } = await session.solve(question.question, {
    maxPlans: MAX_PLANS,
    onPlan: () => log.push("accepted"),
  });
  session[Symbol.dispose]();
  const { codes, isTooLong } = metered.more;
  if (!isTooLong) countCodes(codes, diagnostics);
  const reason = isTooLong ? "too long" : `${status}, ${messagesOf(diagnostics)}`;
  return {
    isRight: isRight(question, answer, ids),
    ...countPlans(log),
    ...metered.counts,
    ...metered.more,
    answer,
    reason: answer === null ? reason : JSON.stringify(answer),
    expected: JSON.stringify(question.truth),
  };
}

/** Counts the plans in a log of requests and accepted plans, and those that were accepted without a repair. */
function countPlans(log) {
  const isFirst = (entry) => entry !== "repair" && entry !== "accepted";
  const next = (at) => log[at + 1];
  const proposals = log.filter(
    (entry, at) => isFirst(entry) && ["accepted", "repair"].includes(next(at)),
  );
  const accepted = log.filter((entry, at) => isFirst(entry) && next(at) === "accepted");
  return { proposals: proposals.length, acceptedAtFirst: accepted.length };
}

function messagesOf(diagnostics) {
  return diagnostics.map(({ code, message }) => `${code}: ${message}`).join("; ");
}
