// Typos of models in the middle of a message: the broken part is reported, and nothing else is
// lost, at every chunk size.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { cut, pushed } from "../messages.mjs";
import { Random } from "../random/random.mjs";

await init();

/** Components with a typo, the number of those that are accepted, and whether it is repaired. */
const componentSlips = {
  "an extra comma": ['{"id":"b","component":"Text","text":"B",}', 1, true],
  "an extra comma in a list": ['{"id":"b","component":"Text","tags":[1, {}, ]}', 1, true],
  "typographic quotes": ['{"id":“b”,“component”:"Text","text":„ a, ‟}', 1, true],
  "typographic quotes and a comment": ['{"id":“b”,"component":"Text" /* b */}', 0],
  "a comment": ['{"id":"b","component":"Text","text":"B"} // the second', 1],
  "single quotes": ["{'id':'b','component':'Text','text':'B'}", 0],
  "a value of Python": ['{"id":"b","component":"Text","text":None}', 0],
  "keys without quotes": ['{id:"b",component:"Text",text:"B"}', 0],
  "a missing comma": ['{"id":"b","component":"Text" "text":"B"}', 0],
  "quotes in a text": ['{"id":"b","component":"Text","text":"say "hi" now"}', 0],
  "a text on two lines": ['{"id":"b","component":"Text","text":"two\nlines"}', 0],
  "an omission": ['{"id":"b","component":"Text","text":"B"},\n  ...', 1],
  "an extra bracket": ['{"id":"b","component":"Text","text":"B"}}', 1],
  "a missing bracket": ['{"id":"b","component":"Text","text":"B"', 0],
  "a missing quote": ['{"id":"b","component":"Text","text":"B}', 0],
  "a missing bracket of a list": ['{"id":"b","component":"Row","children":["x"}', 0],
};

for (const [name, [typo, remaining, isRepaired = false]] of Object.entries(componentSlips)) {
  for (const around of [
    ['{"updateComponents":{"surfaceId":"s","components":[\n', "]}}"],
    ['{\n "createSurface": {\n  "surfaceId": "s", "components": [', "\n  ]\n }\n}"],
    ['{"updateComponents":{"surfaceId":"s","components":[', "]}}"],
  ]) {
    const isLine = !around[0].includes("\n");
    const layout = isLine ? "on one line" : around[0].includes("create") ? "set in" : "on lines";
    test(`components: accepts the rest despite ${name}, ${layout}`, () => {
      const others = ['{"id":"root","component":"Column","children":["a","b","c"]}'];
      for (const id of ["a", "c"]) others.push(`{"id":"${id}","component":"Text","text":"${id}"}`);
      const list = [others[0], others[1], typo, others[2]].join(isLine ? "," : ",\n  ");
      const data = '{"updateDataModel":{"surfaceId":"s","nodes":{"root":{"n":1}}}}';
      const text = `${around[0]}${isLine ? "" : "  "}${list}${around[1]}\n${data}`;
      for (const target of [(surface) => surface, (surface) => a2uiTarget(surface)]) {
        for (const size of [1, 7, 64, text.length]) {
          const surface = new Surface();
          const { ok, diagnostics } = pushed(target(surface), cut(text, size));
          const errors = diagnostics.filter(({ severity }) => severity === "error");
          // A translator rejects the nodes of the last message.
          const others = errors.filter((one) => one.code !== "A2UI009");
          assert.deepEqual([ok, others.length], [errors.length === 0, isRepaired ? 0 : 1]);
          assert.deepEqual(
            surface.tree().children.map(({ component }) => component),
            ["Text", remaining ? "Text" : "", "Text"],
            `${size}`,
          );
          const found = diagnostics.filter(({ code }) => code.startsWith("JSON"));
          const [{ code, severity, location }, ...more] = found;
          assert.deepEqual(more, []);
          assert.deepEqual([code === "JSON015", severity === "warning"], [isRepaired, isRepaired]);
          const at = text.indexOf(typo);
          assert.ok(location.start >= at && location.start <= at + typo.length + 3, `${size}`);
          if (target(surface) === surface) assert.deepEqual(surface.store.get("root"), { n: 1 });
        }
      }
    });
  }
}

const nodeSlips = {
  "an extra comma": '"b":{"x":1,}',
  "a comment": '"b":{"x":1} // the second',
  "single quotes": "'b':{'x':1}",
  "a value of Python": '"b":{"x":None}',
  "an invalid number": '"b":NaN',
  "a missing comma": '"b":{"x":1 "y":2}',
  "quotes in a text": '"b":{"x":"say "hi" now"}',
  "a text on two lines": '"b":{"x":"two\nlines"}',
  "two adjacent typos": '"b":{"x":nil},"b2":{x:1}',
  "a pointer as an id": '"*b":{"x":1,"y":[1,2]}',
  "an empty id": '"" : {"x":1}',
  "a deletion of nothing": '"!":null',
};

for (const [name, typo] of Object.entries(nodeSlips)) {
  test(`nodes: accepts the rest despite ${name}`, () => {
    const prefix = '{"version":"v0.9","updateDataModel":{"surfaceId":"s","nodes":{';
    const text = `${prefix}"root":{"t":"é"},"a":[1,{"z":",}"}],\n${typo},\n"c":{"text":"C"},"d":["*c"]}}}`;
    const after = '{"updateDataModel":{"surfaceId":"s","nodes":{"e":1}}}';
    for (const chunks of [1, 2, 3, 7, 30, text.length].flatMap((size) => [
      cut(`${text}\n${after}`, size),
      cut(new TextEncoder().encode(text + after), size),
    ])) {
      const surface = new Surface();
      const { ok, diagnostics } = pushed(surface, chunks);
      assert.equal(ok, false);
      const { b: _, ...nodes } = surface.store.export();
      assert.deepEqual(nodes, {
        root: { t: "é" },
        a: [1, { z: ",}" }],
        c: { text: "C" },
        d: ["*c"],
        e: 1,
      });
      assert.equal(diagnostics.length, name === "two adjacent typos" ? 2 : 1);
      const at = text.indexOf(typo);
      for (const { code, location } of diagnostics) {
        assert.match(code, /^JSON|^HAM002$/);
        assert.ok(location.start >= at && location.start <= at + typo.length + 1);
      }
    }
  });
}

test("reports missing and extra commas between components, and loses nothing", () => {
  const [a, b, c] = ["root", "b", "c"].map((id) => `{"id":"${id}","component":"Text"}`);
  for (const [list, ...offsets] of [
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
      const located = diagnostics.map(({ code, location }) => [code, location.start - head.length]);
      const isTrailing = list.endsWith(",");
      assert.deepEqual(
        located,
        offsets.map((place) => [isTrailing ? "JSON015" : "JSON001", place]),
        list,
      );
      assert.equal(ok, isTrailing || offsets.length === 0);
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

test("repairs messages without components, and only outside of strings", () => {
  const create = '{“createSurface”: {"surfaceId": “s”,},}';
  const text = `${create}{"updateComponents":{"surfaceId":"s","components":[
    {"id":"root","component":"Text","text":"“a”,]’"}
  ],},}`;
  for (const size of [1, 7, text.length]) {
    const surface = new Surface();
    const { ok, diagnostics } = pushed(surface, cut(text, size));
    const located = diagnostics.map(({ code, location }) => [code, text.charAt(location.start)]);
    const [comma, quote] = [
      ["JSON015", "}"],
      ["JSON015", "“"],
    ];
    assert.deepEqual([ok, located], [true, [comma, comma, quote, comma, comma]], `${size}`);
    assert.equal(surface.tree().props.text, "“a”,]’");
  }
  // Two commas are not a trailing one, and a comma without a value before it is not either.
  for (const other of ['{"createSurface":{"surfaceId":"s",,}}', '{"createSurface":{,}}']) {
    const { ok, diagnostics } = pushed(new Surface(), cut(other, 5));
    assert.deepEqual([ok, diagnostics.map(({ code }) => code)], [false, ["JSON001"]], other);
  }
});

test("the report of a component has its index among all, at every chunk size", () => {
  const list = '{"id":"root","component":"Text"},{"id":"a","omponent":"Text"},{"component":"Text"}';
  const text = `{"updateComponents":{"surfaceId":"s","components":[${list}]}}`;
  for (const size of [1, 7, 40, text.length]) {
    const { diagnostics } = pushed(new Surface(), cut(text, size));
    const at = diagnostics.map(({ location }) => location.pointer).filter(Boolean);
    assert.deepEqual(at, ["/updateComponents/components/1", "/updateComponents/components/2"]);
  }
});

test("reports an extra comma after the last node, and loses no node", () => {
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

test("the result of nodes with typos is the same at every chunk size", () => {
  const random = new Random(7);
  const typos = Object.values(nodeSlips).concat([
    "",
    " ",
    '"+gone":["*a"]',
    '"-l":{"from":1}',
    '"!*a":null',
  ]);
  const valid = [
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
    const chunks = ends.map((end, nth) => text.slice(ends[nth - 1] ?? 0, end));
    const { ok, diagnostics } = pushed(surface, chunks);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const located = errors.map(({ code, location }) => [code, location]);
    return { ok, located, nodes: surface.store.export() };
  };
  for (let round = 0; round < 300; round += 1) {
    const nodes = Array.from({ length: 1 + random.below(5) }, () =>
      random.pick(random.chance(0.35) ? typos : valid),
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

test("accepts unusual nodes with a warning, and not as typos", () => {
  const text = '{"updateDataModel":{"surfaceId":"s","nodes":{"a":{"x":1,"x":2},"c":1}}}';
  for (const size of [1, 9, text.length]) {
    const surface = new Surface();
    const { ok, diagnostics } = pushed(surface, cut(text, size));
    assert.ok(ok);
    assert.equal(new Surface().receive(text).diagnostics.length, diagnostics.length);
    assert.deepEqual(surface.store.export(), { a: { x: 2 }, c: 1 });
  }
});

test("broken messages take linear time", () => {
  const typos = Array.from({ length: 16_000 }, (_, nth) => (nth % 2 ? "None" : nth));
  const nodes = typos.map((typo, nth) => `"n${nth}":{"x":${typo}}`);
  const components = typos.map((typo, nth) => `{"id":"n${nth}","component":"Text","text":${typo}}`);
  for (const text of [
    `{"updateDataModel":{"surfaceId":"s","nodes":{${nodes}}}}`,
    `{"updateComponents":{"surfaceId":"s","components":[${components}]}}`,
  ]) {
    for (const size of [64, text.length]) {
      const start = process.cpuUsage();
      const { diagnostics } = pushed(new Surface(), cut(text, size));
      const { user, system } = process.cpuUsage(start);
      // Only the first ones of a chunk are reported.
      assert.equal(diagnostics.length, size === 64 ? 8_000 : 101);
      assert.ok(user + system < 8e6, `${(user + system) / 1e6} s`);
    }
  }
});

test("nested components are parsed once", () => {
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

test("reports a list that is not closed", () => {
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

test("a valid message is never repaired", () => {
  // A surface cannot use nested components, but they are JSON.
  const inner = ["a", "b"].map(
    (id) => `{"id":"${id}","component":"Text","more":\n{"id":"x","component":"Y"}}`,
  );
  const list = `{"id":"root","component":"X","items":[\n${inner.join(",\n")}\n]},\n{"id":"c","component":"Text"}`;
  const text = `{"updateComponents":{"surfaceId":"s","components":[\n${list}\n]}}`;
  const complete = new Surface();
  complete.receive(text);
  for (const size of [1, 5, text.length]) {
    const surface = new Surface();
    assert.deepEqual(pushed(surface, cut(text, size)), { ok: true, diagnostics: [] });
    assert.deepEqual(surface.tree(), complete.tree());
  }
});

test("accepts what precedes a broken node, also a deletion", () => {
  const nodes = {
    '"c":2,"a":[fase],"b":2': { old: 1, c: 2, b: 2 },
    '"!old":null,"a":[fase],"b":2': { b: 2 },
    '"old":null , "a":[fase],"b":2': { old: null, b: 2 },
    '"!old":null,"c":1,"a":[fase],"d":{"x":3},"b":2': { c: 1, d: { x: 3 }, b: 2 },
    '"c":1,"n":[[1]]],"b":2': { old: 1, c: 1, n: [[1]], b: 2 },
  };
  for (const [typo, expected] of Object.entries(nodes)) {
    const text = `{"updateDataModel":{"surfaceId":"s","nodes":{${typo}}}}`;
    for (const size of [1, 5, 30, text.length]) {
      const surface = new Surface();
      surface.receive({ updateDataModel: { surfaceId: "s", nodes: { old: 1 } } });
      const { ok, diagnostics } = pushed(surface, cut(text, size));
      assert.equal(ok, false);
      assert.equal(diagnostics.length, 1);
      assert.deepEqual(surface.store.export(), expected, `${typo} ${size}`);
    }
  }
});

test("a message that is not closed ends where the next one begins, on the same line too", () => {
  const described =
    '{"version":"v1.0","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":"a"}]}}';
  const data = '{"updateDataModel":{"surfaceId":"s","nodes":{"root":{"t":1}';
  const created = '{"createSurface":{"surfaceId":"s","catalogId":"basic"';
  for (const [prefix, closing, remaining] of [
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
      const text = `${around[0]}${prefix}${closing}, ${described}${around[1]}`;
      for (const size of [1, 5, 30, text.length]) {
        const surface = new Surface();
        const { ok } = pushed(surface, cut(text, size));
        assert.equal(ok, closing === (prefix === data ? "}}}" : "}}"), `${text} ${size}`);
        assert.deepEqual(surface.tree()?.props, { text: "a" }, `${text} ${size}`);
        assert.deepEqual(surface.store.export(), remaining, `${text} ${size}`);
      }
    }
  }
});

test("skips the thinking of a model before its messages", () => {
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

test("reports the sender's text of an error in place of a message", () => {
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

test("an extra or missing character gives the same result at every chunk size", () => {
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
    const complete = outcome(text, text.length);
    outcomes.add(complete);
    for (const size of [1, 13]) assert.equal(outcome(text, size), complete, `${size}: ${text}`);
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

test("skips a node with an invalid id, at every chunk size", () => {
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
