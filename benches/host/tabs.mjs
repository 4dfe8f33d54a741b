// Which works share a process or a page: those that ask the same loaded graph. All others have one of
// their own, so that none inherits the heap of another.

/** The works in groups, in their order. */
export function inTabs(works) {
  const groups = new Map();
  for (const work of works) {
    const tab = work.tab ?? work.name;
    groups.set(tab, [...(groups.get(tab) ?? []), work]);
  }
  return [...groups.values()];
}
