import { textOf } from "../../json-value.js";
import type { ImportReport } from "./import-report.js";
import type { N8nNode } from "./n8n-node.js";

const TRIGGER = /(?:trigger|\.(?:webhook|start|cron|interval|emailReadImap))$/i;
const ERROR_TRIGGER = /\.errorTrigger$/;

/** Returns the id of the trigger at which a run starts, and reports the others. */
export function startOf(nodes: readonly N8nNode[], report: ImportReport): string | undefined {
  const typeOf = ({ node }: N8nNode): string => textOf(node["type"]);
  const triggers = nodes.filter((one) => {
    return TRIGGER.test(typeOf(one)) && one.node["disabled"] !== true;
  });
  const first = triggers.find((one) => !ERROR_TRIGGER.test(typeOf(one))) ?? triggers[0];
  if (first === undefined) {
    const hasConnection = nodes.some(({ incoming }) => incoming.length > 0);
    if (nodes.length > 1 && !hasConnection)
      report.warn(
        "/connections",
        "no node is connected, so the nodes run in the order of the list",
        "connect the nodes, or write `edges`",
      );
    return undefined;
  }
  for (const other of triggers) {
    if (other === first) continue;
    const isError = ERROR_TRIGGER.test(typeOf(other));
    report.warn(
      other.pointer,
      `the run starts at \`${first.name}\`; the trigger \`${other.name}\` and the nodes that only it starts do not run`,
      isError
        ? 'remove them, and add an edge with `"action": "error"` to the node that handles the failure'
        : `remove them, or write \`"start_node": "${other.id}"\` to start there`,
    );
  }
  return first.id;
}
