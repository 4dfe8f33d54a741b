// Growth of time: each workload at a tenth, once and ten times its size, with the plain JavaScript
// baseline.

/** Measured sides: if plain JavaScript grows as much, the machine is the cause. */
export const grownSides = ["byname", "tuned JS", "the same in JavaScript"];

/** Tolerance above *n* log *n*, which covers the variation of measurements. */
const TOLERANCE = 1.15;

/** Returns the three sizes of each workload by name. */
export function growthSizes(workloads) {
  const grown = workloads.filter(({ growth = true }) => growth);
  return Object.fromEntries(grown.map(({ name, size }) => [name, [size / 10, size, size * 10]]));
}

/** Returns the growth of runs `{ size, figure, beside }`, smallest first. */
export function analyzeGrowth(runs) {
  const steps = runs.slice(1).map((run, at) => ({
    factor: run.figure / runs[at].figure,
    most: logLinear(runs[at].size, run.size),
  }));
  // Small sizes fit into the caches, so the largest step decides.
  const { factor, most } = steps.at(-1);
  const [before, last] = runs.slice(-2).map(({ beside }) => beside);
  const beside = before && last && last / before;
  return { steps, beside, power: power(runs), isWorse: factor > most * TOLERANCE };
}

/** Returns the factor of *n* log *n* from one size to another. */
export function logLinear(from, to) {
  return (to * Math.log(to)) / (from * Math.log(from));
}

// Returns the slope of the regression line in log-log scale.
function power(runs) {
  const x = runs.map(({ size }) => Math.log(size));
  const y = runs.map(({ figure }) => Math.log(figure));
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(x), mean(y)];
  const slope = x.reduce((sum, value, at) => sum + (value - meanX) * (y[at] - meanY), 0);
  return slope / x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
}
