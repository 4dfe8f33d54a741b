// The examples of docs/diagnostic-codes.md run, and print what the page says they print.
// With BLESS=1 the page is rewritten instead.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import test from "node:test";
import { Graph, HamStore, init, Surface } from "byname";

await init();

const url = new URL("../../docs/diagnostic-codes.md", import.meta.url);
const page = readFileSync(url, "utf8");
const example = /^```js\n(.*?)^```\n\n```text\n(.*?)^```$/gms;

/** The sections by code. */
const sections = new Map(
  page
    .split(/^##+ /m)
    .map((text) => [/^(?:JSON|HAM|GASL)\d{3}$/m.exec(text.split("\n", 1)[0])?.[0], text])
    .filter(([code]) => code !== undefined),
);

if (process.env.BLESS) {
  const blessed = page.replace(example, (block, code, said) => {
    const kept = block.slice(0, block.length - said.length - 3);
    return `${kept}${run(code)}\n\`\`\``;
  });
  writeFileSync(url, blessed);
} else {
  for (const [name, text] of sections) {
    test(`the examples of ${name}`, () => {
      const examples = [...text.matchAll(example)];
      assert.ok(examples.length > 0, "no example");
      for (const [, code, said] of examples) {
        const printed = run(code);
        assert.equal(`${printed}\n`, said, code);
        assert.ok(printed.includes(`${name} `), `${name} is not among\n${printed}`);
      }
    });
  }

  test("every code of the table has its section, with the same severity", () => {
    const rows = [...page.matchAll(/^\| ((?:JSON|HAM|GASL)\d{3}) \| (\w+) \|/gm)];
    assert.deepEqual(
      rows.map(([, name]) => name),
      [...sections.keys()],
    );
    for (const [, name, severity] of rows) {
      assert.match(sections.get(name), new RegExp(`^${name} ${severity}`, "m"));
    }
  });
}

/** Runs an example; what it gives to `show` is what it prints. */
function run(code) {
  const lines = [];
  const show = (result) => {
    const diagnostics = Array.isArray(result) ? result : result.diagnostics;
    for (const diagnostic of diagnostics) lines.push(...print(diagnostic));
  };
  const names = { HamStore, Surface, Graph, show, refused };
  new Function(...Object.keys(names), `"use strict";\n${code}`)(...Object.values(names));
  return lines.join("\n");
}

/** What a call throws. */
function refused(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was refused");
}

function print({ code, severity, message, help, location }) {
  const lines = [`${code} ${severity}${place(location)}: ${message}`];
  if (help !== undefined) lines.push(`  help: ${help}`);
  return lines;
}

function place(location) {
  if (location === undefined) return "";
  if (location.kind === "pointer") return ` at "${location.pointer}"`;
  return ` at ${location.start}–${location.end}`;
}
