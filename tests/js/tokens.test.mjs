// Figures of docs/tokens.md: they equal those counted here, and every format of an edit leads to
// the same data. With BLESS=1 the tables of the page are rewritten.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { HamStore, init } from "byname";
import { FromA2ui } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { compileExpress, expressGbnf, expressPrompt } from "byname/express";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { createServer } from "vite";
import { exampleEdits, formats as exampleFormats, hasExamples } from "../a2ui/example-edits.mjs";

await init();
const root = fileURLToPath(new URL("../..", import.meta.url));
const server = await createServer({
  root,
  configFile: false,
  logLevel: "error",
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, watch: null, ws: false, hmr: false },
});
const { fieldsOf, firstNodes, formatNames, listEdits } =
  await server.ssrLoadModule("/www/tokens/formats.ts");
const { measureEdits } = await server.ssrLoadModule("/www/tokens/measure.ts");
await server.close();

const sizes = [5, 20, 100];
const count = (text) => encode(text).length;

test("every format of an edit leads to the same data", () => {
  for (const size of sizes) {
    const [load, ...rest] = listEdits(size);
    for (const { name, written, users } of [load, ...rest]) {
      const expected = { users: users.map(fieldsOf) };
      for (const one of written) {
        const { format } = one;
        const model = dataAfter(format, name === "first load" ? [] : load.users, one);
        assert.deepEqual(model, expected, `${name} in ${format}`);
      }
    }
  }
});

/** Returns the data of a message that creates a surface as an update of the data. */
function withDataAlone({ createSurface, ...message }) {
  if (createSurface === undefined) return message;
  return { updateDataModel: { path: "/", value: createSurface.dataModel } };
}

/** Returns the data after the messages of an edit. */
function dataAfter(format, users, written) {
  const { text } = written;
  const messages =
    format === "Express"
      ? compileExpress(text, { catalog: basicCatalog }).messages.map(withDataAlone)
      : written.messages;
  const sent = messages.filter((message) => !message.updateComponents);
  if (format.startsWith("HAM")) {
    const store = new HamStore({ extensions: { listEdits: format !== "HAM" } });
    if (users.length > 0) store.apply(firstNodes(users));
    for (const message of sent) assert.ok(store.apply(message).ok, JSON.stringify(message));
    // A pointer to a deleted node displays no row.
    const rows = store.children({ binding: { key: "users" }, template: "card" });
    return { users: rows.map(({ context }) => store.read({}, context).value) };
  }
  if (format === "JSON Patch") {
    let model = { users: users.map(fieldsOf) };
    for (const { op, path, from, value } of sent.flatMap((one) => one.patchDataModel.patch)) {
      if (path === "") model = value;
      else {
        const [, , at, key] = path.split("/");
        if (op === "replace") model.users[at][key] = value;
        else if (op === "remove") model.users.splice(Number(at), 1);
        else if (op === "add") model.users.splice(Number(at), 0, value);
        else if (op === "move") {
          model.users.splice(Number(at), 0, ...model.users.splice(Number(from.split("/")[2]), 1));
        } else assert.fail(op);
      }
    }
    return model;
  }
  const translator = new FromA2ui();
  const store = new HamStore();
  const value = { users: users.map(fieldsOf) };
  for (const message of [{ updateDataModel: { path: "/", value } }, ...sent]) {
    for (const one of translator.translate(message).messages)
      store.apply(one.updateDataModel.nodes);
  }
  return store.toJSON();
}

test("docs/tokens.md has the figures of the examples of A2UI", {
  skip: hasExamples ? false : "the folder of the examples is missing",
}, () => {
  const url = new URL("../../docs/tokens.md", import.meta.url);
  const page = readFileSync(url, "utf8");
  const edits = exampleEdits();
  const rows = Object.entries(edits).map(([edit, texts]) => {
    assert.ok(texts.length > 5, edit);
    const sums = exampleFormats.map((_, at) => texts.reduce((sum, one) => sum + count(one[at]), 0));
    const cells = sums.map((sum) => (sum === Math.min(...sums) ? `**${sum}**` : sum));
    return `| ${edit} (${texts.length}) | ${cells.join(" | ")} |`;
  });
  const head = `| edit (examples) | ${exampleFormats.join(" | ")} |\n|---|${exampleFormats.map(() => "---|").join("")}`;
  const updated = page.replace(
    /(<!-- examples -->\n)[\s\S]*?(<!-- end of the examples -->)/,
    (_, start, end) => `${start}\n${[head, ...rows].join("\n")}\n\n${end}`,
  );
  if (process.env.BLESS) writeFileSync(url, updated);
  else assert.equal(page, updated, "run `BLESS=1 node --test tests/js/tokens.test.mjs`");
});

test("docs/tokens.md has the counted figures", () => {
  const url = new URL("../../docs/tokens.md", import.meta.url);
  const page = readFileSync(url, "utf8");
  const tables = sizes.map(
    (size) => `### ${size} rows\n\n${markdownTable(measureEdits(size, count))}`,
  );
  const prompts = [
    ["`basicCatalog.prompt()`", basicCatalog.prompt()],
    [
      '`basicCatalog.prompt({ messages: ["updateDataModel"] })`',
      basicCatalog.prompt({ messages: ["updateDataModel"] }),
    ],
    ["`basicCatalog.schema()`, as JSON", JSON.stringify(basicCatalog.schema())],
    ["`basicCatalog.gbnf()`", basicCatalog.gbnf()],
    ["`expressPrompt(basicCatalog)`", expressPrompt(basicCatalog)],
    ["`expressGbnf(basicCatalog)`", expressGbnf(basicCatalog)],
  ];
  const lines = prompts.map(([what, text]) => `| ${what} | ${count(text)} | ${text.length} |`);
  const promptSizes = ["| text | tokens | characters |", "|---|---|---|", ...lines].join("\n");
  const counted = `${tables.join("\n\n")}\n\n### Prompts, schemas and grammars\n\n${promptSizes}\n`;
  const updated = page.replace(
    /(<!-- counted -->\n)[\s\S]*(<!-- end -->)/,
    (_, start, end) => `${start}\n${counted}\n${end}`,
  );
  if (process.env.BLESS) writeFileSync(url, updated);
  else assert.equal(page, updated, "run `BLESS=1 node --test tests/js/tokens.test.mjs`");
});

function markdownTable(measured) {
  const head = `| edit | ${formatNames.join(" | ")} |\n|---|${formatNames.map(() => "---|").join("")}`;
  const rows = measured.map(({ edit, counts }) => {
    const least = Math.min(...counts.map(({ tokens }) => tokens));
    const cells = counts.map(({ tokens, bytes }) =>
      tokens === least ? `**${tokens}** (${bytes} B)` : `${tokens} (${bytes} B)`,
    );
    return `| ${edit} | ${cells.join(" | ")} |`;
  });
  return [head, ...rows].join("\n");
}

test("the statements of the page about the tables are true", () => {
  const of = (rows) =>
    Object.fromEntries(
      measureEdits(rows, count).map(({ edit, counts }) => [
        edit,
        Object.fromEntries(counts.map(({ format, tokens }) => [format, tokens])),
      ]),
    );
  for (const rows of [20, 100]) {
    const all = of(rows);
    // It loses the first load, to both.
    assert.ok(all["first load"].HAM > all["first load"].A2UI);
    // It wins every edit of the list against A2UI.
    for (const edit of [
      "insert a row at the front",
      "move the last row to the front",
      "delete a row in the middle",
    ]) {
      assert.ok(all[edit].HAM < all[edit].A2UI, edit);
    }
    // Complete lists of pointers lose to JSON Patch, list edits stay near it.
    assert.ok(
      all["insert a row at the front"].HAM > all["insert a row at the front"]["JSON Patch"],
    );
  }
});
