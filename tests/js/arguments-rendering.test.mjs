// Invalid arguments of the renderers: the document, the server and React.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";
import { toA2uiAction } from "byname/a2ui";
import { mount } from "byname/dom";
import { renderToString } from "byname/dom/server";
import { SurfaceView, useBinding, useSurface } from "byname/react";
import { createElement } from "react";
import { renderToString as renderReact } from "react-dom/server";
import { expectArgumentError } from "./argument-error.mjs";

await init();

test("rejects an invalid language tag as `locale` before anything is rendered", () => {
  const surface = new Surface();
  const text = { call: "pluralize", args: { value: 1, other: "one" } };
  const components = [{ id: "root", component: "Text", text }];
  assert.ok(surface.receive({ createSurface: { surfaceId: "s", components } }).ok);
  const action = { name: "n", context: { text } };
  for (const [locale, expectedText] of [
    ["not_a_locale", '"de-CH", found "not_a_locale"'],
    ["", 'found ""'],
    [null, "found null"],
    [["de"], "found an Array"],
  ]) {
    expectArgumentError(() => renderToString(surface, { locale }), expectedText);
    expectArgumentError(() => renderToString(null, { locale }), expectedText);
    expectArgumentError(() => toA2uiAction(action, { locale }), expectedText);
    expectArgumentError(() => mount(surface, { append() {} }, { locale }), expectedText);
  }
  assert.match(renderToString(surface, { locale: "de-CH" }), /one/);
  assert.equal(toA2uiAction(action, { locale: "de-CH" }).action.context.text, "one");
});

test("server rendering accepts only a surface, and known options", () => {
  for (const source of ["x", 5, undefined, {}, Promise.resolve(null)])
    expectArgumentError(() => renderToString(source), "to be a surface or its tree, found ");
  expectArgumentError(() => renderToString(null, { styles: false }), "unknown key `styles`");
  expectArgumentError(() => renderToString(null, null), "to be an object, found null");
});

test("useBinding expects a store and a binding", () => {
  const render = (store, binding) => () =>
    renderReact(createElement(() => useBinding(store, binding)[0].status));
  assert.equal(render(new HamStore(), { key: "name" })(), "missing");
  for (const binding of [undefined, null, "name"])
    expectArgumentError(render(new HamStore(), binding), "expects a binding");
  for (const store of [undefined, null, {}])
    expectArgumentError(render(store, { key: "name" }), "expects a store");
});

test("rejects an unknown option of `mount`", () => {
  const element = { append: () => {} };
  expectArgumentError(
    () => mount(new Surface(), element, { component: {} }),
    "unknown key `component`",
  );
  expectArgumentError(
    () => mount(new Surface(), element, null),
    "expected the options of `mount` to be an object",
  );
  expectArgumentError(
    () => renderToString(new Surface(), { hydrate: true }),
    "unknown key `hydrate`",
  );
});

test("React views and hooks report what they got instead of a surface or a binding", () => {
  const draws = (Component, props) => () => renderReact(createElement(Component, props));
  for (const [surface, description] of [
    [undefined, "undefined"],
    [null, "null"],
    [{}, "an Object"],
    [Promise.resolve(new Surface()), "a Promise"],
  ]) {
    expectArgumentError(
      draws(SurfaceView, { surface }),
      `\`SurfaceView\` expects a surface, not ${description}`,
    );
    const Made = () => useSurface(() => surface) && null;
    expectArgumentError(
      draws(Made),
      `\`useSurface\` expects a function that returns a surface, not ${description}`,
    );
  }
  const round = {};
  round.round = round;
  for (const binding of [round, { key: 1n }, { toJSON() {} }, new Map(), [], "a"]) {
    const Bound = () => useBinding(new HamStore(), binding) && null;
    expectArgumentError(draws(Bound), "`useBinding` expects a binding, as in");
  }
});

test("does not mount a partial surface, or a document", () => {
  const surface = new Surface();
  const element = { ownerDocument: {}, append() {} };
  for (const part of ["tree", "subscribe", "input", "trigger"]) {
    const lame = { tree() {}, subscribe() {}, input() {}, trigger() {}, [part]: undefined };
    expectArgumentError(() => mount(lame, element), "of `mount` to be a surface, found an Object");
  }
  const page = { append() {}, ownerDocument: null };
  expectArgumentError(() => mount(surface, page), "to be an element, found an Object");
});
