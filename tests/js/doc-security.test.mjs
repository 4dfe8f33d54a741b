// Statements of docs/security.md that no other test covers.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { init, Surface } from "byname";

await init();

const root = new URL("../../", import.meta.url);

test("the package works where code generation from strings is forbidden", () => {
  const script = `
    import assert from "node:assert/strict";
    import { HamStore, Surface } from "byname";
    import "byname/dom";
    assert.throws(() => new Function("return 1"));
    const surface = new Surface({ store: new HamStore() });
    const text = { binding: { key: "x" } };
    const components = [{ id: "root", component: "Text", text }];
    surface.receive({ createSurface: { surfaceId: "s", components } });
    surface.store.apply('{"root": {"x": 1}}');
    console.log(surface.tree().props.text);
  `;
  const flags = ["--disallow-code-generation-from-strings", "--input-type=module", "-e", script];
  const printed = execFileSync(process.execPath, flags, {
    cwd: fileURLToPath(root),
    encoding: "utf8",
  });
  assert.equal(printed, "1\n");
});

test("the built code passes no text to a parser of code or HTML", () => {
  const folder = new URL("pkg/", root);
  const scripts = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js"));
  assert.ok(scripts.some((name) => name.includes("dom")) && scripts.length > 20);
  const parsers =
    /\b(?:innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment|DOMParser|srcdoc|(?<!-)eval|document\.write)\b|new Function\(/;
  for (const name of scripts) {
    const code = readFileSync(new URL(name, folder), "utf8");
    assert.equal(parsers.exec(code)?.[0], undefined, name);
  }
});

test("names of prototypes in a surface are data", () => {
  const before = Object.getOwnPropertyNames(Object.prototype).sort();
  const actions = [];
  const surface = new Surface({ onAction: (action) => actions.push(action) });
  const receive = (message) => assert.ok(surface.receive(JSON.stringify(message)).ok);
  const polluting = JSON.parse('{"__proto__": {"polluted": 1}}');
  const component = {
    ...{ id: "__proto__", component: "constructor" },
    style: polluting,
    action: { event: { name: "toString", context: polluting } },
  };
  Object.defineProperty(component, "__proto__", { value: { polluted: 2 }, enumerable: true });
  const components = [{ id: "root", component: "Column", children: ["__proto__"] }, component];
  receive({ createSurface: { surfaceId: "__proto__", components } });
  surface.subscribe(() => {});
  receive({ updateComponents: { surfaceId: "__proto__", components: [component] } });
  const [instance] = surface.tree().children;
  assert.deepEqual([instance.id, instance.component], ["__proto__", "constructor"]);
  assert.ok(Object.hasOwn(instance.props, "__proto__"));
  assert.deepEqual(Object.keys(instance.props.style), ["__proto__"]);
  surface.trigger(instance.key, "action");
  assert.deepEqual(Object.keys(actions[0].context), ["__proto__"]);
  surface.trigger(instance.key, "constructor");
  assert.equal(surface.diagnostics()[0].code, "HAM030");
  assert.equal({}.polluted, undefined);
  assert.deepEqual(Object.getOwnPropertyNames(Object.prototype).sort(), before);
});

test("does not call a function that data names", () => {
  const surface = new Surface();
  const text = { call: "alert", args: { value: { binding: { key: "x" } } } };
  const components = [{ id: "root", component: "Text", text }];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  surface.store.apply({ root: { x: 1 } });
  assert.deepEqual(surface.tree().props.text, { call: "alert", args: { value: 1 } });
});

/** Pattern of a test in the documentation: `tests/js/a.test.mjs`: "title", "title" */
const CITED = /`((?:tests|src)\/[\w./-]+)`(?:: | \()("[^"]+"(?:, "[^"]+")*)/g;

/** Returns a function that reports whether a file has a test whose title contains a text. */
function titlesOf(path) {
  const text = readFileSync(new URL(path, root), "utf8");
  if (path.endsWith(".json")) {
    const names = JSON.parse(text).map(({ name }) => name);
    return (title) => names.includes(title);
  }
  // Tests of proptest have no `#[test]` of their own.
  if (path.endsWith(".rs")) return (title) => new RegExp(`^\\s*fn ${title}\\(`, "m").test(text);
  const found = text.matchAll(/\btest\w*\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g);
  const titles = [...found].map(([, plain, template]) => plain ?? template);
  return (title) => titles.some((one) => one.includes(title));
}

test("the tests that the documentation names exist", () => {
  const pages = readdirSync(new URL("docs/", root)).filter((name) => name.endsWith(".md"));
  const counts = { files: 0, titles: 0 };
  for (const name of pages) {
    const page = readFileSync(new URL(`docs/${name}`, root), "utf8");
    for (const [, path] of page.matchAll(/`((?:tests|benches|fuzz|scripts)\/[\w./-]+)`/g)) {
      assert.ok(existsSync(new URL(path, root)), `${name}: ${path}`);
      counts.files += 1;
    }
    for (const [, path, list] of page.matchAll(CITED)) {
      const hasTitle = titlesOf(path);
      for (const [, title] of list.matchAll(/"([^"]+)"/g)) {
        assert.ok(hasTitle(title), `${name}: ${path} has no test "${title}"`);
        counts.titles += 1;
      }
    }
  }
  assert.ok(counts.files > 40 && counts.titles > 80, JSON.stringify(counts));
});

test("docs/security.md names each test by its title", () => {
  const page = readFileSync(new URL("docs/security.md", root), "utf8");
  const untitled = page.replaceAll(CITED, "").match(/`tests\/[^`]+`/g);
  assert.deepEqual(untitled ?? [], []);
});

test("a title that does not exist is not found", () => {
  for (const path of [
    "tests/js/stack.test.mjs",
    "tests/store_memory.rs",
    "tests/cases/gasl/limits.json",
  ])
    assert.equal(titlesOf(path)("no such title"), false);
});
