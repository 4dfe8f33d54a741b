// Storage of states, traces and documents: in memory and in a file.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { GaslSession, HamStore, init } from "byname";
import { fileStorage, memoryStorage, persist, StorageError } from "byname/storage";
import { applyChanges, changesBetween } from "../../pkg/storage/changes.js";
import { graph, plan } from "./gasl-memory.mjs";

await init();
const folder = mkdtempSync(join(tmpdir(), "byname-storage-"));
after(() => rmSync(folder, { recursive: true }));
let fileCount = 0;
const newPath = () => {
  fileCount += 1;
  return join(folder, `file-${fileCount}`);
};

const kinds = { memory: () => memoryStorage(), file: () => fileStorage(newPath()) };
const reasonOf = async (promise) => {
  const error = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  assert.ok(error instanceof StorageError, String(error));
  return error.reason;
};

for (const [kind, create] of Object.entries(kinds)) {
  test(`${kind}: loads what was saved, by key`, async () => {
    const storage = create();
    assert.equal(await storage.load(), null);
    const { rev } = await storage.save({ a: [1, { b: "ü" }] }, { expectedRev: null });
    assert.deepEqual(await storage.load(), { state: { a: [1, { b: "ü" }] }, rev });
    await storage.at("run").save("text", { expectedRev: null });
    assert.deepEqual(await storage.list(), ["state", "run"]);
    await storage.delete();
    assert.deepEqual([await storage.load(), await storage.list()], [null, ["run"]]);
    await storage.close();
  });

  test(`${kind}: a stale revision is a conflict and changes nothing`, async () => {
    const storage = create();
    const first = await storage.save(1, { expectedRev: null });
    assert.equal(await reasonOf(storage.save(2, { expectedRev: null })), "conflict");
    const second = await storage.save(2, { expectedRev: first.rev });
    assert.equal(await reasonOf(storage.save(3, { expectedRev: first.rev })), "conflict");
    assert.deepEqual(await storage.load(), { state: 2, rev: second.rev });
  });

  test(`${kind}: loaded and saved values are copies`, async () => {
    const storage = create();
    const value = { list: [1] };
    const saving = storage.save(value, { expectedRev: null });
    value.list.push(2);
    await saving;
    const loaded = await storage.load();
    loaded.state.list.push(3);
    assert.deepEqual((await storage.load()).state, { list: [1] });
  });

  test(`${kind}: announces saves and deletions`, async () => {
    const storage = create();
    const revisions = [];
    const end = storage.subscribe((rev) => revisions.push(rev));
    const { rev } = await storage.save(1, { expectedRev: null });
    await storage.delete();
    end();
    await storage.save(1, { expectedRev: null });
    assert.deepEqual(revisions, [rev, ""]);
    await storage.close();
  });

  test(`${kind}: a session stores its state and resumes from it`, async () => {
    const backend = create();
    const first = new GaslSession({ graph: graph(), backend });
    const commands = ["DECLARE k AS LIST", "FIND nodes AS x", "UPDATE k WITH x"];
    await first.run(plan(...commands));
    const second = new GaslSession({ graph: graph(), backend });
    await second.execute("COUNT k AS n");
    assert.equal(second.variable("n"), 2);
  });
}

test("another process sees a save in the same file, and a conflict with it", async () => {
  const path = newPath();
  const [one, other] = [fileStorage(path), fileStorage(path)];
  const { rev } = await one.save({ n: 1 }, { expectedRev: null });
  assert.deepEqual(await other.load(), { state: { n: 1 }, rev });
  await other.save({ n: 2 }, { expectedRev: rev });
  assert.equal(await reasonOf(one.save({ n: 3 }, { expectedRev: rev })), "conflict");
  assert.deepEqual((await one.load()).state, { n: 2 });
});

test("a file that is cut at any byte has the last complete save, or is reported", async () => {
  const path = newPath();
  const storage = fileStorage(path);
  let rev = null;
  const ends = [];
  for (let n = 0; n < 4; n += 1) {
    ({ rev } = await storage.save({ n, list: Array(n + 1).fill("ä") }, { expectedRev: rev }));
    ends.push(statSync(path).size);
  }
  const bytes = readFileSync(path);
  for (let length = 0; length < bytes.length; length += 1) {
    const cut = join(folder, "cut");
    writeFileSync(cut, bytes.subarray(0, length));
    const complete = ends.filter((end) => end <= length).length;
    const loading = fileStorage(cut).load();
    if (complete > 0) assert.equal((await loading).state.n, complete - 1, `${length}`);
    else if (length < bytes.indexOf(10) + 1) assert.equal(await reasonOf(loading), "corrupt");
    else assert.equal(await loading, null);
  }
});

test("a save after an interrupted one replaces its rest", async () => {
  const path = newPath();
  const { rev } = await fileStorage(path).save({ n: 1 }, { expectedRev: null });
  const length = statSync(path).size;
  await fileStorage(path).save({ n: 2 }, { expectedRev: rev });
  truncateSync(path, length + 10);
  await fileStorage(path).save({ n: 3 }, { expectedRev: rev });
  assert.deepEqual((await fileStorage(path).load()).state, { n: 3 });
});

/** Returns a line of a file with its checksum. */
function fileLine(record) {
  const json = JSON.stringify(record);
  return `${createHash("sha256").update(json).digest("hex").slice(0, 16)} ${json}\n`;
}

test("damaged, foreign and newer files are typed errors that say what to do", async () => {
  const path = newPath();
  const storage = fileStorage(path);
  const { rev } = await storage.save({ a: 1 }, { expectedRev: null });
  await storage.save({ a: 2 }, { expectedRev: rev });
  const text = readFileSync(path, "utf8");
  const [header, ...records] = text.split("\n");
  const { version, id } = JSON.parse(header.slice(header.indexOf("{")));
  assert.equal(version, 1);
  assert.equal(`${header}\n`, fileLine({ version, id }));
  const newer = fileLine({ version: 2 }) + records.join("\n");
  const isNewer =
    /expected version 1 of .*, found 2: update the package, or delete the file or the stored value$/;
  const restore = /: restore a backup, or delete the file or the stored value$/;
  const cases = [
    ["an empty file", "", "corrupt", restore],
    ["another file", "{}\n", "corrupt", restore],
    ["bytes of another format", "\u0089PNG\r\n\u001a\n", "corrupt", restore],
    ["a changed value", text.replace('"a":1', '"a":9'), "corrupt", restore],
    ["a changed name", text.replace('"rev"', '"rew"'), "corrupt", restore],
    ["a file without a version", fileLine({}) + records.join("\n"), "corrupt", restore],
    ["a newer file", newer, "newer", isNewer],
  ];
  for (const [name, content, reason, message] of cases) {
    writeFileSync(path, content);
    const calls = {
      load: (file) => file.load(),
      list: (file) => file.list(),
      save: (file) => file.save(1, { expectedRev: null }),
      "save after a load": (file) => file.save(1, { expectedRev: rev }),
    };
    for (const [call, act] of Object.entries(calls)) {
      const where = `${name}, ${call}`;
      const error = await act(fileStorage(path)).catch((thrown) => thrown);
      assert.ok(error instanceof StorageError, `${where}: ${error}`);
      assert.equal(error.reason, reason, where);
      assert.match(error.message, message, where);
    }
    assert.equal(readFileSync(path, "utf8"), content, `${name} is unchanged`);
  }
  assert.equal(await reasonOf(fileStorage(folder).load()), "forbidden");
  await assert.rejects(fileStorage(join(folder, "none", "x")).save(1, { expectedRev: null }), {
    reason: "forbidden",
    message: `the folder of \`${join(folder, "none", "x")}\` does not exist: create the folder \`${join(folder, "none")}\``,
  });
});

test("small changes of a large value write little, and the file stays short", async () => {
  const path = newPath();
  const storage = fileStorage(path);
  const state = { rows: [], count: 0 };
  let rev = null;
  let written = 0;
  let before = 0;
  for (let n = 0; n < 400; n += 1) {
    for (let row = 0; row < 25; row += 1)
      state.rows.push({ id: `row ${n} ${row}`, text: "x".repeat(20) });
    state.count += 1;
    ({ rev } = await storage.save(state, { expectedRev: rev }));
    const { size } = statSync(path);
    written += size > before ? size - before : size;
    before = size;
  }
  const final = JSON.stringify(state).length;
  assert.ok(written < 5 * final, `${written} bytes for ${final}`);
  assert.deepEqual((await fileStorage(path).load()).state, state);
});

test("changes of random values lead from one to the other", () => {
  let seed = 1;
  const random = (n) => {
    seed = (seed * 48271) % 0x7fffffff;
    return seed % n;
  };
  const make = (depth) => {
    const kind = random(depth > 3 ? 3 : 5);
    if (kind === 0) return random(3);
    if (kind === 1) return ["a", "b", "__proto__"][random(3)];
    if (kind === 2) return null;
    if (kind === 3) return Array.from({ length: random(5) }, () => make(depth + 1));
    return Object.fromEntries(
      Array.from({ length: random(4) }, () => [
        ["a", "b", "0", "__proto__"][random(4)],
        make(depth + 1),
      ]),
    );
  };
  for (let round = 0; round < 3000; round += 1) {
    const [before, after] = [make(0), make(0)];
    const changes = JSON.parse(JSON.stringify(changesBetween(before, after)));
    const result = applyChanges(structuredClone(before), changes);
    assert.equal(JSON.stringify(result), JSON.stringify(after));
  }
});

test("acknowledged saves survive a killed process, and its lock does not stay", async () => {
  const path = newPath();
  const script = `
    import { fileStorage } from ${JSON.stringify(new URL("../../pkg/storage.js", import.meta.url).href)};
    const storage = fileStorage(${JSON.stringify(path)});
    let { state = { n: 0, rows: [] }, rev = null } = (await storage.load()) ?? {};
    for (;;) {
      state.n += 1;
      state.rows.push("row " + state.n);
      ({ rev } = await storage.save(state, { expectedRev: rev }));
      process.stdout.write(state.n + "\\n");
    }`;
  let acknowledged = 0;
  for (let round = 0; round < 8; round += 1) {
    const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.split("\n").length > 5 + round * 7) child.kill("SIGKILL");
    });
    await new Promise((resolve) => child.on("close", resolve));
    acknowledged = Math.max(acknowledged, Number(text.trim().split("\n").at(-1)));
    const { state } = await fileStorage(path).load();
    assert.ok(state.n >= acknowledged, `${state.n} of ${acknowledged}`);
    assert.equal(state.rows.length, state.n);
  }
  const storage = fileStorage(path);
  const { rev } = await storage.load();
  await storage.save("end", { expectedRev: rev });
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith(".lock")),
    [],
  );
});

test("a lock of an earlier process with the same id is removed", async () => {
  const path = newPath();
  const lock = `${path}.lock`;
  writeFileSync(lock, String(process.pid));
  // The process of a container has the same id after each start.
  const before = new Date(Date.now() - process.uptime() * 1000 - 1000);
  utimesSync(lock, before, before);
  const storage = fileStorage(path);
  await storage.save({ n: 1 }, { expectedRev: null });
  assert.equal(existsSync(lock), false);
  // A lock of this process, of another storage or thread, is waited for.
  writeFileSync(lock, String(process.pid));
  const { rev } = await storage.load();
  const saved = storage.save({ n: 2 }, { expectedRev: rev });
  const first = await Promise.race([
    saved.then(() => "saved"),
    new Promise((resolve) => setTimeout(resolve, 100, "waiting")),
  ]);
  assert.equal(first, "waiting");
  unlinkSync(lock);
  await saved;
});

test("a document is loaded into a store and each change is saved", async () => {
  const storage = memoryStorage();
  const store = new HamStore();
  store.apply({ root: { list: "*list" }, list: ["*a"], a: { text: "*literal" } });
  const connection = await persist(store, storage, "document", { delay: 0 });
  await connection.flush();
  const copy = new HamStore();
  const second = await persist(copy, storage, "document", { delay: 0 });
  assert.deepEqual(copy.export(), store.export());
  store.write({ node: "a", key: "text" }, "changed");
  const stream = store.stream();
  stream.push('{"b": {"text": "streamed"}}');
  stream.end();
  await connection.stop();
  await second.flush();
  assert.deepEqual(copy.export(), store.export());
  assert.equal(copy.get("b").text, "streamed");
  await second.stop();
});

test("two stores that change different nodes are merged by node", async () => {
  const storage = memoryStorage();
  const stores = [new HamStore(), new HamStore()];
  stores[0].apply({ root: { a: "*a", b: "*b" }, a: { n: 1 }, b: { n: 1 }, c: { n: 1 } });
  const first = await persist(stores[0], storage, "d", { delay: 1e6 });
  await first.flush();
  const second = await persist(stores[1], storage, "d", { delay: 1e6 });
  stores[0].apply({ a: { n: 2 }, c: null });
  stores[1].apply({ b: { n: 3 } });
  await first.flush();
  await second.flush();
  await first.flush();
  const expected = { root: { a: "*a", b: "*b" }, a: { n: 2 }, b: { n: 3 }, c: null };
  assert.deepEqual([stores[0].export(), stores[1].export()], [expected, expected]);
  await Promise.all([first.stop(), second.stop()]);
});

test("the policy of a conflict decides: reload takes the other document, stop is an error", async () => {
  const storage = memoryStorage();
  const other = storage.at("d");
  const store = new HamStore();
  const connection = await persist(store, storage, "d", { delay: 1e6, onConflict: "reload" });
  store.apply({ root: { n: 1 } });
  const { rev } = await other.save({ root: { n: 2 } }, { expectedRev: null });
  await connection.flush();
  assert.deepEqual(store.export(), { root: { n: 2 } });
  await connection.stop();
  const stopping = await persist(store, storage, "d", { delay: 1e6, onConflict: "stop" });
  await other.save({ root: { n: 3 } }, { expectedRev: rev });
  store.apply({ root: { n: 4 } });
  assert.equal(await reasonOf(stopping.flush()), "conflict");
  assert.deepEqual((await other.load()).state, { root: { n: 3 } });
});

/** Ways in which a save fails; each returns an action that runs before the next save. */
const failures = {
  "whose confirmation was lost": async (save) => {
    await save();
    return () => {};
  },
  "that arrives late": async (save) => save,
  "that was rejected": async () => () => {},
};

/** Connects a store to a storage whose second save fails. Returns them with the storage inside. */
async function connectFailing(failure, onConflict) {
  const inner = memoryStorage();
  let saves = 0;
  let later;
  const at = (key) => ({
    ...inner.at(key),
    async save(...args) {
      saves += 1;
      if (saves !== 2) return await inner.at(key).save(...args);
      later = await failure(() => inner.at(key).save(...args));
      throw new Error("the connection broke");
    },
  });
  const store = new HamStore();
  const connection = await persist(store, { ...inner, at }, "d", { delay: 1e6, onConflict });
  store.apply({ root: { n: 1 } });
  await connection.flush();
  store.apply({ root: { n: 2 } });
  await assert.rejects(connection.flush(), /the connection broke/);
  await later();
  return { store, connection, stored: inner.at("d") };
}

test("a save that arrives late is not a conflict, after any number of failed saves", async () => {
  for (const arriving of [1, 7, 8, 9, 20]) {
    const inner = memoryStorage();
    const failed = [];
    let isDown = true;
    const at = (key) => ({
      ...inner.at(key),
      save(...args) {
        if (!isDown) return inner.at(key).save(...args);
        failed.push(args);
        return Promise.reject(new Error("down"));
      },
    });
    const store = new HamStore();
    const options = { delay: 1e6, onConflict: "stop" };
    const connection = await persist(store, { ...inner, at }, "d", options);
    for (let n = 1; n <= 20; n += 1) {
      store.apply({ root: { n } });
      await assert.rejects(connection.flush(), /down/);
    }
    await inner.at("d").save(...failed[arriving - 1]);
    isDown = false;
    await connection.flush();
    assert.deepEqual((await inner.at("d").load()).state, { root: { n: 20 } });
    await connection.stop();
  }
});

for (const onConflict of ["merge", "reload", "stop"]) {
  for (const [what, failure] of Object.entries(failures)) {
    test(`a save ${what} is not a conflict: ${onConflict}`, async () => {
      // The user returns to the confirmed document, or continues.
      for (const n of [1, 3]) {
        const { store, connection, stored } = await connectFailing(failure, onConflict);
        store.apply({ root: { n } });
        await connection.flush();
        assert.deepEqual((await stored.load()).state, { root: { n } });
        assert.deepEqual(store.export(), { root: { n } });
        await connection.stop();
      }
    });
  }
}

for (const [what, failure] of Object.entries(failures))
  test(`a save of another writer after one ${what} is a conflict`, async () => {
    const { store, connection, stored } = await connectFailing(failure, "stop");
    const { rev } = await stored.load();
    await stored.save({ root: { n: 5 } }, { expectedRev: rev });
    store.apply({ root: { n: 3 } });
    assert.equal(await reasonOf(connection.flush()), "conflict");
    assert.deepEqual((await stored.load()).state, { root: { n: 5 } });
  });

test("a storage that reports a conflict without another revision ends the save", async () => {
  const inner = memoryStorage();
  const save = () => Promise.reject(new StorageError("conflict", "`d` was saved"));
  const storage = { ...inner, at: (key) => ({ ...inner.at(key), save }) };
  const store = new HamStore();
  const connection = await persist(store, storage, "d", { delay: 1e6 });
  store.apply({ root: { n: 1 } });
  assert.equal(await reasonOf(connection.flush()), "conflict");
  assert.equal(await reasonOf(connection.stop()), "conflict");
});

test("a save that never settles is an error, and the next change is saved", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const inner = memoryStorage();
  let onCall;
  const called = new Promise((resolve) => {
    onCall = resolve;
  });
  let isStuck = true;
  const at = (key) => ({
    ...inner.at(key),
    save(...args) {
      if (!isStuck) return inner.at(key).save(...args);
      onCall();
      return new Promise(() => {});
    },
  });
  const store = new HamStore();
  const connection = await persist(store, { ...inner, at }, "d", { delay: 1e6 });
  store.apply({ root: { n: 1 } });
  const flushed = connection.flush();
  await called;
  context.mock.timers.tick(30_000);
  assert.equal(await reasonOf(flushed), "failed");
  isStuck = false;
  await connection.flush();
  assert.deepEqual((await inner.at("d").load()).state, { root: { n: 1 } });
  await connection.stop();
});

test("the conflict of a session has the error of the storage as its cause", async () => {
  const backend = memoryStorage();
  const session = new GaslSession({ graph: graph(), backend });
  await session.execute("DECLARE n AS COUNTER");
  await new GaslSession({ graph: graph(), backend }).execute("DECLARE other AS LIST");
  await assert.rejects(session.execute("DECLARE mine AS LIST"), ({ code, cause }) => {
    assert.equal(code, "storage");
    assert.ok(cause instanceof StorageError);
    assert.equal(cause.reason, "conflict");
    return true;
  });
});
