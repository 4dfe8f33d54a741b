// Documents that several stores persist under one key: deletions, merges and reserved names.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { HamStore, init, Surface } from "byname";
import { memoryStorage, persist, StorageError } from "byname/storage";

await init();

const NEVER = { delay: 1e6 };

/** Connects a new store with nodes, and a second one with the same document. */
async function connectTwo(nodes, options = {}) {
  const storage = memoryStorage();
  const stores = [new HamStore(), new HamStore()];
  stores[0].apply(nodes);
  const first = await persist(stores[0], storage, "d", { ...NEVER, ...options });
  await first.flush();
  const second = await persist(stores[1], storage, "d", { ...NEVER, ...options });
  return { storage, stores, connections: [first, second] };
}

const storedIn = async (storage) => (await storage.at("d").load())?.state;

/** Saves alternately until both connections have the changes of the other. */
async function settle([first, second]) {
  for (let round = 0; round < 2; round += 1) {
    await first.flush();
    await second.flush();
  }
}

for (const onConflict of ["merge", "reload"]) {
  test(`a deletion of one store reaches the other and the storage: ${onConflict}`, async () => {
    const nodes = { root: { rows: ["*x", "*y", "*+z"] }, x: 1, y: 2, "+z": 3, "-w": 4, "~v": 5 };
    const { storage, stores, connections } = await connectTwo(nodes, { onConflict });
    stores[0].apply({ "!x": null, "!+z": null, "!-w": null, "!~v": null });
    await settle(connections);
    const expected = { root: nodes.root, y: 2 };
    assert.deepEqual(stores[0].export(), expected);
    assert.deepEqual(stores[1].export(), expected);
    assert.deepEqual(await storedIn(storage), expected);
    await Promise.all(connections.map((one) => one.stop()));
  });
}

test("a store with the policy stop keeps its deletions out of the other document", async () => {
  const { storage, stores, connections } = await connectTwo({ x: 1, y: 2 }, { onConflict: "stop" });
  stores[0].apply({ "!x": null });
  await connections[0].flush();
  stores[1].apply({ "!y": null });
  await assert.rejects(connections[1].flush(), { reason: "conflict" });
  assert.deepEqual([await storedIn(storage), stores[1].export()], [{ y: 2 }, { x: 1 }]);
  await Promise.all(connections.map((one) => one.stop()));
});

test("deletions of both stores are merged, and the store that saves last keeps its own change", async () => {
  const nodes = { a: 1, b: 1, c: 1, d: 1, e: 1 };
  const { storage, stores, connections } = await connectTwo(nodes);
  stores[0].apply({ "!a": null, "!c": null, d: 2 });
  stores[1].apply({ "!b": null, "!c": null, "!d": null });
  await settle(connections);
  // The second store saves last, so `d` stays deleted.
  for (const one of [stores[0].export(), stores[1].export(), await storedIn(storage)])
    assert.deepEqual(one, { e: 1 });
  stores[0].apply({ "!e": null });
  stores[1].apply({ e: 3 });
  await settle(connections);
  assert.deepEqual([stores[0].export(), await storedIn(storage)], [{ e: 3 }, { e: 3 }]);
  await Promise.all(connections.map((one) => one.stop()));
});

test("a loaded document replaces the nodes that only the store had", async () => {
  const storage = memoryStorage();
  await storage.at("d").save({ root: { n: 1 } }, { expectedRev: null });
  const store = new HamStore();
  store.apply({ old: 1, "+old": 2 });
  const connection = await persist(store, storage, "d", NEVER);
  assert.deepEqual([store.has("old"), store.export()], [false, { root: { n: 1 } }]);
  await connection.stop();
  assert.deepEqual(await storedIn(storage), { root: { n: 1 } });
});

test("a node that a writer names `__proto__` is merged", async () => {
  const { stores, connections } = await connectTwo({ root: 1 });
  stores[0].apply('{"__proto__": {"n": 1}}');
  await settle(connections);
  assert.deepEqual(stores[1].get("__proto__"), { n: 1 });
  stores[1].apply('{"!__proto__": null}');
  await settle(connections);
  assert.equal(stores[0].has("__proto__"), false);
  await Promise.all(connections.map((one) => one.stop()));
});

test("random changes of two stores converge, and changes of one of them are kept", async () => {
  let seed = 7;
  const random = (count) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return Math.floor((seed / 0x80000000) * count);
  };
  const ids = ["root", "a", "+b", "-c", "~d", ">e", "version", "updateDataModel"];
  const edit = (id) =>
    random(3) === 0
      ? { [`!${id}`]: null }
      : { [id]: [random(9), { n: random(9) }, null][random(3)] };
  for (let run = 0; run < 60; run += 1) {
    const { storage, stores, connections } = await connectTwo({ root: 1 });
    for (let round = 0; round < 4; round += 1) {
      const changed = stores.map(() => new Set());
      for (let count = random(6); count > 0; count -= 1) {
        const [at, id] = [random(2), ids[random(ids.length)]];
        stores[at].apply({ updateDataModel: { nodes: edit(id) } });
        changed[at].add(id);
      }
      const own = stores.map((store) => new Map(ids.map((id) => [id, store.get(id)])));
      await settle(connections);
      for (const at of [0, 1])
        for (const id of changed[at])
          if (!changed[1 - at].has(id))
            assert.deepEqual(stores[1 - at].get(id), own[at].get(id), `${id} in run ${run}`);
      for (const id of ids) assert.deepEqual(stores[0].get(id), stores[1].get(id));
      const copy = new HamStore();
      copy.apply((await storedIn(storage)) ?? {});
      for (const id of ids) assert.deepEqual(copy.get(id), stores[0].get(id));
    }
    await Promise.all(connections.map((one) => one.stop()));
  }
});

/** Returns the number of saves after two stores have had time to answer each other. */
async function countLaterSaves(nodes, change) {
  const { storage, stores, connections } = await connectTwo(nodes, { delay: 1 });
  change(stores);
  await settle(connections);
  let saves = 0;
  const end = storage.at("d").subscribe(() => {
    saves += 1;
  });
  await delay(60);
  end();
  await Promise.all(connections.map((one) => one.stop()));
  return saves;
}

test("two stores with another order of nodes or keys do not save in turns", async () => {
  const ofNodes = await countLaterSaves({ root: 1 }, ([first, second]) => {
    first.apply({ p: 1 });
    second.apply({ q: 1 });
  });
  const ofKeys = await countLaterSaves({ root: 1 }, ([first, second]) => {
    first.apply({ p: { a: [{ x: 1, y: 2 }], b: 2 } });
    second.apply({ p: { b: 2, a: [{ y: 2, x: 1 }] } });
  });
  assert.deepEqual([ofNodes, ofKeys], [0, 0]);
});

test("a node with the name of the envelope is persisted, merged and exported", async () => {
  const envelope = { updateDataModel: { nodes: { a: 1 } } };
  const { storage, stores, connections } = await connectTwo({
    updateDataModel: { nodes: envelope },
  });
  assert.deepEqual(stores[1].get("updateDataModel"), { nodes: { a: 1 } });
  const third = new HamStore();
  third.apply({ x: 1 });
  const connection = await persist(third, storage, "d", NEVER);
  assert.deepEqual([third.has("x"), third.has("a")], [false, false]);
  stores[0].apply({ b: 1 });
  await settle([...connections, connection]);
  await connection.flush();
  for (const store of [...stores, third])
    assert.deepEqual(store.export(), { updateDataModel: { nodes: { a: 1 } }, b: 1 });
  const saves = await countLaterSaves({ updateDataModel: { nodes: envelope } }, ([first]) =>
    first.apply({ updateDataModel: { nodes: { version: 2 } } }),
  );
  assert.equal(saves, 0);
  await Promise.all([...connections, connection].map((one) => one.stop()));
});

test("a surface exports a node with the name of the envelope", () => {
  const surface = new Surface();
  surface.store.apply({ updateDataModel: { nodes: { updateDataModel: { nodes: { a: 1 } } } } });
  const copy = new Surface();
  for (const message of surface.export()) copy.receive(message);
  assert.deepEqual(copy.store.get("updateDataModel"), { nodes: { a: 1 } });
});

for (const onConflict of ["merge", "reload", "stop"]) {
  for (const lag of [1, 2, 3]) {
    test(`a replica that is ${lag} saves late is not another writer: ${onConflict}`, async () => {
      const inner = memoryStorage();
      const versions = [null];
      const at = (key) => ({
        ...inner.at(key),
        load: async () => versions.at(-1 - lag) ?? versions[0],
        async save(...args) {
          const saved = await inner.at(key).save(...args);
          versions.push(await inner.at(key).load());
          return saved;
        },
      });
      const storage = { ...inner, at };
      const store = new HamStore();
      const connection = await persist(store, storage, "d", { ...NEVER, onConflict });
      for (const n of [1, 2, 3, 4, 5, 6]) {
        store.apply({ [`n${n}`]: n });
        await connection.flush();
        assert.deepEqual(store.export(), await storedIn(inner), `${n}`);
      }
      assert.equal(Object.keys(store.export()).length, 6);
      const { state, rev } = await inner.at("d").load();
      await inner.at("d").save({ ...state, other: 1 }, { expectedRev: rev });
      const newest = await inner.at("d").load();
      versions.push(newest, newest, newest, newest);
      if (onConflict === "stop") {
        store.apply({ own: 1 });
        await assert.rejects(connection.flush(), { reason: "conflict" });
      } else {
        await connection.flush();
        assert.equal(store.export().other, 1);
      }
      await connection.stop();
    });
  }
}

test("a save that another writer has prevented is repeated when a slow replica shows it", async () => {
  const inner = memoryStorage();
  let late;
  const at = (key) => ({ ...inner.at(key), load: async () => late ?? inner.at(key).load() });
  const store = new HamStore();
  const connection = await persist(store, { ...inner, at }, "d", NEVER);
  for (const n of [1, 2]) {
    store.apply({ [`n${n}`]: n });
    await connection.flush();
    late ??= await inner.at("d").load();
  }
  const { state, rev } = await inner.at("d").load();
  await inner.at("d").save({ ...state, other: 1 }, { expectedRev: rev });
  store.apply({ n3: 3 });
  await assert.rejects(connection.flush(), { reason: "conflict" });
  assert.deepEqual(store.export(), { n1: 1, n2: 2, n3: 3 });
  late = undefined;
  await connection.stop();
  assert.deepEqual(await storedIn(inner), { n1: 1, n2: 2, n3: 3, other: 1 });
});

test("a deleted document is not that of a slow replica", async () => {
  for (const [isNotified, isEdited] of [
    [true, false],
    [true, true],
    [false, true],
  ]) {
    const inner = memoryStorage();
    const at = (key) => ({
      ...inner.at(key),
      ...(!isNotified && { subscribe: () => () => {} }),
    });
    const store = new HamStore();
    const connection = await persist(store, { ...inner, at }, "d", NEVER);
    store.apply({ n1: 1 });
    await connection.flush();
    await inner.at("d").delete();
    if (isEdited) store.apply({ n2: 2 });
    await connection.flush();
    assert.deepEqual(store.export(), isEdited ? { n2: 2 } : {});
    assert.deepEqual((await storedIn(inner)) ?? {}, store.export());
    await connection.stop();
  }
});

/** Returns a storage of one key whose revisions are returned by `revOf`, and its stored document. */
function storageOf(revOf) {
  const stored = { state: undefined, rev: null };
  const write = (state) => {
    stored.state = structuredClone(state);
    stored.rev = revOf(state);
    return { rev: stored.rev };
  };
  const methods = {
    load: async () => (stored.rev === null ? null : structuredClone(stored)),
    save: async (state, { expectedRev }) => {
      if (expectedRev !== stored.rev) throw new StorageError("conflict", "`d` was saved");
      return write(state);
    },
    subscribe: () => () => {},
  };
  return { storage: { ...methods, at: () => methods }, stored, write };
}

for (const onConflict of ["merge", "reload"]) {
  test(`another writer restores an earlier document: ${onConflict}`, async () => {
    // The revision is a hash of the document, so it repeats.
    const { storage, stored, write } = storageOf(JSON.stringify);
    const store = new HamStore();
    const connection = await persist(store, storage, "d", { ...NEVER, onConflict });
    for (const n of [1, 2]) {
      store.apply({ n });
      await connection.flush();
    }
    write({ n: 1 });
    store.apply({ m: 1 });
    // The first time it may be that of a slow replica.
    await assert.rejects(connection.flush(), { reason: "conflict" });
    await connection.flush();
    assert.deepEqual(store.export(), onConflict === "merge" ? { n: 1, m: 1 } : { n: 1 });
    assert.deepEqual(stored.state, store.export());
    await connection.stop();
  });
}

test("an earlier document of another writer is taken without another change", async () => {
  const { storage, write } = storageOf(JSON.stringify);
  const store = new HamStore();
  const connection = await persist(store, storage, "d", { delay: 1, onError() {} });
  for (const n of [1, 2]) {
    store.apply({ n });
    await connection.flush();
  }
  write({ n: 1 });
  store.apply({ m: 1 });
  await delay(100);
  assert.deepEqual(store.export(), { n: 1, m: 1 });
  await connection.stop();
});

test("a slow replica without the document does not delete it", async () => {
  const inner = memoryStorage();
  let isLate = false;
  const at = (key) => ({
    ...inner.at(key),
    load: async () => (isLate ? null : inner.at(key).load()),
    subscribe: () => () => {},
  });
  const store = new HamStore();
  const options = { ...NEVER, onConflict: "reload" };
  const connection = await persist(store, { ...inner, at }, "d", options);
  store.apply({ n1: 1 });
  await connection.flush();
  const { state, rev } = await inner.at("d").load();
  await inner.at("d").save({ ...state, other: 1 }, { expectedRev: rev });
  store.apply({ n2: 2 });
  isLate = true;
  setTimeout(() => {
    isLate = false;
  }, 50);
  const end = store.onUpdate(() => assert.ok(store.has("n1")));
  await connection.flush();
  end();
  assert.deepEqual(store.export(), { n1: 1, other: 1 });
  await connection.stop();
});

test("a deletion while a save is confirmed reaches the store", async () => {
  const inner = memoryStorage();
  const at = (key) => ({
    ...inner.at(key),
    async save(...args) {
      const saved = await inner.at(key).save(...args);
      await inner.at(key).delete();
      return saved;
    },
  });
  const store = new HamStore();
  const connection = await persist(store, { ...inner, at }, "d", NEVER);
  store.apply({ n1: 1 });
  await connection.flush();
  await connection.flush();
  assert.deepEqual([store.export(), await storedIn(inner)], [{}, undefined]);
  await connection.stop();
});

test("a document that was rejected with a conflict is not that of this store", async () => {
  const inner = memoryStorage();
  let late;
  const at = (key) => ({
    ...inner.at(key),
    load: async () => late ?? inner.at(key).load(),
    subscribe: () => () => {},
  });
  const store = new HamStore();
  const connection = await persist(store, { ...inner, at }, "d", NEVER);
  store.apply({ n: 1 });
  await connection.flush();
  late = await inner.at("d").load();
  const saveOther = async (state) =>
    inner.at("d").save(state, { expectedRev: (await inner.at("d").load()).rev });
  await saveOther({ n: 3 });
  store.apply({ n: 2 });
  await assert.rejects(connection.flush(), { reason: "conflict" });
  store.apply({ n: 1 });
  await saveOther({ n: 2 });
  late = undefined;
  await connection.flush();
  assert.deepEqual([store.export(), await storedIn(inner)], [{ n: 2 }, { n: 2 }]);
  await connection.stop();
});

test("a text or a list is not a storage, although it has the method `at`", async () => {
  for (const storage of ["abc", ["abc"]])
    await assert.rejects(persist(new HamStore(), storage, "d"), { code: "argument" });
});
