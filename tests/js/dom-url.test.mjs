// URLs that the renderer allows in the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { safeUrl } from "../../pkg/url.js";

const cases = [
  ["https://example.org/a?b#c", "link image media"],
  ["http://example.org/", "link image media"],
  ["  https://example.org/ ", "link image media"],
  ["HTTPS://EXAMPLE.ORG/", "link image media"],
  ["mailto:jane@example.org", "link"],
  ["data:image/png;base64,AAAA", "image"],
  ["data:image/svg+xml;utf8,<svg/>", "image"],
  ["data:text/html,<script>1</script>", ""],
  ["data:image/png", ""],
  ["javascript:alert(1)", ""],
  ["java\tscript:alert(1)", ""],
  ["\u0000javascript:alert(1)", ""],
  [" JaVaScRiPt:alert(1)", ""],
  ["vbscript:x", ""],
  ["blob:https://example.org/1", ""],
  ["file:///etc/passwd", ""],
  ["//example.org/", ""],
  ["/logout", ""],
  ["logout", ""],
  ["", ""],
  [null, ""],
  [{ call: "openUrl" }, ""],
];

for (const [url, uses] of cases) {
  test(`${JSON.stringify(url)} is allowed for: ${uses || "nothing"}`, () => {
    const passed = ["link", "image", "media"].filter((use) => safeUrl(url, use) !== null);
    assert.equal(passed.join(" "), uses);
  });
}
