// The command `npm run eval`: options, exit codes, results, and a server with chat completions.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs the command. Returns its exit code and its output. */
function run(args, env = {}) {
  return new Promise((resolve) => {
    const all = ["scripts/eval.mjs", "--package", "pkg", ...args];
    const options = { cwd: root, encoding: "utf8", env: { ...process.env, ...env } };
    execFile(process.execPath, all, options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

function temporaryFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), "byname-eval-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("asks the callback of a module and writes tables", async (t) => {
  const folder = temporaryFolder(t);
  const model = join(folder, "model.mjs");
  writeFileSync(model, 'export default async () => "COMPLETE: 15";');
  const out = join(folder, "results.json");
  const args = ["--model", model, "--out", out, "coast-people", "coast-most-cited", "flow-page"];
  const { code, stderr } = await run(args);
  assert.equal(code, 0, stderr);
  const [first, second] = JSON.parse(readFileSync(out, "utf8"));
  const { total, results } = first;
  assert.deepEqual([total.tasks, total.right, total.proposals], [2, 1, 0]);
  assert.equal(results[0].answer, "15");
  assert.deepEqual([second.suite, second.total.right, second.total.repairs], ["workflows", 0, 2]);
  const tables = readFileSync(join(folder, "results.md"), "utf8");
  assert.match(tables, /^## questions\n[\s\S]*^\| all +\| 1 of 2 \|/m);
});

test("explains itself and rejects wrong use", async () => {
  assert.match((await run(["--help"])).stdout, /^npm run eval -- \[options\]/);
  const { stdout } = await run(["--list"]);
  for (const line of [/^coast-people: How/m, /^ui-login: A login/m, /^flow-page: Load/m])
    assert.match(stdout, line);
  for (const [args, message] of [
    [["nosuch"], /unknown task or group "nosuch"/],
    [["--suit", "ui"], /Unknown option '--suit'.*--help/],
    [["--suite", "uis"], /expected --suite questions, ui, workflows, found "uis"/],
    [["--format", "html"], /expected --format ham, a2ui, express, found "html"/],
    [["--repairs", "many"], /expected --repairs to be 0 to 9, found "many"/],
    [["--seconds", "0", "--model", "openai"], /expected a count in --seconds, found "0"/],
    [["--model", "gpt"], /expected --model scripted, openai, anthropic, llama or the path/],
    [["--model", "openai"], /missing --key-env/],
    [["--model", "openai", "--key-env", "BYNAME_MISSING"], /BYNAME_MISSING is not set/],
    [["--model", "openai", "--url", "http://127.0.0.1:1"], /missing --name/],
    [["--model", "llama"], /missing --gguf/],
    [["--model", "llama", "--gguf", "no.gguf"], /no\.gguf of --gguf is missing/],
    [["--gguf", "no.gguf"], /--gguf needs --model llama, found --model scripted/],
  ]) {
    const { code, stderr } = await run(args);
    assert.equal(code, 2, `${args.join(" ")}: ${stderr}`);
    assert.match(stderr, message);
  }
});

test("a server with chat completions receives the grammar and the limits", async (t) => {
  const requests = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    requests.push({ ...JSON.parse(text), key: request.headers.authorization });
    const content =
      '{"nodes":[{"id":"load","type":"fetch","params":{"url":"http://a.test"}}],"outputs":{"page":"${response}"}}';
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        choices: [{ message: { content }, finish_reason: "stop" }],
        usage: { prompt_tokens: 100, completion_tokens: 20 },
      }),
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const out = join(temporaryFolder(t), "results.json");
  const url = `http://127.0.0.1:${server.address().port}/v1`;
  const args = ["--model", "openai", "--url", url, "--name", "any", "--grammar", "--out", out];
  const key = ["--key-env", "BYNAME_EVAL_KEY", "--max-tokens", "50"];
  const { code, stderr } = await run([...args, ...key, "flow-page"], { BYNAME_EVAL_KEY: "k-1" });
  assert.equal(code, 0, stderr);
  const [{ total, model }] = JSON.parse(readFileSync(out, "utf8"));
  assert.deepEqual([total.right, total.tokensIn, total.tokensOut], [1, 100, 20]);
  assert.deepEqual([model.name, model.constrained], ["any", true]);
  const [request] = requests;
  assert.match(request.grammar, /^root ::= /);
  assert.deepEqual(
    [request.max_tokens ?? request.max_completion_tokens, request.key],
    [50, "Bearer k-1"],
  );
  server.closeAllConnections();
  server.close();
  const refused = await run([...args, "flow-page"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /every request failed: /);
});
