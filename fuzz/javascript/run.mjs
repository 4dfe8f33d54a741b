// Runs a target in JavaScript: `node fuzz/javascript/run.mjs NAME FOLDER SECONDS [RUNS] [LENGTH] [SEED]`. Inputs are
// mutations of inputs whose behaviour was new. These are written to the folder, and so is an input that fails. LENGTH is
// the maximum length of an input in bytes.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../../tests/random/random.mjs";

const [name, folder, seconds, runs = "-1", length = "120", seed = String(Date.now())] =
  process.argv.slice(2);
const { check } = await import(`./${name}.mjs`);
const random = new Random(Number(seed));
mkdirSync(folder, { recursive: true });
const corpus = readdirSync(folder).map((file) => readFileSync(join(folder, file)));
const behaviours = new Set(corpus.map((input) => check(input)));
const end = performance.now() + 1_000 * Number(seconds);
let executions = 0;
while (executions !== Number(runs) && (executions % 256 !== 0 || performance.now() < end)) {
  const input = mutate(corpus.length > 0 ? random.pick(corpus) : Buffer.from([0]));
  executions += 1;
  // Objects with weak references are kept until the end of a task of the event loop.
  if (executions % 256 === 0) await new Promise(setImmediate);
  let behaviour;
  try {
    behaviour = check(input);
  } catch (error) {
    const file = save(input, "crash-");
    console.error(`Test unit written to ${file}\nseed ${seed}, panicked at ${error.stack}`);
    process.exit(1);
  }
  if (behaviours.has(behaviour)) continue;
  behaviours.add(behaviour);
  corpus.push(input);
  save(input, "");
}
console.error(`number_of_executed_units: ${executions}`);

function mutate(input) {
  let bytes = [...input];
  for (let count = 1 + random.below(4); count > 0; count--) {
    const at = random.below(bytes.length + 1);
    switch (random.below(6)) {
      case 0:
        bytes.splice(at, 1);
        break;
      case 1:
        bytes.splice(at, 0, random.below(256));
        break;
      case 2:
        bytes.push(...random.many(random.below(16), () => random.below(256)));
        break;
      case 3:
        bytes.splice(at, 0, ...(corpus.length > 0 ? random.pick(corpus) : []));
        break;
      default:
        bytes[Math.min(at, bytes.length - 1)] = random.below(256);
    }
  }
  bytes = bytes.slice(0, Number(length));
  return Buffer.from(bytes);
}

function save(input, prefix) {
  const file = join(folder, prefix + createHash("sha1").update(input).digest("hex"));
  writeFileSync(file, input);
  return file;
}
