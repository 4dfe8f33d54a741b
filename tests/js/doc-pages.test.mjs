// Lists in the pages: rules, limits, exports, methods, custom properties and links are complete.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import * as byname from "byname";
import * as a2ui from "byname/a2ui";
import * as catalog from "byname/catalog";
import * as dom from "byname/dom";
import * as server from "byname/dom/server";
import * as flow from "byname/flow";
import * as gasl from "byname/gasl";
import * as messages from "byname/messages";
import * as react from "byname/react";

await byname.init();

const docs = new URL("../../docs/", import.meta.url);
const read = (name) => readFileSync(new URL(name, docs), "utf8");

/** Returns the rows of the tables whose first cell is code, by that cell. */
function tableRows(page) {
  const matches = [...page.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)];
  return new Map(matches.map(([, name, rest]) => [name, rest.split(" | ")]));
}

test("ham.md has each rule, once and in order", () => {
  const numbers = [...read("ham.md").matchAll(/^<a id="rule-(\d+)"><\/a>\*\*Rule (\d+)\b/gm)];
  const expected = Array.from({ length: 28 }, (_, at) => String(at + 1));
  for (const group of [1, 2]) {
    assert.deepEqual(
      numbers.map((match) => match[group]),
      expected,
    );
  }
});

test("the links between the pages have targets", () => {
  for (const name of readdirSync(docs).filter((file) => file.endsWith(".md"))) {
    for (const [, link] of read(name).matchAll(/\]\(((?!https?:)[^)]+)\)/g)) {
      const [file, anchor] = link.split("#");
      assert.ok(existsSync(new URL(file || name, docs)), `${name}: ${link}`);
      if (anchor === undefined) continue;
      const target = read(file || name);
      const headings = [...target.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
        title
          .toLowerCase()
          .replaceAll(/[^\w\- ]/g, "")
          .replaceAll(" ", "-"),
      );
      const known = target.includes(`<a id="${anchor}"></a>`) || headings.includes(anchor);
      assert.ok(known, `${name}: ${link}`);
    }
  }
});

test("api.md names every export, every method and every limit", () => {
  const page = read("api.md");
  for (const name of [a2ui, catalog].flatMap(Object.keys))
    assert.match(page, new RegExp(`\`${name}[\`(]`), name);
  for (const name of [byname, dom, server, react, gasl, flow, messages].flatMap(Object.keys)) {
    assert.match(page, new RegExp(`\`${name}[\`(]`), name);
  }
  for (const type of [byname.HamStore, byname.Surface, byname.Flow, catalog.TypedCatalog]) {
    for (const name of Object.getOwnPropertyNames(type.prototype)) {
      if (name === "constructor" || name === "readChanges") continue;
      // A getter is written without parentheses.
      assert.match(page, new RegExp(`\`${name}[\`(]`), `${type.name}.${name}`);
    }
  }
  const document = readFileSync(new URL("../../src/ham/document.rs", import.meta.url), "utf8");
  const defaults = /fn default\(\) -> StoreLimits \{(.*?)\n {4}\}/s.exec(document)[1];
  const limits = [...defaults.matchAll(/(\w+): ([\d_]+)(?: << (\d+))?,/g)];
  assert.equal(limits.length, 7);
  const listed = tableRows(page);
  for (const [, snake, digits, shift] of limits) {
    const name = snake.replaceAll(/_(\w)/g, (_, character) => character.toUpperCase());
    const value = Number(digits.replaceAll("_", "")) * 2 ** Number(shift ?? 0);
    assert.equal(listed.get(name)?.[0], String(value), name);
  }
});

test("surface.md lists the custom properties with their defaults", () => {
  const css = readFileSync(new URL("../../src/js/dom/css.ts", import.meta.url), "utf8");
  const used = css.matchAll(/var\((--byname-[\w-]+), ((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g);
  const expected = new Map([...used].map(([, name, fallback]) => [name, fallback]));
  assert.ok(expected.size > 10);
  const listed = [...tableRows(read("surface.md"))].filter(([name]) =>
    name.startsWith("--byname-"),
  );
  assert.deepEqual(
    listed.map(([name, [fallback]]) => [name, fallback.slice(1, -1)]),
    [...expected],
  );
});
