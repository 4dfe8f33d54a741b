// Parses the executable blocks of docs/ham.md, docs/gasl.md and docs/flow.md.
//
// A block is a sequence of actions, one per line; an indented line, or a line that closes a bracket,
// continues the action before it. Expectations follow ` # ` at the end of a line, or stand on lines
// of their own after the action: `# value: 3`, `# error: [HAM002]`, `# help: write `u1``.

/** Names of expectations; a `#` that is followed by anything else is an ordinary comment. */
const EXPECTATION =
  /(?:^|\s)# (value|missing|status|ref|items|changed|deleted|error|warning|info|help|message|rows|count|reply|stored|reads|outputs|calls|action)(?::\s*|(?=\s*$|\s+#))/;

/** Returns the blocks of one language: `{line, info, code}`, where `line` is that of the opening fence. */
export function specBlocks(markdown, language) {
  const fence = new RegExp(`^\`\`\`${language}(?: (.*))?\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return [...markdown.matchAll(fence)].map(({ index, 1: info = "", 2: code }) => ({
    line: markdown.slice(0, index).split("\n").length,
    info: info.trim(),
    code,
  }));
}

/** Splits a line into its text and its expectations, `[name, text]` each. */
export function splitLine(line) {
  const match = EXPECTATION.exec(line);
  if (!match) return { text: line.trimEnd(), expected: [] };
  const rest = line.slice(match.index + match[0].length);
  const next = splitLine(rest);
  const own = [match[1], next.text.trim()];
  return { text: line.slice(0, match.index).trimEnd(), expected: [own, ...next.expected] };
}

/** Returns the actions of a block: `{line, text, lines, expected}`; `lines` maps text lines to expectations. */
export function actionsOf({ line: fence, code }) {
  const actions = [];
  for (const [index, written] of code.split("\n").entries()) {
    const line = fence + 1 + index;
    const { text, expected } = splitLine(written);
    if (text.trim() === "" && expected.length === 0) continue;
    if (/^\s*(?:\/\/|#)/.test(text)) continue;
    const last = actions.at(-1);
    if (text.trim() === "") {
      if (!last) throw new Error(`line ${line}: an expectation without an action`);
      last.expected.push(...expected);
      last.lines.at(-1).expected.push(...expected);
    } else if (last && /^[\s\]})]/.test(text)) {
      last.lines.push({ text, expected: [...expected] });
      last.expected.push(...expected);
    } else {
      actions.push({ line, lines: [{ text, expected: [...expected] }], expected: [...expected] });
    }
  }
  for (const action of actions) action.text = action.lines.map(({ text }) => text).join("\n");
  return actions;
}

/** Returns the expectation of a name, or undefined; throws when it is written twice. */
export function expectation(expected, name) {
  const found = expected.filter(([key]) => key === name);
  if (found.length > 1) throw new Error(`\`# ${name}\` is written twice`);
  return found[0]?.[1];
}

/** Compares the diagnostics of an action with `# error`, `# warning`, `# info`, `# message` and `# help`. */
export function checkDiagnostics(expected, diagnostics, assert) {
  for (const severity of ["error", "warning", "info"]) {
    const written = expected.filter(([key]) => key === severity).map(([, text]) => text);
    const codes = written.flatMap((text) => {
      const list = /^\[([A-Z]+\d{3}(?:, [A-Z]+\d{3})*)\]$/.exec(text);
      if (!list) throw new Error(`expected \`# ${severity}: [CODE, …]\`, found \`${text}\``);
      return list[1].split(", ");
    });
    const actual = diagnostics.filter((one) => one.severity === severity);
    const shown = actual
      .map(({ code, message, help }) => `${code}: ${message} (${help})`)
      .join("\n");
    assert.deepEqual(
      actual.map(({ code }) => code).sort(),
      codes.sort(),
      shown || "no diagnostics",
    );
  }
  for (const part of ["message", "help"]) {
    const texts = diagnostics.map((one) => one[part] ?? "");
    for (const [, text] of expected.filter(([key]) => key === part)) {
      assert.ok(texts.includes(text), `expected the ${part} ${text}, found ${texts.join(" | ")}`);
    }
  }
}

/** Parses the JSON text of an expectation; the error names the text. */
export function json(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the expectation \`${text}\` is not JSON: ${error.message}`);
  }
}
