// Machines of the measurements, which can differ between workloads.

/** Returns the workloads by machine of one host, the largest group first. */
export function byMachine(workloads, results, host) {
  const measured = results[host]?.works ?? {};
  const groups = new Map();
  for (const workload of workloads.filter(({ name }) => measured[name] !== undefined)) {
    const machine = machineOf(measured[workload.name]);
    groups.set(machine, [...(groups.get(machine) ?? []), workload]);
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}

/** Returns the machine of a result as text. */
export function machineOf({ machine: { runtime, cpu, cores, memory } }) {
  return `${runtime}; ${cpu}, ${cores} cores, ${memory}`;
}

/** Returns the footnote mark of the nth machine. */
export const mark = (nth) => "†".repeat(nth);

/**
 * Returns the footnote mark of each workload by name, with a space before it; empty for the first
 * machine.
 */
export function marksOf(workloads, results, host) {
  const groups = byMachine(workloads, results, host);
  const marked = groups.flatMap(([, group], nth) =>
    group.map(({ name }) => [name, nth === 0 ? "" : ` ${mark(nth)}`]),
  );
  return new Map(marked);
}
