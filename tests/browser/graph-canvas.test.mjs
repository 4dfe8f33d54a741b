// Drawing of large graphs on a canvas, and measures as size and colour, in the built playground.
import assert from "node:assert/strict";
import { testExample, textFile } from "./graph-page.mjs";

/** Returns a directed graph of blocks with few edges between them. */
function blockGraph(nodeCount, edgeCount) {
  const nodes = Array.from({ length: nodeCount }, (_, index) => ({
    id: `n${index}`,
    type: index % 2 === 0 ? "P" : "Q",
    weight: index % 11,
  }));
  const links = Array.from({ length: edgeCount }, (_, index) => {
    const source = index % nodeCount;
    const block = source - (source % 50);
    const target = index % 7 === 0 ? (index * 131) % nodeCount : block + ((index * 17) % 50);
    return { source: `n${source}`, target: `n${target}` };
  });
  return textFile("large.json", JSON.stringify({ directed: true, nodes, links }));
}

/** Opens a file and waits until its layout is complete and painted. */
async function openLarge(page, file) {
  await page.locator("#graph-file").setInputFiles(file);
  await page.locator("canvas.drawing").waitFor();
  await page.locator("canvas.drawing:not([aria-busy])[data-painted]").waitFor();
  await page.locator("#graph-title").getByText("Done").waitFor();
  await paintSettled(page);
}

/** Waits until the canvas is not painted again for some frames. */
async function paintSettled(page) {
  const painted = () => page.locator("canvas.drawing").getAttribute("data-painted");
  for (let before = ""; before !== (await painted()); ) {
    before = await painted();
    await page.waitForTimeout(400);
  }
}

testExample("3,000 nodes are drawn on a canvas without long tasks", "paths", async (page, the) => {
  await page.evaluate(() => {
    globalThis.tasks = [];
    new PerformanceObserver((list) => {
      tasks.push(...list.getEntries().map(({ startTime, duration }) => ({ startTime, duration })));
    }).observe({ type: "longtask" });
  });
  // The least of three attempts, because other processes can delay a task.
  let longest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && longest >= 200; attempt++)
    longest = Math.min(longest, await longestLayoutTask(page));
  assert.ok(longest < 200, `the longest task lasts ${longest} ms`);
  assert.equal(await page.locator("svg.drawing").count(), 0);
  await the.end();
  assert.match(
    await page.locator("canvas.drawing").getAttribute("aria-label"),
    /^3,000 nodes and 12,000 edges; \d+ nodes are in the current result/,
  );
  // The small graph of the example is SVG again.
  await page.locator("#examples").selectOption("paths");
  await page.locator("svg.drawing .graph-node").first().waitFor();
  assert.equal(await page.locator("canvas.drawing").count(), 0);
});

/** Returns the milliseconds of the longest task after the first drawing. */
async function longestLayoutTask(page) {
  await page.locator("#graph-file").setInputFiles(blockGraph(3000, 12_000));
  await page.locator("canvas.drawing[aria-busy]").waitFor();
  const start = await page.evaluate(() => performance.now());
  await page.locator("canvas.drawing:not([aria-busy])").waitFor();
  await paintSettled(page);
  return await page.evaluate((from) => {
    const later = tasks.filter(({ startTime }) => startTime > from);
    return Math.max(0, ...later.map(({ duration }) => duration));
  }, start);
}

testExample("a click, a key and a row select a node of the canvas", "paths", async (page) => {
  await openLarge(page, blockGraph(400, 800));
  const canvas = page.locator("canvas.drawing");
  const card = page.locator("#graph-picture .detail");
  await page.locator("#graph-rows .place").first().click();
  const [chosen] = await Promise.all([card.getAttribute("aria-label"), card.waitFor()]);
  await page.keyboard.press("Escape");
  await canvas.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const announced = await page.locator(".announced").textContent();
  await page.keyboard.press("Enter");
  await card.waitFor();
  assert.match(chosen, /^n\d+$/);
  assert.ok(announced.startsWith(`${await card.getAttribute("aria-label")}, `), announced);
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "hidden" });
  // The name under the pointer comes from the same search as the click.
  const box = await canvas.boundingBox();
  const target = await findNode(page, canvas, box);
  await page.mouse.click(box.x + target.x, box.y + target.y);
  await card.waitFor();
  assert.equal(await card.getAttribute("aria-label"), target.name);
});

async function findNode(page, canvas, { x, y, width, height }) {
  for (let down = 0.3; down < 0.7; down += 0.04) {
    for (let across = 0.2; across < 0.6; across += 0.02) {
      await page.mouse.move(x + width * across, y + height * down);
      const name = await canvas.getAttribute("title");
      if (name) return { x: width * across, y: height * down, name };
    }
  }
  throw new Error("no node is under the pointer");
}

testExample("panning moves the image", "paths", async (page) => {
  await openLarge(page, blockGraph(400, 800));
  const canvas = page.locator("canvas.drawing");
  const box = await canvas.boundingBox();
  const target = await findNode(page, canvas, box);
  const [x, y] = [box.x + target.x, box.y + target.y];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y + 30, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(x + 41, y + 30);
  await page.mouse.move(x + 40, y + 30);
  assert.equal(await canvas.getAttribute("title"), target.name);
});

testExample("a measure is shown as size and colour of the nodes", "paths", async (page, the) => {
  const radius = (id) =>
    page.locator(`.graph-node[data-id="${id}"] path`).evaluate((path) => path.getBBox().width / 2);
  const fill = (id) =>
    page
      .locator(`.graph-node[data-id="${id}"] path`)
      .evaluate((path) => getComputedStyle(path).fill);
  const before = await radius("Ada Lind");
  await page.locator("#graph-size").selectOption({ label: "since" });
  await page.locator("#graph-colour").selectOption({ label: "citations" });
  // 2009 and 2023 of the range from 2007 to 2023.
  await page.waitForFunction(
    () => document.querySelector('.graph-node[data-id="Oda Ruiz"] path').getBBox().width / 2 > 15.9,
  );
  assert.notEqual(await radius("Ada Lind"), before);
  assert.ok((await radius("Ada Lind")) < (await radius("Oda Ruiz")));
  const legend = page.locator("#graph-picture .legend");
  assert.match(await legend.textContent(), /size: since 2007 – 2023, 22 without/);
  assert.match(await legend.textContent(), /colour: citations 3 – 73, 24 without/);
  const [few, many] = ["The flood of 1825", "Storms that come twice"];
  assert.notEqual(await fill(few), await fill(many));
  await page.locator("#graph-size").selectOption({ label: "none" });
  assert.doesNotMatch(await legend.textContent(), /size:/);
  // A column of the current result, which a later result does not have.
  await the.write("FIND nodes WHERE citations > 40 AS cited\nFIND edges LIMIT 2 AS some");
  await the.press("Run");
  await the.dot(1);
  await page
    .locator("#graph-size")
    .selectOption(
      await page
        .locator("#graph-size optgroup[label=Result] option")
        .evaluateAll((all) => all.find((one) => one.textContent === "citations").value),
    );
  assert.match(
    await legend.textContent(),
    /size: citations 41 – 73, 33 without.*colour: citations 3 – 73/,
  );
  await page.locator("#graph-colour").selectOption({ label: "none" });
  await the.end();
  await page.locator("#graph-size").getByText("citations (not in this result)").waitFor({
    state: "attached",
  });
  assert.doesNotMatch(await legend.textContent(), /size:/);
});

testExample("a measure changes the nodes of the canvas", "paths", async (page) => {
  await openLarge(page, blockGraph(400, 800));
  const image = () => page.locator("canvas.drawing").evaluate((canvas) => canvas.toDataURL());
  const plain = await image();
  await page.locator("#graph-size").selectOption({ label: "weight" });
  await paintSettled(page);
  const sized = await image();
  await page.locator("#graph-colour").selectOption({ label: "weight" });
  await paintSettled(page);
  assert.notEqual(sized, plain);
  assert.notEqual(await image(), sized);
  const legend = page.locator("#graph-picture .legend");
  assert.match(await legend.textContent(), /size and colour: weight 0 – 10/);
});
