// Media stop with their component: without an allowed URL or a surface, nothing plays or loads.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after } from "node:test";
import { testInPage } from "./dom-page.mjs";

/** Returns a minute of silence as WAV with 8 bits and 8 kHz. */
function silence() {
  const size = 8000 * 60;
  const wav = Buffer.alloc(44 + size, 128);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(36 + size, 4);
  wav.write("WAVEfmt ", 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(8000, 24);
  wav.writeUInt32LE(8000, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write("data", 36);
  wav.writeUInt32LE(size, 40);
  return wav;
}

/** Server whose videos start and never end. */
const loading = new Set();
const slow = createServer((_request, response) => {
  loading.add(response);
  response.on("close", () => loading.delete(response));
  response.writeHead(200, { "content-type": "video/mp4" });
  response.write("\0\0\0\x18ftypmp42");
});
await new Promise((resolve) => slow.listen(0, "127.0.0.1", resolve));
after(() => {
  slow.closeAllConnections();
  slow.close();
});

/** Polls a condition for at most ten seconds. */
async function until(holds) {
  for (let round = 0; round < 200 && !holds(); round += 1)
    await new Promise((done) => setTimeout(done, 50));
  assert.ok(holds(), String(holds));
}

for (const [component, url] of [
  ["AudioPlayer", null],
  ["AudioPlayer", "javascript:alert(1)"],
  ["Video", "/elsewhere.wav"],
])
  testInPage(`a medium stops when its URL becomes ${url} (${component})`, async (page) => {
    await page.route("https://example.org/a.wav", (route) =>
      route.fulfill({ contentType: "audio/wav", body: silence() }),
    );
    const seen = await page.evaluate(
      async ([component, url]) => {
        show(make("root", component, { url: "https://example.org/a.wav" }));
        const medium = document.querySelector("audio,video");
        medium.muted = true;
        await medium.play();
        const played = !medium.paused;
        surface.emit({ kind: "set", key: "root", prop: "url", value: url });
        await settled();
        const stopped = [medium.paused, medium.readyState, medium.currentTime];
        surface.emit({ kind: "set", key: "root", prop: "url", value: "https://example.org/a.wav" });
        await medium.play();
        return { played, stopped, again: !medium.paused };
      },
      [component, url],
    );
    assert.deepEqual(seen, { played: true, stopped: [true, 0, 0], again: true });
  });

testInPage("unmounting aborts the loading of media", async (page) => {
  const url = `http://127.0.0.1:${slow.address().port}/film.mp4`;
  const parts = ["Video", "AudioPlayer"];
  await page.evaluate(
    ([url, parts]) => {
      const media = parts.map((component) => make(component, component, { url }));
      show(make("root", "Column", {}, media));
    },
    [url, parts],
  );
  await until(() => loading.size === parts.length);
  await page.evaluate(() => stop());
  await until(() => loading.size === 0);
});
