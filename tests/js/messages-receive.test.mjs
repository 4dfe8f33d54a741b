// Sources of messages: fetch responses, streams and chunks of a model, read to their end or until
// an abort.

import assert from "node:assert/strict";
import test from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { messageStream, receiveAll } from "byname/messages";
import { components, cut, forms, lines, messages } from "../messages.mjs";

await init();

const expectedSurface = new Surface();
for (const message of messages) assert.ok(expectedSurface.receive(message).ok);
const expected = expectedSurface.tree();
const [first, second, third] = lines;

test("reads a fetch response, a stream and the chunks of a model to their end", async () => {
  const bytes = new TextEncoder().encode(forms.lines);
  async function* model() {
    yield* cut(forms.lines, 21);
  }
  for (const source of [new Response(bytes), new Blob([bytes]).stream(), model()]) {
    const surface = new Surface();
    assert.deepEqual(await receiveAll(surface, source), { ok: true, diagnostics: [] });
    assert.deepEqual(surface.tree(), expected);
  }
  await assert.rejects(receiveAll(new Surface(), new Response("no", { status: 502 })), /502/);
});

test("accepts a promise of a source, a text, and messages that are objects already", async () => {
  async function* objects() {
    yield* messages;
  }
  for (const source of [Promise.resolve(new Response(forms.lines)), forms.lines, objects()]) {
    const surface = new Surface();
    assert.deepEqual(await receiveAll(surface, source), { ok: true, diagnostics: [] });
    assert.deepEqual(surface.tree(), expected);
  }
});

test("reports a text that ends early between messages that are objects", async () => {
  const cutOff = '{"updateComponents": {"surfaceId": "s", "components": [{"id": "root", "comp';
  const { ok, diagnostics } = await receiveAll(new Surface(), [components, cutOff]);
  assert.deepEqual([ok, diagnostics.map(({ code }) => code)], [false, ["JSON002"]]);
});

test("reports a text without a message as an error", async () => {
  for (const text of ["", "Sorry, I cannot do that.", "<!doctype html><html></html>", "[]"]) {
    const { ok, diagnostics } = await receiveAll(new Surface(), text);
    assert.equal(ok, false);
    assert.equal(diagnostics.at(-1).code, "HAM035", text);
  }
});

test("reports the beginning of a text without a message, whatever its chunks", () => {
  const page = "\n [<!doctype html><html><head><title>Not found</title></head></html>";
  for (const size of [1, 7, 1_000]) {
    const stream = messageStream(new Surface());
    for (let at = 0; at < page.length; at += size) stream.push(page.slice(at, at + size));
    const { message } = stream.end().diagnostics.at(-1);
    assert.ok(message.endsWith('begins with "<!doctype html><html><head><title>Not fo"'), message);
  }
});

test("a signal ends the reading at once, also of a surface that is disposed of", async () => {
  const stop = new AbortController();
  let isEnded = false;
  async function* endless() {
    try {
      yield `${first}\n${second}\n`;
      for (;;) {
        await new Promise((done) => setTimeout(done, 5));
        yield third.slice(0, 40);
      }
    } finally {
      isEnded = true;
    }
  }
  const surface = new Surface();
  const reading = receiveAll(surface, endless(), { signal: stop.signal });
  await new Promise((done) => setTimeout(done, 20));
  surface[Symbol.dispose]();
  stop.abort(new Error("gone"));
  await assert.rejects(reading, /gone/);
  await new Promise((done) => setTimeout(done, 30));
  assert.ok(isEnded, "the source was not ended");
  const aborted = receiveAll(new Surface(), forms.lines, { signal: AbortSignal.abort() });
  await assert.rejects(aborted, { name: "AbortError" });
});

test("a signal ends a source at once, also while it is idle, and before it has arrived", async () => {
  const source = () => {
    const state = {};
    const cancel = (reason) => {
      state.cancelled = reason ?? true;
    };
    return [new ReadableStream({ start: (to) => to.enqueue(`${first}\n`), cancel }), state];
  };
  const shortDelay = () => new Promise((done) => setTimeout(done, 10));
  const stop = new AbortController();
  const [stream, sourceState] = source();
  const reading = receiveAll(new Surface(), stream, { signal: stop.signal });
  await shortDelay();
  stop.abort(new Error("enough"));
  await assert.rejects(reading, /enough/);
  await shortDelay();
  assert.ok(sourceState.cancelled);
  // From here on the signal is aborted.
  const { signal } = stop;
  const [late, lateSeen] = source();
  for (const gone of [Promise.reject(new Error("aborted too")), shortDelay().then(() => late)])
    await assert.rejects(receiveAll(new Surface(), gone, { signal }), /enough/);
  const [failed, failedSeen] = source();
  const answer = new Response(failed, { status: 500 });
  await assert.rejects(receiveAll(new Surface(), answer), /returned 500/);
  await shortDelay();
  await shortDelay();
  assert.ok(lateSeen.cancelled && failedSeen.cancelled);
});

test("reports the body of a response with an error status", async () => {
  const errorOf = async (body, status = 401) => {
    const receiving = receiveAll(new Surface(), new Response(body, { status }), {
      onDiagnostics: () => assert.fail("no message was sent"),
    });
    const { message, cause } = await receiving.then(assert.fail, (reason) => reason);
    assert.equal(cause.status, status);
    return [message, cause.body];
  };
  const key = JSON.stringify({ error: { message: "the key is wrong" } });
  assert.deepEqual(await errorOf(key), ["the server returned 401: the key is wrong", key]);
  for (const body of [{ error: "slow down" }, { message: "slow down" }])
    assert.equal(
      (await errorOf(JSON.stringify(body), 429))[0],
      "the server returned 429: slow down",
    );
  assert.equal((await errorOf("<h1>Bad gateway</h1>", 502))[0], "the server returned 502");
  assert.deepEqual(await errorOf(null), ["the server returned 401", ""]);
  const [message, body] = await errorOf("x".repeat(1e6), 500);
  assert.ok(message.length < 300 && body.length < 1e5);
  // A body that never ends is reported as far as it has arrived.
  const unending = () =>
    new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode("busy")) });
  assert.deepEqual(await errorOf(unending(), 503), ["the server returned 503: busy", "busy"]);
  const stop = new AbortController();
  const answer = new Response(unending(), { status: 503 });
  const reading = receiveAll(new Surface(), answer, { signal: stop.signal });
  await new Promise((done) => setTimeout(done, 5));
  stop.abort(new Error("enough"));
  await assert.rejects(reading, /enough/);
});

test("reports misuse of receiveAll", async () => {
  const wrong = { code: "argument" };
  await assert.rejects(receiveAll(forms.lines, new Surface()), wrong);
  await assert.rejects(receiveAll(new Surface(), 5), wrong);
  await assert.rejects(receiveAll(new Surface()), wrong);
  await assert.rejects(receiveAll(new Surface(), forms.lines, { signals: 1 }), wrong);
});

test("a source that fails in the middle keeps earlier messages, and throws the error", async () => {
  async function* failing() {
    yield forms.lines.slice(0, forms.lines.indexOf('"Bea"'));
    throw new Error("the line is dead");
  }
  const surface = new Surface();
  const reported = [];
  const options = { onDiagnostics: (diagnostics) => reported.push(...diagnostics) };
  await assert.rejects(receiveAll(surface, failing(), options), /the line is dead/);
  assert.equal(reported[0].code, "JSON002");
  assert.equal(surface.tree().children[1].children[1].props.text, "Bob");
});

test("reports the first of very many invalid messages and counts the rest, in one chunk and in many", async () => {
  const bad = '{"a": 1}\n';
  for (const [source, count] of [
    [bad.repeat(150_000) + forms.lines, 150_000],
    [Array.from({ length: 400 }, () => bad).concat(forms.lines), 400],
    [Array.from({ length: 3 }, () => bad.repeat(150)).concat(forms.lines), 450],
    [Array.from({ length: 101 }, () => ({ a: 1 })), 101],
  ]) {
    const surface = new Surface();
    let most = 0;
    const onDiagnostics = ({ length }) => {
      most = Math.max(most, length);
    };
    const { ok, diagnostics } = await receiveAll(surface, source, { onDiagnostics });
    assert.equal(ok, false);
    assert.equal(diagnostics.length, 101);
    const { code, severity, message, help } = diagnostics[100];
    assert.deepEqual([code, severity, help], ["JSON014", "info", "fix these first"]);
    assert.match(message, count === 101 ? /^1 more diagnostic is/ : /^\d+ more diagnostics are/);
    assert.equal(Number.parseInt(message, 10), count - 100);
    assert.ok(most <= 101);
    if (count !== 101) assert.deepEqual(surface.tree(), expected);
  }
});

test("reports an error after any number of warnings", async () => {
  const twice = '{"updateDataModel":{"surfaceId":"s","nodes":{"a":1,"a":2}}}\n';
  const { ok, diagnostics } = await receiveAll(new Surface(), `${twice.repeat(200)}{"a":1}\n`);
  assert.equal(ok, false);
  assert.equal(diagnostics.length, 101);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  assert.deepEqual([errors.length, diagnostics.indexOf(errors[0])], [1, 99]);
  assert.match(diagnostics[100].message, /^101 more/);
});

test("limits the reports for an agent of plain A2UI too", () => {
  const target = a2uiTarget(new Surface());
  target.receive({ createSurface: { surfaceId: "s" } });
  const components = Array.from({ length: 300 }, () => 5);
  const { ok, diagnostics } = target.receive({ updateComponents: { surfaceId: "s", components } });
  assert.deepEqual([ok, diagnostics.length], [false, 101]);
  assert.match(diagnostics[100].message, /^\d{3} more diagnostics are left out$/);
});

test("accepts bytes of other windows and of shared memory as chunks", async () => {
  const { runInNewContext } = await import("node:vm");
  const text = new TextEncoder().encode(forms.lines);
  const foreign = (from, to) =>
    runInNewContext("Uint8Array.from(list)", { list: text.slice(from, to) });
  const shared = new Uint8Array(new SharedArrayBuffer(text.length));
  shared.set(text);
  for (const chunks of [
    [foreign(0, 50), foreign(50)],
    [foreign(0, 50).buffer, foreign(50).buffer],
    [text.slice(0, 50).buffer, text.slice(50).buffer],
    [shared],
  ]) {
    const surface = new Surface();
    assert.deepEqual(await receiveAll(surface, chunks), { ok: true, diagnostics: [] });
    assert.deepEqual(surface.tree(), expected);
  }
});

test("an empty list of messages and an object without a message are errors", async () => {
  const cases = [
    ['{"messages": []}', "HAM035"],
    ['{"messages":[\n]}\n{"messages":[]}', "HAM035"],
    [[{}], "HAM029"],
    [[[]], "HAM029"],
  ];
  for (const [source, code] of cases) {
    const { ok, diagnostics } = await receiveAll(new Surface(), source);
    assert.deepEqual([ok, ...diagnostics.map((one) => one.code)], [false, code]);
  }
  const message = '{"createSurface": {"surfaceId": "s"}}';
  for (const source of [`${message}{"messages": []}`, `{"messages": [${message}]}`])
    assert.deepEqual(await receiveAll(new Surface(), source), { ok: true, diagnostics: [] });
});

test("the end of a stream reports what has not arrived", async () => {
  const create = { createSurface: { surfaceId: "s" } };
  const root = { id: "root", component: "Text", text: { binding: { key: "title" } } };
  const list = {
    id: "root",
    component: "List",
    children: { binding: { key: "rows" }, template: "row" },
  };
  const row = { id: "row", component: "Text", text: "row" };
  const update = (...components) => ({ updateComponents: { surfaceId: "s", components } });
  const data = (nodes) => ({ updateDataModel: { nodes } });
  const other = { ...root, text: { binding: { node: "item", key: "n" } } };
  for (const [messages, code] of [
    [[create, update(other), data({ items: ["*a"], a: { n: 1 } })], "HAM009"],
    [[create, update(list, row), data({ x: { n: 1 } })], "HAM009"],
    [[create, update(list, row), data({ root: { rows: ["*a", "*b"] }, x: {} })], "HAM009"],
    [[create, update(list, row), data({ root: { rows: ["*a", "*b"] }, b: {} })], undefined],
    [[create], undefined],
    [[create, update(root)], "HAM037"],
    [[create, update(list, row)], "HAM037"],
    [[create, update({ ...root, text: "literal" })], undefined],
  ]) {
    const surface = new Surface();
    const { ok, diagnostics } = await receiveAll(surface, messages);
    const codes = diagnostics.map((one) => one.code);
    assert.deepEqual([ok, codes], [true, code === undefined ? [] : [code]]);
    // The agent may go on, and send the first data.
    assert.deepEqual(surface.diagnostics(), code === "HAM009" ? diagnostics : []);
    assert.deepEqual(surface.diagnostics({ isDone: true }), diagnostics);
  }
});
