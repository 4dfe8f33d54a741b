// One piece of work, done by all who can do it, in turn: first once to compare the answers, then
// some rounds that count.

/** A side that is slow has fewer rounds: this many milliseconds each, but three rounds at least. */
const ENOUGH = 4000;
const FEWEST = 3;
const WARM_UP = 3;

/**
 * Measures a work. `host` is `{ name, clock, collect, peers }`: where this runs, what
 * measures a call in milliseconds, what collects garbage (`"all"` or `"young"`), and opponents that only
 * this host has.
 */
export async function measure(work, host, { size = work.size, rounds = 15 } = {}) {
  const sides = Object.entries(await work.sides(size, host));
  await compareAnswers(work, sides);
  const figures = new Map(sides.map(([name]) => [name, []]));
  const spent = new Map();
  const wanted = work.rounds ?? rounds;
  const warmUp = work.rounds === 1 ? 0 : WARM_UP;
  host.collect("all");
  for (let round = -warmUp; round < wanted; round++) {
    for (const [name, side] of turned(sides, round)) {
      if (round >= FEWEST && spent.get(name) > ENOUGH) continue;
      const begin = performance.now();
      const figure = await once(side, host);
      spent.set(name, (spent.get(name) ?? 0) + performance.now() - begin);
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
  // Another process tells its own time.
  const figure = side.tells ? (await side.run(state)).figure : await host.clock(side, state);
  await side.teardown?.(state);
  return figure;
}

// Sides that do not do quite the same work have no `answer`, and say why in the work.
async function compareAnswers(work, sides) {
  let first;
  for (const [name, side] of sides) {
    if (!side.answer) continue;
    const state = await side.setup?.(true);
    const result = await side.run(state);
    const answer = JSON.stringify(await side.answer(state, result));
    await side.teardown?.(state);
    first ??= { name, answer };
    if (answer === first.answer) continue;
    const at = [...answer].findIndex((letter, place) => letter !== first.answer[place]);
    const near = (text) => text.slice(Math.max(0, at - 60), at + 60);
    throw new Error(
      `${work.name}: ${name} answers …${near(answer)}…, ${first.name} …${near(first.answer)}…`,
    );
  }
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
