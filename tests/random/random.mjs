// A small seeded generator (mulberry32): the same numbers on every run and every machine.

export class Random {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** A fraction from 0 up to 1. */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from 0 up to `bound`. */
  below(bound) {
    return Math.floor(this.next() * bound);
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  chance(share) {
    return this.next() < share;
  }

  /** `count` values made by `make`. */
  many(count, make) {
    return Array.from({ length: count }, () => make());
  }
}
