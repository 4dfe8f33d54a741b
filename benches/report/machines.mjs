// Where workloads were measured: some may have been measured again on another machine than the others.

/** Workloads by the machine that one host ran on, as a text; most of them first. */
export function byMachine(workloads, results, host) {
  const measured = results[host]?.works ?? {};
  const groups = new Map();
  for (const workload of workloads.filter(({ name }) => measured[name] !== undefined)) {
    const machine = machineOf(measured[workload.name]);
    groups.set(machine, [...(groups.get(machine) ?? []), workload]);
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}

/** The machine of one result. */
export function machineOf({ machine: { runtime, cpu, cores, memory } }) {
  return `${runtime}; ${cpu}, ${cores} cores, ${memory}`;
}

/** What a workload is marked with that was measured on the nth machine. */
export const mark = (nth) => "†".repeat(nth);

/** The mark of each workload, by its name, with a space in front; nothing on the first machine. */
export function marksOf(workloads, results, host) {
  const groups = byMachine(workloads, results, host);
  const marked = groups.flatMap(([, group], nth) =>
    group.map(({ name }) => [name, nth === 0 ? "" : ` ${mark(nth)}`]),
  );
  return new Map(marked);
}
