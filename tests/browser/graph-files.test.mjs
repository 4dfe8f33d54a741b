// Files opened in the graph workbench of the built playground.
import assert from "node:assert/strict";
import { testExample, textFile } from "./graph-page.mjs";

testExample("graph files are opened, and other files are reported", "paths", async (page, the) => {
  const input = page.locator("#graph-file");
  await input.setInputFiles(textFile("bad.json", '{"hello": 1}'));
  await page.getByRole("alert").getByText("is not a readable graph").waitFor();
  assert.match(await page.getByRole("alert").textContent(), /missing list nodes.*write/);
  assert.match(await page.locator("#graph-counts").textContent(), /37 nodes/);
  await input.setInputFiles(textFile("picture.png", "not a graph"));
  await page.getByRole("alert").getByText("missing columns").waitFor();
  await input.setInputFiles([
    textFile("edges.csv", "source,target,kind\na,b,KNOWS\nb,c,KNOWS\n"),
    textFile("nodes.csv", "id,type\na,P\nb,P\nc,Q\n"),
  ]);
  await page.locator("#graph-counts").getByText("3 nodes, 2 edges").waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
  await the.end();
  assert.equal(await page.locator("#graph-rows tbody tr").count(), 2);
  assert.match(await page.locator("#graph-rows").textContent(), /sorts 2links 2/);
  assert.equal(await page.locator(".drawing .graph-node").count(), 3);
  await page.locator("#examples").selectOption("paths");
  await page.locator("#graph-counts").getByText("37 nodes").waitFor();
});

testExample("a node table alone requests its edge table", "paths", async (page) => {
  const buffer = Buffer.from("id,type\na,P\n");
  await page
    .locator("#graph-file")
    .setInputFiles({ name: "nodes.csv", mimeType: "text/csv", buffer });
  const words = await page.getByRole("alert").textContent();
  assert.match(words, /choose the node table and the edge table together/);
});

testExample(
  "binary and oversized files are reported, and the graph stays",
  "paths",
  async (page) => {
    const input = page.locator("#graph-file");
    const alert = page.getByRole("alert");
    const bytes = Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 73) % 256));
    for (const [name, words] of [
      ["photo.json", /is not a readable graph/],
      ["photo.graphml", /is not a readable graph/],
      ["photo.csv", /is not a readable graph/],
      ["photo.bin", /is not a readable graph/],
    ]) {
      await input.setInputFiles({ name, mimeType: "application/octet-stream", buffer: bytes });
      await alert.getByText(words).waitFor();
      assert.match(await alert.textContent(), new RegExp(name));
      assert.match(await page.locator("#graph-counts").textContent(), /37 nodes/);
    }
    // Fakes the size of a file, because a page cannot contain one so large.
    await page.evaluate(() => {
      const huge = new File(["{}"], "huge.json");
      Object.defineProperty(huge, "size", { value: 3_000_000_000 });
      const event = new DragEvent("drop", { bubbles: true, cancelable: true });
      Object.defineProperty(event, "dataTransfer", { value: { files: [huge], types: ["Files"] } });
      document.querySelector("#graph-picture").dispatchEvent(event);
    });
    await alert.getByText(/huge.json.*3,000 MB.*the limit is/).waitFor();
    assert.match(await page.locator("#graph-counts").textContent(), /37 nodes/);
  },
);

testExample("a dropped file is opened", "paths", async (page) => {
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    const text =
      '<graphml><graph edgedefault="directed"><node id="x"/><node id="y"/><edge source="x" target="y"/></graph></graphml>';
    transfer.items.add(new File([text], "two.graphml"));
    return transfer;
  });
  await page.dispatchEvent("#graph-picture", "drop", { dataTransfer: dropped });
  await page.locator("#graph-counts").getByText("two.graphml: 2 nodes, 1 edge").waitFor();
});

testExample("the first plan of a file with unusual names runs", "paths", async (page) => {
  const nodes = ["a", "b", "c"].map((id) => ({ id, "ty`pe": id === "a" ? "P" : "Q" }));
  const text = JSON.stringify({ nodes, links: [{ source: "a", target: "b" }] });
  await page.locator("#graph-file").setInputFiles(textFile("odd\nname.json", text));
  await page.locator("#graph-counts").getByText("3 nodes, 1 edge").waitFor();
  await page.locator("#graph-title").getByText("Done").waitFor();
  assert.equal(await page.locator("#graph-diagnostics .problem").count(), 0);
});

testExample("a model dropped on a graph is opened as a model", "paths", async (page) => {
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["GGUF"], "tiny.gguf"));
    return transfer;
  });
  await page.dispatchEvent("#graph-picture", "drop", { dataTransfer: dropped });
  await page.getByRole("dialog").waitFor();
  await page.locator("#graph-import-report").waitFor({ state: "hidden" });
});

testExample(
  "a large graph is drawn as the result and its neighbourhood",
  "paths",
  async (page, the) => {
    const nodes = Array.from({ length: 6000 }, (_, index) => ({ id: `n${index}`, type: "N" }));
    const links = nodes.map(({ id }, index) => ({
      source: id,
      target: `n${(index * 7 + 1) % 6000}`,
    }));
    await page
      .locator("#graph-file")
      .setInputFiles(textFile("big.json", JSON.stringify({ nodes, links })));
    await page.locator("#graph-counts").getByText("6,000 nodes").waitFor();
    await the.dot(1);
    await page
      .locator(".picture-note")
      .getByText(/^The result and its neighbours/)
      .waitFor();
    assert.equal(await the.lit(), 20);
    assert.ok((await page.locator(".drawing .graph-node").count()) <= 300);
  },
);

const formats = {
  GraphML:
    '<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>',
  GEXF: '<gexf><graph><nodes><node id="a"/><node id="b"/></nodes><edges><edge source="a" target="b"/></edges></graph></gexf>',
  "node-link JSON": { nodes: [{ id: "a" }, { id: "b" }], links: [{ source: "a", target: "b" }] },
  "adjacency JSON": {
    directed: true,
    multigraph: false,
    graph: [],
    nodes: [{ id: "a" }, { id: "b" }],
    adjacency: [[{ id: "b" }], []],
  },
  "Graphology JSON": {
    options: { type: "directed" },
    nodes: [{ key: "a" }, { key: "b" }],
    edges: [{ source: "a", target: "b" }],
  },
  "Cytoscape JSON": {
    elements: {
      nodes: [{ data: { id: "a" } }, { data: { id: "b" } }],
      edges: [{ data: { source: "a", target: "b" } }],
    },
  },
  "vis-network JSON": {
    nodes: [
      { id: "a", label: "A" },
      { id: "b", label: "B" },
    ],
    edges: [{ from: "a", to: "b" }],
  },
  "JSON Graph Format": {
    graph: { nodes: { a: {}, b: {} }, edges: [{ source: "a", target: "b" }] },
  },
  CSV: "source,target\na,b\n",
};

testExample("each format opens, and its name is shown", "paths", async (page) => {
  let count = 0;
  for (const [format, source] of Object.entries(formats)) {
    const text = typeof source === "string" ? source : JSON.stringify(source);
    const name = `file-${++count}.txt`;
    await page.locator("#graph-file").setInputFiles(textFile(name, text));
    await page.locator("#graph-counts").getByText(`${name}: 2 nodes, 1 edge`).waitFor();
    assert.equal(await page.locator(".read-as").textContent(), `Read as ${format}`);
  }
  await page.locator("#examples").selectOption("paths");
  await page.locator("#graph-counts").getByText("37 nodes").waitFor();
  assert.equal(await page.locator(".read-as").textContent(), "");
});

testExample("all messages about a file can be read, with their help", "paths", async (page) => {
  const nodes = Array.from({ length: 6 }, (_, index) => `n${index},1,${index}`);
  const text = `id,id,id\n${nodes.join("\n")}\n`;
  await page
    .locator("#graph-file")
    .setInputFiles([
      textFile("nodes.csv", text),
      textFile("edges.csv", "source,target,target\nn0,x,\n,n1,\nn2,n3,4,5\n"),
    ]);
  await page.locator(".read-as").getByText("Read as CSV").waitFor();
  const report = page.locator("#graph-import-report");
  const shown = await report.locator("p.muted").count();
  await report.locator("summary").click();
  await page.waitForFunction(
    (before) => document.querySelectorAll("#graph-import-report p.muted").length > before,
    shown,
  );
  await report.getByRole("button", { name: "Close" }).click();
  await report.waitFor({ state: "hidden" });
});

testExample("the user chooses between two readings of a file", "paths", async (page) => {
  const nodes = [{ id: 1 }, { id: 2 }];
  const text = JSON.stringify({ nodes, links: [{ source: 0, target: 1 }] });
  const input = page.locator("#graph-file");
  await input.setInputFiles(textFile("two.json", text));
  await page.getByRole("button", { name: "Ends are positions" }).click();
  await page.locator("#graph-counts").getByText("two.json: 2 nodes, 1 edge").waitFor();
  await input.setInputFiles(textFile("two.json", text));
  await page.getByRole("button", { name: "Ends are ids" }).click();
  await page.locator("#graph-counts").getByText("two.json: 3 nodes, 1 edge").waitFor();
});
