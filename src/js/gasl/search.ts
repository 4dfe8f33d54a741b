import { abortable } from "../abort.js";
import {
  assertCount,
  assertFunction,
  assertOptionTypes,
  assertSignal,
  assertString,
  describeType,
  throwExpected,
  throwMisuse,
} from "../arguments.js";
import type { Diagnostic, Plan, PlanResult } from "../types.js";
import { assertSeed } from "./options.js";
import type { GaslSession } from "./session.js";

/** State that the search has reached. */
export interface SearchNode {
  /** Hash of the state. */
  hash: string;
  /** Plan that led to the state; null at the root. */
  plan: Plan | null;
  confidence: number;
  rationale: string;
  /** Status of that plan. */
  status: PlanResult["status"] | null;
  /** Answer that the model gave with COMPLETE. */
  answer: string | null;
  /** Reward of the rollout, from 0 to 1. */
  reward: number;
  visits: number;
  /** Mean of the rewards of this node and its descendants. */
  value: number;
  children: SearchNode[];
}

/** Scores a state from 0 to 1: by a rule, or with another model. */
export type Rollout = (
  session: GaslSession,
  reached: {
    plan: Plan;
    result: PlanResult;
    random: () => number;
    signal: AbortSignal | undefined;
  },
) => number | Promise<number>;

export interface SearchOptions {
  /** Maximum number of states; 16 by default. */
  iterations?: number;
  /** Exploration constant of UCT; √2 by default. */
  exploration?: number;
  /** {@link byOutcome} by default. */
  rollout?: Rollout;
  /** Seed of the random numbers for rollouts; 0 by default. */
  seed?: number;
  signal?: AbortSignal;
}

export interface SearchResult {
  /** Answer of the best node that has one. */
  answer: string | null;
  root: SearchNode;
  /** Nodes from the root by the most visits. */
  path: SearchNode[];
  /** Session at the end of the path. */
  session: GaslSession;
  /** Errors of proposals: invalid plans, and failed calls of the model. */
  diagnostics: Diagnostic[];
}

interface TreeNode {
  node: SearchNode;
  session: GaslSession;
  parent: TreeNode | null;
  children: TreeNode[];
  /** Proposed plans that have not been run, the most confident first. */
  untried: { plan: Plan; confidence: number; rationale: string }[] | undefined;
}

const OPTION_ASSERTIONS = {
  iterations: assertCount,
  exploration: assertWeight,
  rollout: assertFunction,
  seed: assertSeed,
  signal: assertSignal,
};

/** Throws unless a value is a finite number of at least 0. */
function assertWeight(value: unknown, what: string): void {
  if (typeof value === "number" && value >= 0 && value < Infinity) return;
  throwMisuse(
    `expected ${what} to be a number of at least 0, found ${typeof value === "number" ? value : describeType(value)}`,
  );
}

/**
 * Monte Carlo tree search over the forks of a session. A node is a state, the proposals of the
 * model are its children, a rollout scores them, and UCT (Kocsis and Szepesvári 2006) selects the
 * next one. The same seed, replies and rollout give the same tree.
 */
export async function search(
  session: GaslSession,
  query: string,
  options: SearchOptions = {},
): Promise<SearchResult> {
  if (typeof session?.fork !== "function") {
    throwExpected("the session of `search`", "a GaslSession", session);
  }
  assertString(query, "a question");
  assertOptionTypes(options, OPTION_ASSERTIONS, "the options of `search`");
  const { iterations = 16, exploration = Math.SQRT2, rollout = byOutcome, signal } = options;
  const random = mulberry32(options.seed ?? 0);
  const root = createTreeNode(session.fork(), null, null);
  const diagnostics: Diagnostic[] = [];
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    signal?.throwIfAborted();
    let current = root;
    while (current.untried?.length === 0 && current.children.length > 0)
      current = selectChild(current, exploration);
    const errors = current.untried === undefined ? await expandLeaf(current, query, signal) : [];
    for (const one of errors) diagnostics.push(one);
    const next = current.untried?.shift();
    if (next === undefined) {
      // A leaf without untried plans gets its own reward again.
      propagateReward(current, current.node.answer === null ? current.node.reward : 1);
      if (current === root) break;
      continue;
    }
    const fork = current.session.fork();
    const result = await fork.run(next.plan, { ...(signal && { signal }) });
    const child = createTreeNode(fork, current, { ...next, result });
    current.children.push(child);
    current.node.children.push(child.node);
    const pendingReward = rollout(fork, { plan: next.plan, result, random, signal });
    const score = await (signal
      ? abortable(Promise.resolve(pendingReward), signal)
      : pendingReward);
    if (typeof score !== "number" || Number.isNaN(score)) {
      const found = typeof score === "number" ? "NaN" : describeType(score);
      throwMisuse(`expected \`rollout\` to return a number from 0 to 1, found ${found}`);
    }
    child.node.reward = Math.min(1, Math.max(0, score));
    if (result.answer !== undefined) child.node.answer = result.answer;
    propagateReward(child, child.node.reward);
  }
  return { ...toResult(root), diagnostics };
}

/** Scores the result of a plan: half for its status, half for the share of successful steps. */
export const byOutcome: Rollout = (_session, { result }) => {
  if (result.answer !== undefined) return 1;
  const well = result.records.filter(({ status }) => status === "success").length;
  const share = result.records.length === 0 ? 0 : well / result.records.length;
  const end = { completed: 0.5, stopped_empty: 0.1, failed: 0, interrupted: 0, cancelled: 0 }[
    result.status
  ];
  return end + share / 2;
};

/** Asks the model for proposals. Returns their errors. */
async function expandLeaf(
  leaf: TreeNode,
  query: string,
  signal: AbortSignal | undefined,
): Promise<Diagnostic[]> {
  const proposal = await leaf.session.propose(query, { ...(signal && { signal }) });
  // The plan that led here may have answered already.
  leaf.node.answer = proposal.answer ?? leaf.node.answer;
  // The sort is stable.
  leaf.untried = [...proposal.candidates].sort((a, b) => b.confidence - a.confidence);
  return proposal.diagnostics;
}

function createTreeNode(
  session: GaslSession,
  parent: TreeNode | null,
  by: { plan: Plan; confidence: number; rationale: string; result: PlanResult } | null,
): TreeNode {
  const node: SearchNode = {
    hash: session.snapshot().hash,
    plan: by?.plan ?? null,
    confidence: by?.confidence ?? 1,
    rationale: by?.rationale ?? "",
    status: by?.result.status ?? null,
    answer: null,
    reward: 0,
    visits: 0,
    value: 0,
    children: [],
  };
  return { node, session, parent, children: [], untried: undefined };
}

/** Returns the child with the highest upper confidence bound, the first of equals. */
function selectChild(parent: TreeNode, exploration: number): TreeNode {
  const bound = ({ node }: TreeNode) =>
    node.value + exploration * Math.sqrt(Math.log(parent.node.visits) / node.visits);
  return parent.children.reduce((best, one) => (bound(one) > bound(best) ? one : best));
}

/** Adds a visit and a reward to a node and its ancestors (backpropagation). */
function propagateReward(from: TreeNode, amount: number): void {
  for (let at: TreeNode | null = from; at; at = at.parent) {
    at.node.visits += 1;
    at.node.value += (amount - at.node.value) / at.node.visits;
  }
}

function toResult(root: TreeNode): Omit<SearchResult, "diagnostics"> {
  const path = [root];
  for (let at = root; at.children.length > 0; ) {
    at = at.children.reduce((best, one) => {
      const more = one.node.visits - best.node.visits || one.node.value - best.node.value;
      return more > 0 ? one : best;
    });
    path.push(at);
  }
  const last = path[path.length - 1] as TreeNode;
  return {
    answer: bestAnswered(root.node)?.answer ?? null,
    root: root.node,
    path: path.map(({ node }) => node),
    session: last.session,
  };
}

/** Returns the node with an answer and the highest value, or null. */
function bestAnswered(node: SearchNode): SearchNode | null {
  const all = [node, ...node.children.map(bestAnswered)].filter((one) => one !== null);
  const answered = all.filter(({ answer }) => answer !== null);
  if (answered.length === 0) return null;
  return answered.reduce((first, one) => (one.value > first.value ? one : first));
}

/** Returns a generator of pseudo-random numbers from 0 to 1 (mulberry32). */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
