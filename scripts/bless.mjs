// Rewrites every committed file that tests compare with: expectations of cases, generated types.
// Review the diff: it is the change of behaviour.
import { build } from "./build.mjs";
import { main, run, say } from "./run.mjs";
import { ensureForBuild } from "./setup.mjs";
import { files } from "./stamp.mjs";

await main(async () => {
  await ensureForBuild();
  const env = { BLESS: "1" };
  // Rust comes first: it writes the types that the facade is compiled with.
  await run("cargo", ["test", "--locked", "--workspace"], { env });
  await build();
  const reporter = "--test-reporter=./scripts/reporter.mjs";
  await run("node", ["--test", reporter, ...files("tests/js", ".test.mjs")], { env });
  say("blessed; review the diff with `git diff`");
});
