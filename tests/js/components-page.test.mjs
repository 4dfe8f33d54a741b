// docs/components.md is generated from the catalog; `npm run components` writes it.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { init, Surface } from "byname";
import { checkMessages } from "byname/catalog";
import { basicCatalog } from "byname/dom";
import { componentsPage, messagesOf, pictureOf } from "../../docs/site/components.mjs";

const docs = new URL("../../docs/", import.meta.url);
await init();

test("docs/components.md is up to date", () => {
  const page = readFileSync(new URL("components.md", docs), "utf8");
  assert.equal(page, componentsPage(basicCatalog), "run `npm run components`");
});

for (const name of Object.keys(basicCatalog.components)) {
  test(`${name} has a picture and a valid example`, () => {
    assert.ok(existsSync(new URL(pictureOf(name), docs)));
    const messages = messagesOf(name);
    assert.deepEqual(checkMessages(basicCatalog, messages), []);
    const surface = new Surface({ catalog: basicCatalog });
    for (const message of messages) assert.deepEqual(surface.receive(message).diagnostics, []);
    const used = JSON.stringify(messages).includes(`"component":"${name}"`);
    assert.ok(used, `the example of ${name} does not contain it`);
  });
}
