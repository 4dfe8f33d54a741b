// Prompt and grammar for A2UI, derived from those for HAM: only references to data and the data itself differ.

const INTRODUCTION = `You write and edit user interfaces. Answer with JSON messages of A2UI and nothing else, each whole on one line.

## Messages
- {"version":"v1.0","createSurface":{"surfaceId":ID,"components":[…],"dataModel":{…}}} begins a surface, once. The component with the id "root" is the top.
- {"version":"v1.0","updateComponents":{"surfaceId":ID,"components":[…]}} adds components or replaces them by id.
- {"version":"v1.0","updateDataModel":{"surfaceId":ID,"path":"/a/0/b","value":VALUE}} sets one value of the data. Without a value it is removed.

## Components
{"id":ID,"component":NAME,…properties}. They are flat: a component names others by id.
- In place of a value a property may hold {"path":"/a/b"}, a value of the data. In a template {"path":"b"} is relative to the list item.
- children: ["id",…], or {"path":"/list","componentId":ID} to show one component for each item of a list.
- action: {"event":{"name":TEXT,"context":{…}}}; paths in the context are read when the user acts.
- checks: [{"condition":CALL,"message":TEXT}].
- ? may be left out; = takes neither path nor call.`;

/** Returns the system prompt for A2UI. `examples` are texts of messages by request. */
export function a2uiPrompt(catalogPrompt, examples) {
  // The lines of components and functions are the same as for HAM.
  const components = catalogPrompt.split("\n").filter((line) => /^[A-Z]\w*\(/.test(line));
  const functions = catalogPrompt.split("\n").filter((line) => /^[a-z]\w*\(/.test(line));
  const parts = [
    INTRODUCTION,
    ...components,
    '\n## Functions\nIn place of a value: {"call":NAME,"args":{…}}.',
    ...functions,
    "\n## Examples",
    ...examples.map(({ request, text }) => `${request}\n${text}`),
  ];
  return parts.join("\n");
}

/** Rules of A2UI in place of those for HAM. */
const RULES = {
  binding: '"{\\"path\\":" ws path ws "}"',
  path: '"\\"" [A-Za-z0-9_/]+ "\\""',
  "body-updateDataModel":
    '"{\\"surfaceId\\":" ws string "," ws "\\"path\\":" ws path ("," ws "\\"value\\":" ws json)? ws "}"',
};

/** Returns the grammar for A2UI from that for HAM. */
export function a2uiGrammar(hamGrammar) {
  const lines = hamGrammar.split("\n").flatMap((line) => {
    const [name] = line.split(" ::= ");
    if (["place", "nodes", "node", "id", "key"].includes(name)) return [];
    if (name in RULES) return [`${name} ::= ${RULES[name]}`];
    if (name === "children")
      return [
        `${line.split(" | ")[0]} | "{\\"path\\":" ws path "," ws "\\"componentId\\":" ws name ws "}"`,
      ];
    if (name === "body-createSurface")
      return [
        '"{\\"surfaceId\\":" ws string ("," ws "\\"components\\":" ws "[" ws component ("," ws component)* ws "]")? ("," ws "\\"dataModel\\":" ws object)? ws "}"',
      ].map((rule) => `${name} ::= ${rule}`);
    return [line.replaceAll('"\\"version\\":" ws string', '"\\"version\\":" ws "\\"v1.0\\""')];
  });
  return [...lines, `path ::= ${RULES.path}`].join("\n");
}
