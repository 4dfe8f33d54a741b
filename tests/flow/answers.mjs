// Answers of the nodes of random workflows: the results of their script, also as failures and items.

import { portsOf } from "./reference.mjs";

/** Returns the answer to a call, or throws; failures are thrown, returned, or happen in an item. */
export function answerOfScript({ workflow, registry, script }, call) {
  const { id, pass, index, attempt } = call;
  const node = workflow.nodes.find((one) => one.id === id);
  const { outputs, action, failure } = script(id, pass);
  if (failure !== undefined) {
    const fails = index === null || index === node.batch.items.length - 1;
    if (fails && id.length % 2 === 0 && index === null) {
      return { outputs: {}, action: "error", error: failure };
    }
    if (fails) throw new Error(failure);
  }
  if (attempt < (node.retry?.max_attempts ?? 1)) throw new Error("try again");
  if (index === null) return { outputs, action };
  const lists = Object.entries(outputs).map(([key, list]) => [key, list[index]]);
  if (node.batch.on_error && lists.length > 0 && lists[0][1] === null) throw new Error("bad item");
  // A failure of another item leaves no outputs.
  const keys = portsOf(node, registry).outputs;
  const filler = failure === undefined ? [] : keys.map(({ key }) => [key, `lost ${key}`]);
  return {
    outputs: Object.fromEntries([...filler, ...lists]),
    action: failure ? "default" : action,
  };
}

/** Returns the inputs of a call without the batch item. */
export function inputsWithoutItem({ inputs, index }) {
  if (index === null) return inputs;
  const { each: _, ...others } = inputs;
  return others;
}
