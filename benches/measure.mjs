// One piece of work, done by all who can do it, in turn: first once to compare the answers, then
// some rounds that count.

/** A side that is slow has fewer rounds: this many milliseconds each, but three rounds at least. */
const ENOUGH = 3000;
const FEWEST = 3;
/** Rounds that do not count. What is quick has more: engines compile well only what has run often. */
const WARM_UP = { quick: 10, usual: 3, slow: 1 };
/** What takes less than this, the first time, is quick. */
const QUICK = 100;
/** What takes longer than this is measured once, and has warmed up when it answered. */
const LONG = 3000;

/**
 * Measures a work. `host` is `{ name, clock, collect, peers }`: where this runs, what
 * answers how many milliseconds a run took and its result, what collects garbage (`"all"` or `"young"`), and opponents that only
 * this host has. With `only` these sides are measured, and their answers are not looked at.
 */
export async function measure(work, host, { size = work.size, rounds = 15, only } = {}) {
  const all = Object.entries(await work.sides(size, host));
  const sides = only ? all.filter(([name]) => only.includes(name)) : all;
  const compared = only === undefined;
  const plans = await firstRuns(work, host, sides, { rounds: work.rounds ?? rounds, compared });
  const figures = new Map(sides.map(([name]) => [name, plans.get(name).figures]));
  const spent = new Map(sides.map(([name]) => [name, 0]));
  host.collect("all");
  for (let round = -WARM_UP.quick; round < rounds; round++) {
    for (const [name, side] of turned(sides, round)) {
      const { warmUp, most } = plans.get(name);
      if (round < -warmUp || round >= most) continue;
      if (round >= FEWEST && spent.get(name) > ENOUGH) continue;
      const begin = performance.now();
      const figure = await once(side, host);
      spent.set(name, spent.get(name) + performance.now() - begin);
      if (round >= 0) figures.get(name).push(figure);
    }
  }
  const told = [...figures].map(([name, values]) => [name, summary(values)]);
  return { size, sides: Object.fromEntries(told) };
}

async function once(side, host) {
  const state = await side.setup?.(false);
  // Only what is young: a full collection throws away what the engine has learned about the code,
  // and makes the JavaScript behind it up to six times slower than it is.
  host.collect("young");
  const { figure } = await clocked(repeated(side), host, state);
  await side.teardown?.(state);
  return figure;
}

// Another process tells its own time.
async function clocked(side, host, state) {
  const { figure, result } = await host.clock(side, state);
  return { result, figure: side.tells ? result.figure : figure / (side.repeat ?? 1) };
}

// What is short is done `repeat` times in a row, for no clock measures microseconds well.
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

// Has every side do it once, compares what they answer, and says how many rounds each is to have.
async function firstRuns(work, host, sides, { rounds, compared }) {
  const plans = new Map();
  let first;
  for (const [name, side] of sides) {
    const state = await side.setup?.(compared);
    host.collect("all");
    const { result, figure } = await clocked(side, host, state);
    side.check?.(state, result);
    if (side.answer && compared) {
      const answer = JSON.stringify(await side.answer(state, result));
      first ??= { name, answer };
      if (answer !== first.answer) throw new Error(difference(work, first, { name, answer }));
    }
    await side.teardown?.(state);
    // Keeping all that was told may have taken longer than the work.
    const alike = side.listens && compared && rounds > 1 ? await once(side, host) : figure;
    plans.set(name, plan(alike, rounds));
  }
  return plans;
}

// A work of one round is counted when it answers.
function plan(figure, rounds) {
  if (rounds === 1) return { warmUp: 0, most: 0, figures: [figure] };
  if (figure > LONG) return { warmUp: 0, most: 1, figures: [] };
  const { quick, usual, slow } = WARM_UP;
  const warmUp = figure < QUICK ? quick : figure < LONG / 10 ? usual : slow;
  return { warmUp, most: rounds, figures: [] };
}

// Sides that do not do quite the same work have no `answer`, and say why in the work.
function difference(work, first, other) {
  let at = 0;
  while (first.answer[at] === other.answer[at]) at++;
  const near = ({ name, answer }) =>
    `${name} answers …${answer.slice(Math.max(0, at - 60), at + 60)}…`;
  return `${work.name}: ${near(first)}, ${near(other)}`;
}

function turned(sides, round) {
  const by = ((round % sides.length) + sides.length) % sides.length;
  return [...sides.slice(by), ...sides.slice(0, by)];
}

/** The median and the quartiles. */
function summary(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  return { median: at(0.5), low: at(0.25), high: at(0.75), rounds: sorted.length };
}
