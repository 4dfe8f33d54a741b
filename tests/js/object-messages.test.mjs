// Objects as messages: the check before serialisation must give the same result as reading each
// value.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init } from "byname";
import { Random } from "../random/random.mjs";

await init();

class Point {
  x = 1;
}

class WithToJson {
  toJSON() {
    return { converted: true };
  }
}

const plainValues = () => ["text", 1.5, true, null, "", 0];

/** Unusual values; `undefined` and those that JSON converts to it are not JSON. */
const unusualValues = () => [
  undefined,
  Number.NaN,
  10n,
  () => 1,
  Symbol("s"),
  new Date(0),
  new Map([["a", 1]]),
  new Point(),
  new WithToJson(),
  Object.assign([1], { toJSON: () => [2] }),
  Object.assign(Object.create(null), { a: 1 }),
  Object.create({ inherited: undefined }),
  new Number(5),
  // biome-ignore lint/suspicious/noSparseArray: a hole
  [1, , 2],
  {
    get read() {
      return "by a getter";
    },
  },
  Object.defineProperty({ seen: 1 }, "hidden", { value: undefined }),
  { [Symbol("s")]: undefined },
];

function randomValue(random, depth) {
  const share = random.below(10);
  if (share === 0) return random.pick(unusualValues());
  if (depth === 0 || share < 4) return random.pick(plainValues());
  const parts = random.many(3, () => randomValue(random, depth - 1));
  if (random.chance(0.5)) return parts;
  return Object.fromEntries(parts.map((part, at) => [`k${at}`, part]));
}

/** Returns the JSON of an object, or undefined if one of its values has no JSON form. */
function jsonOf(object) {
  let clean = true;
  const text = JSON.stringify(object, (_, part) => {
    const isObject = typeof part === "object" && part !== null;
    if (isObject) clean &&= !(part instanceof Map);
    else clean &&= typeof part === "number" ? Number.isFinite(part) : part !== undefined;
    clean &&= !["function", "symbol", "bigint"].includes(typeof part);
    return typeof part === "bigint" ? null : part;
  });
  return clean ? text : undefined;
}

test("accepts an object as its JSON, and rejects one without", () => {
  let rejected = 0;
  for (let seed = 0; seed < 3_000; seed++) {
    const message = { root: { held: randomValue(new Random(seed), 4) } };
    const text = jsonOf(message);
    const [one, other] = [new HamStore(), new HamStore()];
    const { ok, diagnostics } = one.apply(message);
    const of = `seed ${seed}: ${text}`;
    if (text === undefined) {
      rejected += 1;
      assert.deepEqual([ok, diagnostics.map(({ code }) => code)], [false, ["JSON013"]], of);
      continue;
    }
    assert.equal(ok, other.apply(text).ok, of);
    assert.deepEqual(one.export(), other.export(), of);
  }
  assert.ok(rejected > 300 && rejected < 2_700, `${rejected}`);
});

test("rejects an object that contains itself, and accepts one that is referenced twice", () => {
  const self = { name: "me" };
  self.inner = [{ self }];
  const loops = [self, { root: { self } }, { root: [[self], self] }];
  for (const message of loops) {
    const { ok, diagnostics } = new HamStore().apply(message);
    assert.deepEqual([ok, diagnostics[0].code], [false, "JSON013"]);
  }
  const part = { a: 1 };
  const store = new HamStore();
  assert.ok(store.apply({ root: { one: part, other: [part, part] } }).ok);
  assert.deepEqual(store.toJSON(), { one: { a: 1 }, other: [{ a: 1 }, { a: 1 }] });
});
