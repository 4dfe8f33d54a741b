// How time grows: each work at a tenth, once and ten times its size, and plain JavaScript beside it where it
// does the same.

/** The sides that are measured: where plain JavaScript grows as much as we do, it is the machine. */
export const grownSides = ["byname", "tuned JS", "the same in JavaScript"];

/** What is still taken for *n* log *n*: measurements differ by that much. */
const SLACK = 1.15;

/** The three sizes of each work that has a size, by name. */
export function growthSizes(works) {
  const grown = works.filter(({ growth = true }) => growth);
  return Object.fromEntries(grown.map(({ name, size }) => [name, [size / 10, size, size * 10]]));
}

/** What the measured sizes say: `runs` are `{ size, figure, beside }`, the smallest first. */
export function judged(runs) {
  const steps = runs.slice(1).map((run, at) => ({
    factor: run.figure / runs[at].figure,
    most: logLinear(runs[at].size, run.size),
  }));
  // What is small fits into the caches, so the largest step says how it goes on.
  const { factor, most } = steps.at(-1);
  const [before, last] = runs.slice(-2).map(({ beside }) => beside);
  const beside = before && last && last / before;
  return { steps, beside, power: power(runs), isWorse: factor > most * SLACK };
}

/** How many times as long *n* log *n* takes for the second size. */
export function logLinear(from, to) {
  return (to * Math.log(to)) / (from * Math.log(from));
}

// The exponent of the straight line that fits best where both scales are logarithmic.
function power(runs) {
  const x = runs.map(({ size }) => Math.log(size));
  const y = runs.map(({ figure }) => Math.log(figure));
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(x), mean(y)];
  const slope = x.reduce((sum, value, at) => sum + (value - meanX) * (y[at] - meanY), 0);
  return slope / x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
}
