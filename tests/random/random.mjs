// Seeded pseudo-random generator (mulberry32).

export class Random {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** Returns an integer from 0 (inclusive) to `bound` (exclusive). */
  below(bound) {
    return Math.floor(this.next() * bound);
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  chance(share) {
    return this.next() < share;
  }

  /** Returns `count` values created by `make`. */
  many(count, make) {
    return Array.from({ length: count }, () => make());
  }
}
