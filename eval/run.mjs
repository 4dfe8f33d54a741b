// Asks questions in sessions and counts plans, replies, tokens and right answers.
import { isRight } from "./score.mjs";

/** Number of characters of a token in estimates. */
const TOKEN_CHARS = 4;

/** Maximum number of plans per question. */
const MAX_PLANS = 6;

/**
 * Asks each question whose graph is in `graphs` (node-link JSON by name). `plannerOf(question)` returns the callback of
 * the model, `onResult` receives each result: `{ id, question, answer, truth, isRight, plans, acceptedAtFirst, replies,
 * tokensIn, tokensPrompts, tokensOut, status, milliseconds }`. `tokensPrompts` are those of `tokensIn` that are not the
 * constant system prompt, estimated from characters.
 */
export async function evaluate(byname, questions, { graphs, plannerOf, onResult = () => {} }) {
  const loaded = new Map();
  for (const [name, json] of Object.entries(graphs)) {
    const ids = json.nodes.map(({ id }) => String(id));
    loaded.set(name, { graph: byname.Graph.fromNodeLink(json), ids });
  }
  const results = [];
  for (const question of questions.filter(({ graph }) => loaded.has(graph))) {
    const { graph, ids } = loaded.get(question.graph);
    const result = await ask(byname, question, graph, ids, plannerOf(question));
    results.push(result);
    onResult(result);
  }
  return results;
}

async function ask({ GaslSession }, question, graph, ids, planner) {
  const log = [];
  const tokens = { in: 0, prompts: 0, out: 0 };
  const llm = async (request) => {
    log.push(request.task);
    const reply = await planner(request);
    const { usage } = Object(reply);
    tokens.prompts += tokensOf(request.prompt);
    tokens.in += usage?.inputTokens ?? tokensOf(request.system + request.prompt);
    tokens.out += usage?.outputTokens ?? tokensOf(textOf(reply));
    return reply;
  };
  const begin = performance.now();
  const session = new GaslSession({ graph, llm });
  const onPlan = () => log.push("accepted");
  const { status, answer, diagnostics } = await session.solve(question.question, {
    maxPlans: MAX_PLANS,
    onPlan,
  });
  session[Symbol.dispose]();
  const isProposal = (task, index) =>
    isRequest(task) && ["accepted", "repair"].includes(log[index + 1]);
  const proposals = log.filter((task, index) => task !== "repair" && isProposal(task, index));
  const acceptedAtFirst = log.filter(
    (task, index) => task !== "repair" && isRequest(task) && log[index + 1] === "accepted",
  );
  return {
    id: question.id,
    question: question.question,
    status,
    answer,
    truth: question.truth,
    isRight: isRight(question, answer, ids),
    plans: proposals.length,
    acceptedAtFirst: acceptedAtFirst.length,
    replies: log.filter(isRequest).length,
    tokensIn: tokens.in,
    tokensPrompts: tokens.prompts,
    tokensOut: tokens.out,
    milliseconds: Math.round(performance.now() - begin),
    diagnostics: diagnostics.map(({ code, message }) => `${code}: ${message}`),
  };
}

function isRequest(entry) {
  return entry !== "accepted";
}

function tokensOf(text) {
  return Math.ceil(text.length / TOKEN_CHARS);
}

function textOf(reply) {
  return typeof reply === "string" ? reply : (reply.text ?? JSON.stringify(reply.json ?? ""));
}

/** Returns the sums of all results. */
export function summarize(results) {
  const sum = (key) => results.reduce((total, result) => total + Number(result[key]), 0);
  return {
    questions: results.length,
    right: sum("isRight"),
    plans: sum("plans"),
    acceptedAtFirst: sum("acceptedAtFirst"),
    replies: sum("replies"),
    tokensIn: sum("tokensIn"),
    tokensPrompts: sum("tokensPrompts"),
    tokensOut: sum("tokensOut"),
  };
}
