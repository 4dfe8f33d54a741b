// Removes the values of secret inputs from texts that are saved or copied. Works on the text, because
// a draft is also saved while its JSON is invalid.

/** Start and end of a value in a text, with the keys that lead to it. */
interface ValueSpan {
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Names of the secret inputs of the last valid workflow, because its text may be half edited. */
const knownNames = new Set<string>();

/** Returns the texts of a workflow and of its inputs with null for each value of a secret input. */
export function withoutSecrets(texts: { workflow: string; inputs: string }): {
  workflow: string;
  inputs: string;
} {
  const spans = valueSpans(texts.workflow);
  if (isJson(texts.workflow)) knownNames.clear();
  for (const { path, start, end } of spans) {
    const [first, name, option] = path;
    const isSecret = first === "inputs" && option === "secret" && path.length === 3;
    if (isSecret && name !== undefined && texts.workflow.slice(start, end) === "true")
      knownNames.add(name);
  }
  const isDefault = ([first, name = "", option]: readonly string[]) =>
    first === "inputs" && knownNames.has(name) && option === "default";
  const isInput = ([name = ""]: readonly string[]) => knownNames.has(name);
  return {
    workflow: withNull(
      texts.workflow,
      spans.filter(({ path }) => path.length === 3 && isDefault(path)),
    ),
    inputs: withNull(
      texts.inputs,
      valueSpans(texts.inputs).filter(({ path }) => path.length === 1 && isInput(path)),
    ),
  };
}

function withNull(text: string, spans: readonly ValueSpan[]): string {
  let rest = 0;
  let clean = "";
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    clean += `${text.slice(rest, start)}null`;
    rest = end;
  }
  return clean + text.slice(rest);
}

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/gs;

/** Returns the values in the objects of a JSON text, also of an incomplete one. */
function valueSpans(text: string): ValueSpan[] {
  const spans: ValueSpan[] = [];
  /** Open objects and lists, with the key that has been read and the start of its value. */
  const open: { isObject: boolean; key: string | null; start: number }[] = [];
  let last = "";
  let lastEnd = 0;
  const endValue = (): void => {
    const top = open.at(-1);
    if (top?.isObject && top.key !== null && top.start >= 0)
      spans.push({ path: open.map(({ key }) => key ?? ""), start: top.start, end: lastEnd });
    if (top) Object.assign(top, { key: null, start: -1 });
  };
  for (const { 0: token, index } of text.matchAll(JSON_TOKEN)) {
    const top = open.at(-1);
    if (token === "}" || token === "]" || token === ",") {
      endValue();
      if (token !== ",") open.pop();
    } else if (token === ":") {
      if (top?.isObject && top.key === null) top.key = unquoteToken(last);
    } else {
      if (top?.isObject && top.key !== null && top.start < 0) top.start = index;
      if (token === "{" || token === "[")
        open.push({ isObject: token === "{", key: null, start: -1 });
    }
    last = token;
    lastEnd = index + token.length;
  }
  while (open.length > 0) {
    endValue();
    open.pop();
  }
  return spans;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function unquoteToken(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
