// Slips that models make in the midst of a message: what is broken is told, and takes nothing else with it,
// however the text is cut.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { cut, pushed } from "../messages.mjs";
import { Random } from "../random/random.mjs";

await init();

/** One component, its slip, and what is left of it. */
const componentSlips = {
  "a comma too much": ['{"id":"b","component":"Text","text":"B",}', 0],
  "a comment": ['{"id":"b","component":"Text","text":"B"} // the second', 1],
  "single quotes": ["{'id':'b','component':'Text','text':'B'}", 0],
  "a value of Python": ['{"id":"b","component":"Text","text":None}', 0],
  "keys without quotes": ['{id:"b",component:"Text",text:"B"}', 0],
  "a comma that is missing": ['{"id":"b","component":"Text" "text":"B"}', 0],
  "quotes in a text": ['{"id":"b","component":"Text","text":"say "hi" now"}', 0],
  "a text on two lines": ['{"id":"b","component":"Text","text":"two\nlines"}', 0],
  "something left out": ['{"id":"b","component":"Text","text":"B"},\n  ...', 1],
  "a bracket too much": ['{"id":"b","component":"Text","text":"B"}}', 1],
  "a bracket that is missing": ['{"id":"b","component":"Text","text":"B"', 0],
  "a quote that is missing": ['{"id":"b","component":"Text","text":"B}', 0],
  "a bracket of a list that is missing": ['{"id":"b","component":"Row","children":["x"}', 0],
};

for (const [name, [slip, left]] of Object.entries(componentSlips)) {
  for (const around of [
    ['{"updateComponents":{"surfaceId":"s","components":[\n', "]}}"],
    ['{\n "createSurface": {\n  "surfaceId": "s", "components": [', "\n  ]\n }\n}"],
    ['{"updateComponents":{"surfaceId":"s","components":[', "]}}"],
  ]) {
    const isLine = !around[0].includes("\n");
    const how = isLine ? "on one line" : around[0].includes("create") ? "set in" : "on lines";
    test(`components: ${name}, ${how}`, () => {
      const others = ['{"id":"root","component":"Column","children":["a","b","c"]}'];
      for (const id of ["a", "c"]) others.push(`{"id":"${id}","component":"Text","text":"${id}"}`);
      const list = [others[0], others[1], slip, others[2]].join(isLine ? "," : ",\n  ");
      const data = '{"updateDataModel":{"surfaceId":"s","nodes":{"root":{"n":1}}}}';
      const text = `${around[0]}${isLine ? "" : "  "}${list}${around[1]}\n${data}`;
      for (const target of [(surface) => surface, (surface) => a2uiTarget(surface)]) {
        for (const size of [1, 7, 64, text.length]) {
          const surface = new Surface();
          const { ok, diagnostics } = pushed(target(surface), cut(text, size));
          assert.equal(ok, false);
          assert.deepEqual(
            surface.tree().children.map(({ component }) => component),
            ["Text", left ? "Text" : "", "Text"],
            `${size}`,
          );
          const [{ location }, ...more] = diagnostics.filter(({ code }) => code.startsWith("JSON"));
          assert.deepEqual(more, []);
          const at = text.indexOf(slip);
          assert.ok(location.start >= at && location.start <= at + slip.length + 3, `${size}`);
          if (target(surface) === surface) assert.deepEqual(surface.store.get("root"), { n: 1 });
        }
      }
    });
  }
}

const nodeSlips = {
  "a comma too much": '"b":{"x":1,}',
  "a comment": '"b":{"x":1} // the second',
  "single quotes": "'b':{'x':1}",
  "a value of Python": '"b":{"x":None}',
  "no number": '"b":NaN',
  "a comma that is missing": '"b":{"x":1 "y":2}',
  "quotes in a text": '"b":{"x":"say "hi" now"}',
  "a text on two lines": '"b":{"x":"two\nlines"}',
  "two in a row": '"b":{"x":nil},"b2":{x:1}',
  "a pointer for an id": '"*b":{"x":1,"y":[1,2]}',
  "no id": '"" : {"x":1}',
  "a deletion of nothing": '"!":null',
};

for (const [name, slip] of Object.entries(nodeSlips)) {
  test(`nodes: ${name}`, () => {
    const begun = '{"version":"v0.9","updateDataModel":{"surfaceId":"s","nodes":{';
    const text = `${begun}"root":{"t":"é"},"a":[1,{"z":",}"}],\n${slip},\n"c":{"text":"C"},"d":["*c"]}}}`;
    const after = '{"updateDataModel":{"surfaceId":"s","nodes":{"e":1}}}';
    for (const pieces of [1, 2, 3, 7, 30, text.length].flatMap((size) => [
      cut(`${text}\n${after}`, size),
      cut(new TextEncoder().encode(text + after), size),
    ])) {
      const surface = new Surface();
      const { ok, diagnostics } = pushed(surface, pieces);
      assert.equal(ok, false);
      const { b: _, ...nodes } = surface.store.export();
      assert.deepEqual(nodes, {
        root: { t: "é" },
        a: [1, { z: ",}" }],
        c: { text: "C" },
        d: ["*c"],
        e: 1,
      });
      assert.equal(diagnostics.length, name === "two in a row" ? 2 : 1);
      const at = text.indexOf(slip);
      for (const { code, location } of diagnostics) {
        assert.match(code, /^JSON|^HAM002$/);
        assert.ok(location.start >= at && location.start <= at + slip.length + 1);
      }
    }
  });
}

test("commas between components that are missing or too many are told, and cost nothing", () => {
  const [a, b, c] = ["root", "b", "c"].map((id) => `{"id":"${id}","component":"Text"}`);
  for (const [list, ...places] of [
    [`${a}${b}${c}`, a.length, a.length + b.length],
    [`${a},,${b} ,${c}`, a.length + 1],
    [`${a},${b},${c},`, a.length + b.length + c.length + 3],
    [`,${a},${b}, ${c}`, 0],
    [`${a},${b},${c}`],
  ]) {
    const head = '{"updateComponents":{"surfaceId":"s","components":[';
    const text = `${head}${list}]}}`;
    for (const size of [1, 7, text.length]) {
      const surface = new Surface();
      const { ok, diagnostics } = pushed(surface, cut(text, size));
      const told = diagnostics.map(({ code, location }) => [code, location.start - head.length]);
      assert.deepEqual(
        told,
        places.map((place) => ["JSON001", place]),
        list,
      );
      assert.equal(ok, places.length === 0);
      assert.equal(surface.store.check().length, 0);
      surface.receive({
        updateComponents: {
          surfaceId: "s",
          components: [{ id: "root", component: "Row", children: ["b", "c"] }],
        },
      });
      assert.deepEqual(
        surface.tree().children.map(({ component }) => component),
        ["Text", "Text"],
      );
    }
  }
});

test("a component is told of by its number among all, however the text is cut", () => {
  const list = '{"id":"root","component":"Text"},{"id":"a","omponent":"Text"},{"component":"Text"}';
  const text = `{"updateComponents":{"surfaceId":"s","components":[${list}]}}`;
  for (const size of [1, 7, 40, text.length]) {
    const { diagnostics } = pushed(new Surface(), cut(text, size));
    const at = diagnostics.map(({ location }) => location.pointer).filter(Boolean);
    assert.deepEqual(at, ["/updateComponents/components/1", "/updateComponents/components/2"]);
  }
});

test("a comma too much behind the last node is told, and takes no node with it", () => {
  const text = '{"updateDataModel":{"surfaceId":"s","nodes":{"a":1,"b":[2] ,\n}}}';
  for (const size of [1, 5, 30, text.length]) {
    const surface = new Surface();
    const { ok, diagnostics } = pushed(surface, cut(text, size));
    assert.equal(ok, false);
    assert.deepEqual(
      diagnostics.map(({ code, location }) => [code, location.start]),
      [["JSON001", text.indexOf("}")]],
      `${size}`,
    );
    assert.deepEqual(surface.store.export(), { a: 1, b: [2] });
  }
});

test("what comes of nodes with slips is the same wherever the text is cut", () => {
  const random = new Random(7);
  const slips = Object.values(nodeSlips).concat([
    "",
    " ",
    '"+gone":["*a"]',
    '"-l":{"from":1}',
    '"!*a":null',
  ]);
  const whole = [
    '"a":{"n":1}',
    '"a":["*b"]',
    '"b":"x"',
    '"!old":null',
    '"c": {"l":[1,{"z":",}"}]}',
  ];
  const outcome = (text, cuts, options) => {
    const surface = new Surface({ store: new HamStore(options) });
    surface.receive({ updateDataModel: { surfaceId: "s", nodes: { a: 1, l: ["*a"], old: 1 } } });
    const ends = [...cuts, text.length];
    const pieces = ends.map((end, nth) => text.slice(ends[nth - 1] ?? 0, end));
    const { ok, diagnostics } = pushed(surface, pieces);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const told = errors.map(({ code, location }) => [code, location]);
    return { ok, told, nodes: surface.store.export() };
  };
  for (let round = 0; round < 300; round += 1) {
    const nodes = Array.from({ length: 1 + random.below(5) }, () =>
      random.pick(random.chance(0.35) ? slips : whole),
    );
    const text = `{"updateDataModel":{"surfaceId":"s","nodes":{${nodes.join(random.pick([",", " ,\n "]))}}}}`;
    const options = random.pick([{}, { extensions: { listEdits: true } }]);
    const expected = outcome(text, [], options);
    const some = Array.from({ length: 4 }, () => random.below(text.length));
    const all = Array.from({ length: text.length - 1 }, (_, at) => at + 1);
    for (const cuts of [some.sort((a, b) => a - b), all])
      assert.deepEqual(outcome(text, cuts, options), expected, `${text} ${cuts}`);
  }
});

test("nodes that are told to be odd are taken, and are no slips", () => {
  const text = '{"updateDataModel":{"surfaceId":"s","nodes":{"a":{"x":1,"x":2},"c":1}}}';
  for (const size of [1, 9, text.length]) {
    const surface = new Surface();
    const { ok, diagnostics } = pushed(surface, cut(text, size));
    assert.ok(ok);
    assert.equal(new Surface().receive(text).diagnostics.length, diagnostics.length);
    assert.deepEqual(surface.store.export(), { a: { x: 2 }, c: 1 });
  }
});

test("what is broken costs what it is, however much of it there is", () => {
  const slips = Array.from({ length: 16_000 }, (_, nth) => (nth % 2 ? "None" : nth));
  const nodes = slips.map((slip, nth) => `"n${nth}":{"x":${slip}}`);
  const components = slips.map((slip, nth) => `{"id":"n${nth}","component":"Text","text":${slip}}`);
  for (const text of [
    `{"updateDataModel":{"surfaceId":"s","nodes":{${nodes}}}}`,
    `{"updateComponents":{"surfaceId":"s","components":[${components}]}}`,
  ]) {
    for (const size of [64, text.length]) {
      const start = process.cpuUsage();
      const { diagnostics } = pushed(new Surface(), cut(text, size));
      const { user, system } = process.cpuUsage(start);
      // Of one piece only the first are told.
      assert.equal(diagnostics.length, size === 64 ? 8_000 : 101);
      assert.ok(user + system < 8e6, `${(user + system) / 1e6} s`);
    }
  }
});

test("components that stand in one another are looked at once", () => {
  const inner = Array.from({ length: 20_000 }, (_, nth) => `{"id":"n${nth}","component":"Text"}`);
  const list = `{"id":"root","component":"X","items":[\n${inner.join(",\n")}\n]}`;
  const text = `{"updateComponents":{"surfaceId":"s","components":[\n${list}\n]}}`;
  for (const size of [64, text.length]) {
    const start = process.cpuUsage();
    assert.deepEqual(pushed(new Surface(), cut(text, size)), { ok: true, diagnostics: [] });
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 4e6, `${(user + system) / 1e6} s`);
  }
});

test("a list that is not closed is told to be", () => {
  const text =
    '{"updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text"}}}';
  for (const size of [1, text.length]) {
    const { diagnostics } = pushed(new Surface(), cut(text, size));
    assert.deepEqual(
      diagnostics.map(({ help, location }) => [help, location.start]),
      [["close the list with `]` first", text.length - 2]],
    );
  }
});

test("a message that is valid is never taken apart", () => {
  // Components that stand in one another are no use to a surface, but they are JSON.
  const inner = ["a", "b"].map(
    (id) => `{"id":"${id}","component":"Text","more":\n{"id":"x","component":"Y"}}`,
  );
  const list = `{"id":"root","component":"X","items":[\n${inner.join(",\n")}\n]},\n{"id":"c","component":"Text"}`;
  const text = `{"updateComponents":{"surfaceId":"s","components":[\n${list}\n]}}`;
  const whole = new Surface();
  whole.receive(text);
  for (const size of [1, 5, text.length]) {
    const surface = new Surface();
    assert.deepEqual(pushed(surface, cut(text, size)), { ok: true, diagnostics: [] });
    assert.deepEqual(surface.tree(), whole.tree());
  }
});

test("what stands before a broken node is taken, a deletion too", () => {
  const nodes = {
    '"c":2,"a":[fase],"b":2': { old: 1, c: 2, b: 2 },
    '"!old":null,"a":[fase],"b":2': { b: 2 },
    '"old":null , "a":[fase],"b":2': { old: null, b: 2 },
    '"!old":null,"c":1,"a":[fase],"d":{"x":3},"b":2': { c: 1, d: { x: 3 }, b: 2 },
    '"c":1,"n":[[1]]],"b":2': { old: 1, c: 1, n: [[1]], b: 2 },
  };
  for (const [slip, expected] of Object.entries(nodes)) {
    const text = `{"updateDataModel":{"surfaceId":"s","nodes":{${slip}}}}`;
    for (const size of [1, 5, 30, text.length]) {
      const surface = new Surface();
      surface.receive({ updateDataModel: { surfaceId: "s", nodes: { old: 1 } } });
      const { ok, diagnostics } = pushed(surface, cut(text, size));
      assert.equal(ok, false);
      assert.equal(diagnostics.length, 1);
      assert.deepEqual(surface.store.export(), expected, `${slip} ${size}`);
    }
  }
});

test("a message that is not closed ends where the next one begins, on the same line too", () => {
  const described =
    '{"version":"v1.0","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":"a"}]}}';
  const data = '{"updateDataModel":{"surfaceId":"s","nodes":{"root":{"t":1}';
  const created = '{"createSurface":{"surfaceId":"s","catalogId":"basic"';
  for (const [begun, closing, kept] of [
    [data, "}}}", { root: { t: 1 } }],
    [data, "}}", { root: { t: 1 } }],
    [data, "}", { root: { t: 1 } }],
    [data, "", { root: { t: 1 } }],
    [created, "}}", {}],
    [created, "}", {}],
  ]) {
    for (const around of [
      ["[", "]"],
      ['{"messages":[', "]}"],
      ["", ""],
    ]) {
      const text = `${around[0]}${begun}${closing}, ${described}${around[1]}`;
      for (const size of [1, 5, 30, text.length]) {
        const surface = new Surface();
        const { ok } = pushed(surface, cut(text, size));
        assert.equal(ok, closing === (begun === data ? "}}}" : "}}"), `${text} ${size}`);
        assert.deepEqual(surface.tree()?.props, { text: "a" }, `${text} ${size}`);
        assert.deepEqual(surface.store.export(), kept, `${text} ${size}`);
      }
    }
  }
});

test("what a model thinks before its messages is none of them", () => {
  const text =
    '<think>\nSo {"x": 1}, or {"updateDataModel":{"surfaceId":"s","nodes":{"a":1}}}?\n</think>\n{"updateDataModel":{"surfaceId":"s","nodes":{"b":"<think>"}}}\n{"updateDataModel":{"surfaceId":"s","nodes":{"c":2}}}';
  for (const size of [1, 5, 30, text.length]) {
    const surface = new Surface();
    const { ok, diagnostics } = pushed(surface, cut(text, size));
    assert.equal(ok, true);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ["HAM034"],
    );
    assert.deepEqual(surface.store.export(), { b: "<think>", c: 2 });
  }
});

test("an error in place of a message says what its sender said", () => {
  const text =
    'data: {"error":{"message":"The model is overloaded","code":503}}\n\ndata: {"updateDataModel":{"surfaceId":"s","nodes":{"b":1}}}\n\n';
  for (const size of [1, 9, text.length]) {
    const surface = new Surface();
    const { ok, diagnostics } = pushed(surface, cut(text, size));
    assert.equal(ok, false);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ["HAM029"],
    );
    assert.match(diagnostics[0].message, /returned an error: .*The model is overloaded/);
    assert.deepEqual(surface.store.export(), { b: 1 });
  }
});

test("one sign too many, or one too few, costs the same however the text is cut", () => {
  const messages = [
    { createSurface: { surfaceId: "s" } },
    {
      updateDataModel: {
        surfaceId: "s",
        nodes: { a: [[{ b: "c" }], [1]], root: ["*n", { d: 6 }] },
      },
    },
    {
      updateComponents: {
        surfaceId: "s",
        components: [{ id: "root", component: "Text", text: "{x}" }],
      },
    },
    { updateDataModel: { surfaceId: "s", nodes: { n: [{ r: 5 }], a: { d: 1 } } } },
  ];
  const lines = messages.map((message) => JSON.stringify(message)).join("\n");
  const outcome = (text, size) => {
    const surface = new Surface();
    pushed(surface, cut(text, size));
    return JSON.stringify([surface.store.export(), surface.tree()]);
  };
  const outcomes = new Set();
  const compare = (text) => {
    const whole = outcome(text, text.length);
    outcomes.add(whole);
    for (const size of [1, 13]) assert.equal(outcome(text, size), whole, `${size}: ${text}`);
  };
  for (const text of [lines, JSON.stringify({ messages })]) {
    for (let at = 1; at < text.length; at += 1) {
      if ('{}[],:"'.includes(text[at])) compare(text.slice(0, at) + text.slice(at + 1));
      const sign = '"]}[{,:'[at % 7];
      compare(text.slice(0, at) + sign + text.slice(at));
    }
    for (let at = 1; at < text.length; at += 1)
      if ("]}".includes(text[at])) compare(`${text.slice(0, at + 1)}"${text.slice(at + 1)}`);
  }
  assert.ok(outcomes.size > 10, `${outcomes.size} outcomes`);
});

test("a node whose id cannot be one is left out, wherever the text is cut", () => {
  for (const [bad, code] of [
    ['"*u":{"n":"U"}', "HAM002"],
    ['"":{"n":"U"}', "HAM002"],
  ]) {
    const nodes = `"root":{"t":"T"},${bad},"v":{"n":"V"}`;
    const text = `{"updateDataModel":{"surfaceId":"s","nodes":{${nodes}}}}`;
    for (const size of [1, 7, 40, text.length]) {
      const surface = new Surface();
      const { ok, diagnostics } = pushed(surface, cut(text, size));
      assert.equal(ok, false);
      assert.deepEqual(
        diagnostics.map((one) => [one.code, text.slice(one.location.start).startsWith(bad[0])]),
        [[code, true]],
        `${bad} in pieces of ${size}`,
      );
      assert.deepEqual(surface.store.export(), { root: { t: "T" }, v: { n: "V" } });
    }
  }
});
