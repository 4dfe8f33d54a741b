// Reproducible pseudo-random numbers.

/** Returns a function that returns integers from 0 to below its argument. */
export function seeded(seed) {
  let state = seed >>> 0;
  return (most) => {
    // Xorshift, 32 bits.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.floor(((state >>> 0) / 2 ** 32) * most);
  };
}

/** Returns the items shuffled. */
export function shuffled(items, below) {
  const mixed = items.slice();
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = below(at + 1);
    [mixed[at], mixed[other]] = [mixed[other], mixed[at]];
  }
  return mixed;
}
