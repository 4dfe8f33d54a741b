// Groups of workloads that share a process or page: those on the same loaded graph. All others run
// alone, so that none inherits a heap.

/** Returns the workloads in groups, in order. */
export function inTabs(workloads) {
  const groups = new Map();
  for (const workload of workloads) {
    const tab = workload.tab ?? workload.name;
    groups.set(tab, [...(groups.get(tab) ?? []), workload]);
  }
  return [...groups.values()];
}
