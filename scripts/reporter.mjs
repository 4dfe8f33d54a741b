// Reporter of `node --test`: prints each failure in full, the reason of each skipped test, the output of the tests, and
// one line of counts. The reporters of Node print every passed test as well. Where BYNAME_DURATIONS names a file, the
// duration of each top-level test is appended to it. Where BYNAME_FAILED_TESTS names a file, the path of each test file
// that fails is appended to it.
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { stdout } from "node:process";
import { inspect } from "node:util";
import { root } from "./run.mjs";

/** Totals that the runner prints at the end and the last line replaces. */
const totals = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

/** Converts the events of the test runner to text. */
export default async function* report(events) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for await (const { type, data } of events) {
    if (type === "test:stdout" || type === "test:stderr") yield data.message;
    if (type === "test:diagnostic" && !totals.test(data.message)) yield `${data.message}\n`;
    if (type === "test:pass" && typeof data.skip === "string") {
      yield `skipped: ${data.name}: ${data.skip}\n`;
    }
    if (type === "test:pass") count[data.skip || data.todo ? "skipped" : "passed"] += 1;
    if (type === "test:pass" || type === "test:fail") recordDuration(data);
    if (type === "test:fail") {
      count.failed += 1;
      recordFailure(data);
      yield failure(data);
    }
  }
  const parts = Object.entries(count).filter(([name, number]) => number > 0 || name === "passed");
  yield `${parts.map(([name, number]) => `${number} ${name}`).join(", ")}\n`;
}

function recordDuration({ name, file, nesting, details }) {
  const { BYNAME_DURATIONS } = process.env;
  if (!BYNAME_DURATIONS || nesting > 0 || !file) return;
  const seconds = details.duration_ms / 1000;
  const line = JSON.stringify({ seconds, name: `${relative(root, file)}: ${name}` });
  appendFileSync(BYNAME_DURATIONS, `${line}\n`);
}

function recordFailure({ name, file }) {
  const { BYNAME_FAILED_TESTS } = process.env;
  // A file that ends without a result is named by the test itself.
  if (BYNAME_FAILED_TESTS) appendFileSync(BYNAME_FAILED_TESTS, `${relative(root, file ?? name)}\n`);
}

function failure({ name, file, line, details }) {
  const location = file ? ` (${relative(root, file)}${line ? `:${line}` : ""})` : "";
  const reason = inspect(details.error.cause ?? details.error, { depth: 8, colors: stdout.isTTY });
  return `\nfailed: ${name}${location}\n${reason.replaceAll(/^/gm, "  ")}\n\n`;
}
