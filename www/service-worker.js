// Caches the page for offline use. The build prepends `version` and `files`. A new version waits
// until all pages of the old one are closed, so that no page mixes files of both.
/* global version, files */

const prefix = `byname ${self.registration.scope} `;
const name = prefix + version;
const home = self.registration.scope;

self.addEventListener("install", (event) => {
  // Bypasses the HTTP cache, which may contain the page of the old version.
  const fresh = ["./", ...files].map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(fresh)));
});

self.addEventListener("activate", (event) => {
  const old = (key) => key.startsWith(prefix) && key !== name;
  event.waitUntil(
    caches.keys().then((keys) => Promise.all(keys.filter(old).map((key) => caches.delete(key)))),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(home)) return;
  const read = request.mode === "navigate" ? fromNetwork(request, page(url)) : fromCache(request);
  event.respondWith(read);
});

/** Returns the cache key of a page. */
function page({ origin, pathname }) {
  const address = origin + pathname;
  if ([home, `${home}index.html`].includes(address)) return "./";
  return address.endsWith("/") ? `${address}index.html` : address;
}

/**
 * Returns a cached file. File names contain a content hash, so they never become outdated; a
 * missing asset is added.
 */
async function fromCache(request) {
  const cache = await caches.open(name);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && new URL(request.url).pathname.includes("/assets/"))
    await cache.put(request, answer.clone());
  return answer;
}

/** Returns a page from the network, or the cached one when offline. */
async function fromNetwork(request, address) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(name)).match(address);
    if (kept) return kept;
    throw error;
  }
}
