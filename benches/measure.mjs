// Measures all sides of a workload in turn: first once to compare the results, then some counted rounds.

/** Milliseconds after which a slow side stops, but after three rounds at the earliest. */
const MAX_TOTAL_MS = 3000;
const MIN_ROUNDS = 3;
/** Warm-up rounds; fast sides have more, because engines optimise code that ran often. */
const WARM_UP = { quick: 10, usual: 3, slow: 1 };
/** Milliseconds below which the first run is fast. */
const FAST_MS = 100;
/** Milliseconds above which a side is measured once and its first run is the warm-up. */
const SLOW_MS = 3000;

/**
 * Measures a workload. `host` is `{ name, clock, collect, peers }`: `clock` returns the
 * milliseconds of a run and its result, `collect` collects garbage (`"all"` or `"young"`), `peers`
 * are baselines of this host only. With `only` just these sides are measured and results are not
 * compared.
 */
export async function measure(workload, host, { size = workload.size, rounds = 15, only } = {}) {
  const all = Object.entries(await workload.sides(size, host));
  const sides = only ? all.filter(([name]) => only.includes(name)) : all;
  const compared = only === undefined;
  const plans = await firstRuns(workload, host, sides, {
    rounds: workload.rounds ?? rounds,
    compared,
  });
  const figures = new Map(sides.map(([name]) => [name, plans.get(name).figures]));
  const spent = new Map(sides.map(([name]) => [name, 0]));
  host.collect("all");
  for (let round = -WARM_UP.quick; round < rounds; round++) {
    for (const [name, side] of rotated(sides, round)) {
      const { warmUp, maxRounds } = plans.get(name);
      if (round < -warmUp || round >= maxRounds) continue;
      if (round >= MIN_ROUNDS && spent.get(name) > MAX_TOTAL_MS) continue;
      const begin = performance.now();
      const figure = await measureOnce(side, host);
      spent.set(name, spent.get(name) + performance.now() - begin);
      if (round >= 0) figures.get(name).push(figure);
    }
  }
  const summaries = [...figures].map(([name, values]) => [name, summary(values)]);
  return { size, sides: Object.fromEntries(summaries) };
}

async function measureOnce(side, host) {
  const state = await side.setup?.(false);
  // Only the young generation: a full collection discards optimised code and makes the next
  // JavaScript run up to six times slower.
  host.collect("young");
  const { figure } = await timeRun(repeated(side), host, state);
  await side.teardown?.(state);
  return figure;
}

// A side in another process measures its own time.
async function timeRun(side, host, state) {
  const { figure, result } = await host.clock(side, state);
  return { result, figure: side.selfTimed ? result.figure : figure / (side.repeat ?? 1) };
}

// Repeats short runs, because a clock cannot measure microseconds precisely.
function repeated(side) {
  const { repeat } = side;
  if (!repeat) return side;
  const run = (state) => {
    for (let nth = 0; nth < repeat; nth++) side.run(state);
  };
  const runInTurn = async (state) => {
    for (let nth = 0; nth < repeat; nth++) await side.run(state);
  };
  return { run: side.waits ? runInTurn : run, repeat };
}

// Runs every side once, compares the results and plans the rounds.
async function firstRuns(workload, host, sides, { rounds, compared }) {
  const plans = new Map();
  let first;
  for (const [name, side] of sides) {
    const state = await side.setup?.(compared);
    host.collect("all");
    const { result, figure } = await timeRun(side, host, state);
    side.check?.(state, result);
    if (side.answer && compared) {
      const answer = JSON.stringify(await side.answer(state, result));
      first ??= { name, answer };
      if (answer !== first.answer) throw new Error(difference(workload, first, { name, answer }));
    }
    await side.teardown?.(state);
    // Recording the notifications may have taken longer than the workload.
    const typical = side.listens && compared && rounds > 1 ? await measureOnce(side, host) : figure;
    plans.set(name, plan(typical, rounds));
  }
  return plans;
}

// The first run of a workload with one round counts.
function plan(figure, rounds) {
  if (rounds === 1) return { warmUp: 0, maxRounds: 0, figures: [figure] };
  if (figure > SLOW_MS) return { warmUp: 0, maxRounds: 1, figures: [] };
  const { quick, usual, slow } = WARM_UP;
  const warmUp = figure < FAST_MS ? quick : figure < SLOW_MS / 10 ? usual : slow;
  return { warmUp, maxRounds: rounds, figures: [] };
}

// Returns the message for different results. Sides with different tasks have no `answer` and
// explain it in the workload.
function difference(workload, first, other) {
  let at = 0;
  while (first.answer[at] === other.answer[at]) at++;
  const excerpt = ({ name, answer }) =>
    `${name} answers …${answer.slice(Math.max(0, at - 60), at + 60)}…`;
  return `${workload.name}: ${excerpt(first)}, ${excerpt(other)}`;
}

function rotated(sides, round) {
  const by = ((round % sides.length) + sides.length) % sides.length;
  return [...sides.slice(by), ...sides.slice(0, by)];
}

/** Returns the median and the quartiles. */
function summary(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  return { median: at(0.5), low: at(0.25), high: at(0.75), rounds: sorted.length };
}
