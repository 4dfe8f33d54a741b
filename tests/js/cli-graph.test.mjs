// Commands about graphs: positions of problems in the files. Options of all commands.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "byname-cli-graph-"));
after(() => rmSync(folder, { recursive: true }));
const root = new URL("../..", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const program = fileURLToPath(new URL(manifest.bin.byname, root));

function byname(words, input) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    input,
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}

function file(name, content) {
  writeFileSync(join(folder, name), content);
  return name;
}

const edges = file("edges.csv", "source,target\na,b\nb,c\n");

test("errors of a graph have the file, the line and the column", () => {
  for (const [name, text, place] of [
    ["quote.csv", 'source,target\na,b\nc,"d\n', "3:3: error[GASL122]"],
    [
      "broken.graphml",
      '<graphml><graph><node id="a"/>\n<node id=b/></graph></graphml>',
      "2:1: error[GASL100]",
    ],
    ["empty.csv", "", "1:1: error[GASL111]"],
    ["columns.csv", "x,y\n1,2\n", "1:1: error[GASL120]"],
  ]) {
    const { code, stdout, stderr } = byname(["graph", "info", file(name, text)]);
    assert.deepEqual([code, stdout], [1, ""], name);
    assert.ok(stderr.startsWith(`${name}:${place}`), stderr);
    const asJson = byname(["graph", "info", name, "--json"]);
    assert.equal(JSON.parse(asJson.stdout).diagnostics[0].severity, "error");
    assert.deepEqual([asJson.code, asJson.stderr], [1, ""]);
  }
});

test("warnings of a graph have their line, also on the standard input", () => {
  const text = '{"nodes":[{"id":"a"},\n{"id":"a"}],"links":[]}';
  const { code, stdout } = byname(["graph", "info", file("twice.json", text)]);
  assert.equal(code, 0);
  assert.match(stdout, /^twice\.json:2:1: warning\[GASL130\]/m);
  assert.match(byname(["graph", "info"], text).stdout, /^-:2:1: warning\[GASL130\]/m);
});

test("a problem of two tables names its table", () => {
  const nodes = file("nodes.csv", "id,n\na,b\na,c\n");
  const long = file("long.csv", "source,target\na,b,c\n");
  const { stdout } = byname(["graph", "info", long, "--node-table", nodes]);
  assert.match(stdout, /^nodes\.csv:3:1: warning\[GASL130\]/m);
  assert.match(stdout, /^long\.csv:2:1: warning\[GASL121\]/m);
});

test("errors of a plan are at the line of the command", () => {
  const run = (name, text) =>
    byname(["gasl", "run", file(name, text), "--graph", edges]).stdout.split("\n");
  const at = (lines) =>
    lines.filter((line) => line.includes("error[")).map((line) => line.split(" ")[0]);
  assert.deepEqual(at(run("a.gasl", "FIND nodes AS x\n\n  FIND nodez AS y\n")), ["a.gasl:3:3:"]);
  const steps = run("b.gasl", "# first\nFIND nodes AS x\n\nRANK y BY degree AS z\n");
  assert.deepEqual(at(steps), ["b.gasl:4:6:"]);
  const commands = '"FIND nodes AS x",\n"FIND nodez AS y"';
  const plan = `{"plan_id":"p","why":"w","commands":[${commands}]}`;
  assert.deepEqual(at(run("c.json", plan)), ["c.json:2:1:"]);
  const query = byname(["graph", "query", edges, "FIND nodes AS x", "FIND nodez AS y"]);
  assert.match(query.stdout, /^commands:2:1: error\[GASL001\]/m);
});

test("a binary plan prints a limited number of problems", () => {
  const bytes = Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 37) % 256));
  const { code, stdout } = byname(["gasl", "run", file("plan.bin", bytes), "--graph", edges]);
  assert.equal(code, 1);
  assert.equal(stdout.match(/error\[/g).length, 50);
  assert.match(stdout, /^plan\.bin: \d+ more diagnostics; use --json for all$/m);
});

test("a group of commands has help", () => {
  for (const [group, name] of [
    ["graph", "graph query"],
    ["gasl", "gasl run"],
    ["flow", "flow mermaid"],
  ]) {
    const { code, stdout } = byname([group, "--help"]);
    assert.equal(code, 0);
    assert.ok(stdout.includes(name) && !stdout.includes("convert"), stdout);
  }
  assert.doesNotMatch(byname(["mcp", "--help"]).stdout, /--json/);
  assert.equal(byname(["mcp", edges, "--json"]).code, 2);
});

test("an option without effect, without a value or unknown is wrong use", () => {
  for (const [words, message] of [
    [["prompt", "gasl", "--surface", "s"], "unexpected `--surface`: `prompt gasl` does not use it"],
    [
      ["grammar", "express", "--surface", "s"],
      "unexpected `--surface`: `grammar express` does not use it",
    ],
    [
      ["schema", "gasl", "--catalog", "c.mjs"],
      "unexpected `--catalog`: `schema gasl` does not use it",
    ],
    [["prompt", "--surface="], "expected a value of `--surface`, found nothing"],
    [["check", "--formt", "ham"], "unknown option `--formt` of `check`; did you mean `--format`?"],
    [["check", "--xyzzy"], "unknown option `--xyzzy` of `check`; `byname check --help` lists all"],
  ])
    assert.deepEqual(byname(words, ""), { code: 2, stdout: "", stderr: `byname: ${message}\n` });
});
