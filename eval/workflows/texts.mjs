// Prompt and grammar of workflows.

export const system = `You write workflows. Answer with one JSON object and nothing else.
{"nodes":[{"id":ID,"type":TYPE,"params":{INPUT:VALUE}}],"inputs":{NAME:{}},"outputs":{NAME:"\${OUTPUT}"}}
- Use the ids and types of the nodes below. They run in the order of the list.
- A value is a text, or a template: \${NAME} is an output of an earlier node, under the name that is listed below, or an input of the workflow.
- outputs names each result of the workflow. Leave out inputs if the workflow has none.

Example: read x.txt and translate it into Greek; the output greek is the translation.
{"nodes":[{"id":"in","type":"read","params":{"path":"x.txt"}},{"id":"tr","type":"translate","params":{"text":"\${content}","language":"Greek"}}],"outputs":{"greek":"\${text}"}}`;

/** Returns the grammar of a workflow with these nodes (types by id) in this order, which read these names. */
export function workflowGrammar(nodes, names, registry) {
  const entries = Object.entries(nodes);
  const rules = entries.map(([id, type], at) => {
    const { inputs, params = [] } = registry[type];
    const keys = [...inputs, ...params.map(({ key }) => key)];
    const members = keys.map((key) => `"\\"${key}\\": " value`).join(' ", " ');
    return `node${at} ::= "{\\"id\\": \\"${id}\\", \\"type\\": \\"${type}\\", \\"params\\": {" ${members} "}}"`;
  });
  const list = entries.map((_, at) => `node${at}`).join(' ", " ');
  return [
    `root ::= "{\\"nodes\\": [" ${list} "], " inputs? "\\"outputs\\": {" output (", " output)* "}}"`,
    ...rules,
    'inputs ::= "\\"inputs\\": {\\"" name "\\": {}}, "',
    'output ::= "\\"" name "\\": \\"${" reference "}\\""',
    'value ::= "\\"" ([^"\\\\$\\x00-\\x1F] | "${" reference "}"){1,120} "\\""',
    `reference ::= ${names.map((one) => `"${one}"`).join(" | ")}`,
    "name ::= [a-z] [a-zA-Z0-9_]{0,30}",
  ].join("\n");
}
