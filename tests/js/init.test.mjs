// Loading of the WebAssembly from all sources, also after a failure.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Loads the package again, because a module is loaded once per process. */
function runScript(body) {
  const script = `
    import assert from "node:assert/strict";
    import { readFileSync } from "node:fs";
    import { BynameError, HamStore, init, initSync } from "byname/web";
    const bytes = readFileSync("pkg/byname_bg.wasm");
    const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    const foreign = (error) => error instanceof BynameError && error.code === "argument";
    const works = () => assert.ok(new HamStore().apply({ a: 1 }).ok);
    ${body}`;
  const args = ["--input-type=module", "--eval", script];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.equal(stderr, "");
}

const sources = {
  bytes: "bytes",
  "a module": "await WebAssembly.compile(bytes)",
  "a response": 'new Response(bytes, { headers: { "Content-Type": "application/wasm" } })',
  "a response without a type": "new Response(bytes)",
  "a URL": 'new URL("data:application/wasm;base64," + bytes.toString("base64"))',
};

for (const [name, source] of Object.entries(sources)) {
  test(`init accepts ${name}`, () => {
    runScript(`await Promise.all([init(${source}), init(${source})]); await init(); works();`);
  });
}

test("initSync accepts bytes and a module, and does nothing the second time", () => {
  runScript("initSync(bytes); initSync(empty); works();");
  runScript("initSync(new WebAssembly.Module(bytes)); works();");
});

test("rejects a foreign module, and accepts the right one afterwards", () => {
  runScript("await assert.rejects(init(empty), foreign); await init(bytes); works();");
  runScript("assert.throws(() => initSync(empty), foreign); initSync(bytes); works();");
  runScript(
    "await assert.rejects(init(new WebAssembly.Module(empty)), foreign); initSync(bytes); works();",
  );
});

test("byname rejects the module of byname/ham, which lacks exports", () => {
  runScript(`const small = readFileSync("pkg/ham/byname_bg.wasm");
    await assert.rejects(init(small), foreign); await init(bytes); works();
    const ham = await import("byname/ham/web"); await ham.init(small);
    assert.ok(new ham.HamStore().apply({ a: 1 }).ok);`);
});

test("rejects a module of another version, and accepts the right one afterwards", () => {
  // Only the name of one import differs.
  const other = `const other = Buffer.from(bytes);
    other.write("X", other.indexOf("__wbg_") + 6);`;
  runScript(`${other} await assert.rejects(init(other), foreign); await init(bytes); works();`);
  runScript(`${other} assert.throws(() => initSync(other), foreign); initSync(bytes); works();`);
});

test("reports a failed download or compilation with the host's error, and allows a retry", () => {
  runScript(`await assert.rejects(init(new Uint8Array([1, 2, 3])), WebAssembly.CompileError);
    assert.throws(() => initSync(new Uint8Array([1, 2, 3])), WebAssembly.CompileError);
    await assert.rejects(init(new Response("gone", { status: 404 })), /failed to fetch.*404/);
    await assert.rejects(init("/x.wasm"), ({ code, message }) =>
      code === "argument" && message.includes('new URL("/x.wasm", location.href)'));
    await init(bytes); works();`);
});

test("receiveAll waits for the WebAssembly, and rejects if nothing loads it", () => {
  const source =
    '[{ createSurface: { surfaceId: "s", components: [{ id: "root", component: "Text", text: "Hi" }] } }]';
  runScript(`
    const { receiveAll, Surfaces } = await import("byname/messages");
    const surfaces = new Surfaces();
    await assert.rejects(receiveAll(surfaces, ${source}), { code: "not-initialised" });
    init(bytes);
    assert.deepEqual(await receiveAll(surfaces, ${source}), { ok: true, diagnostics: [] });
    assert.equal(surfaces.get("s").tree().props.text, "Hi");`);
});

test("byname/ham/messages creates surfaces of byname/ham", () => {
  runScript(`
    const ham = await import("byname/ham/web");
    const { receiveAll, Surfaces } = await import("byname/ham/messages");
    ham.init(readFileSync("pkg/ham/byname_bg.wasm"));
    const surfaces = new Surfaces({ a2ui: true });
    await receiveAll(surfaces, [{ createSurface: { surfaceId: "s" } }]);
    assert.ok(surfaces.get("s") instanceof ham.Surface);`);
});
