// Rewrites every committed file that tests compare with: expectations of cases and generated types.
// Review the diff, because it shows the change of behaviour.
import { build } from "./build.mjs";
import { main, printStatus, run } from "./run.mjs";
import { ensureForBuild } from "./setup.mjs";
import { listFiles } from "./stamp.mjs";

await main(async () => {
  await ensureForBuild();
  const env = { BLESS: "1" };
  // Rust comes first: it writes the types that the facade is compiled with.
  await run("cargo", ["test", "--locked", "--workspace"], { env });
  await build();
  const reporter = "--test-reporter=./scripts/reporter.mjs";
  await run("node", ["--test", reporter, ...listFiles("tests/js", ".test.mjs")], { env });
  printStatus("rewrote the expectations; review the diff with `git diff`");
});
