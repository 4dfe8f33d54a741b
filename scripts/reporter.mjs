// What `node --test` prints here: each failure in full, why a test is skipped, what the tests themselves print, and one
// line at the end. The reporters that Node has print every test that passes as well.
import { relative } from "node:path";
import { stdout } from "node:process";
import { inspect } from "node:util";
import { root } from "./run.mjs";

/** What the runner counts at the end; one line says it here. */
const sums = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

/** Takes the events of the test runner; gives text. */
export default async function* report(events) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for await (const { type, data } of events) {
    if (type === "test:stdout" || type === "test:stderr") yield data.message;
    if (type === "test:diagnostic" && !sums.test(data.message)) yield `${data.message}\n`;
    if (type === "test:pass" && typeof data.skip === "string") {
      yield `skipped: ${data.name}: ${data.skip}\n`;
    }
    if (type === "test:pass") count[data.skip || data.todo ? "skipped" : "passed"] += 1;
    if (type === "test:fail") {
      count.failed += 1;
      yield failure(data);
    }
  }
  const parts = Object.entries(count).filter(([name, number]) => number > 0 || name === "passed");
  yield `${parts.map(([name, number]) => `${number} ${name}`).join(", ")}\n`;
}

function failure({ name, file, line, details }) {
  const place = file ? ` (${relative(root, file)}${line ? `:${line}` : ""})` : "";
  const reason = inspect(details.error.cause ?? details.error, { depth: 8, colors: stdout.isTTY });
  return `\nfailed: ${name}${place}\n${reason.replaceAll(/^/gm, "  ")}\n\n`;
}
