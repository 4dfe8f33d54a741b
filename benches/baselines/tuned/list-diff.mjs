// Fewest moves between two lists of distinct items: trims both ends, then keeps a longest
// increasing subsequence.

/** Reports removals, inserts and moves to `sink`; a position is given by the next item. */
export function diffLists(before, after, sink) {
  let start = 0;
  let oldEnd = before.length;
  let newEnd = after.length;
  while (start < oldEnd && start < newEnd && before[start] === after[start]) start++;
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  const from = new Int32Array(newEnd - start).fill(-1);
  const inOrder = matchOld(before, after, { start, oldEnd, newEnd }, from, sink);
  const kept = inOrder ? null : longestRising(from);
  let keep = kept ? kept.length - 1 : -1;
  let nextItem = newEnd < after.length ? after[newEnd] : null;
  for (let at = newEnd - start - 1; at >= 0; at--) {
    const item = after[start + at];
    if (from[at] < 0) sink.insert(item, nextItem);
    else if (keep >= 0 && kept[keep] === at) keep--;
    else if (kept) sink.move(item, nextItem);
    nextItem = item;
  }
}

// Removes deleted items and returns the new positions, and whether the survivors are in order.
function matchOld(before, after, { start, oldEnd, newEnd }, from, sink) {
  if (oldEnd === start) return true;
  const place = new Map();
  for (let at = start; at < newEnd; at++) place.set(after[at], at - start);
  let inOrder = true;
  let last = -1;
  for (let at = start; at < oldEnd; at++) {
    const to = place.get(before[at]);
    if (to === undefined) {
      sink.remove(before[at]);
      continue;
    }
    from[to] = at;
    if (to < last) inOrder = false;
    last = to;
  }
  return inOrder;
}

// Returns the indices of a longest increasing subsequence; -1 means missing.
function longestRising(values) {
  const tails = new Int32Array(values.length);
  const previous = new Int32Array(values.length);
  let length = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (value < 0) continue;
    let low = 0;
    let high = length;
    if (length > 0 && values[tails[length - 1]] < value) low = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[tails[middle]] < value) low = middle + 1;
      else high = middle;
    }
    previous[at] = low > 0 ? tails[low - 1] : -1;
    tails[low] = at;
    if (low === length) length++;
  }
  const places = new Int32Array(length);
  for (let at = length - 1, place = tails[length - 1]; at >= 0; at--, place = previous[place]) {
    places[at] = place;
  }
  return places;
}
