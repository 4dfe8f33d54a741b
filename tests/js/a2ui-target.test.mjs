// The text of an A2UI agent, cut anywhere, against its messages one by one.

import assert from "node:assert/strict";
import test from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget, FromA2ui } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { messageStream } from "byname/messages";
import { exampleFiles, hamMessages } from "../a2ui/examples.mjs";

await init();

for (const example of exampleFiles()) {
  test(`${example.folder.slice(0, 4)} ${example.name} in pieces`, () => {
    const whole = new Surface({ catalog: basicCatalog });
    for (const message of hamMessages(example)) assert.ok(whole.receive(message).ok);
    const text = example.messages.map((message) => JSON.stringify(message)).join("\n");
    for (const size of [7, 100, text.length]) {
      const surface = new Surface({ catalog: basicCatalog });
      const stream = messageStream(a2uiTarget(surface));
      for (let at = 0; at < text.length; at += size) {
        const { ok, diagnostics } = stream.push(text.slice(at, at + size));
        assert.ok(ok, JSON.stringify(diagnostics));
      }
      assert.ok(stream.end().ok);
      assert.deepEqual(surface.tree(), whole.tree());
    }
  });
}

test("what is wrong is told, and the next message is taken", () => {
  const surface = new Surface();
  const target = a2uiTarget(surface);
  assert.equal(target.receive("{").ok, false);
  assert.equal(target.receive("[]").ok, false);
  assert.equal(target.receive({ hello: 1 }).ok, false);
  const far = { updateDataModel: { surfaceId: "s", path: "/a/1000000000", value: 1 } };
  assert.equal(target.receive(far).diagnostics[0].code, "A2UI005");
  assert.ok(target.receive({ createSurface: { surfaceId: "s", catalogId: "c" } }).ok);
});

test("misuse throws", () => {
  const wrong = { code: "argument" };
  assert.throws(() => a2uiTarget({}), wrong);
  assert.throws(() => a2uiTarget(new Surface()).receive(Promise.resolve()), wrong);
  for (const message of ['{"createSurface": {}}', Promise.resolve(), null, 5, []]) {
    assert.throws(() => new FromA2ui().translate(message), wrong);
  }
});
