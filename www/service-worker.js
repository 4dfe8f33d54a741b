// Keeps the page for when there is no network. The build puts `version` and `files` above this.
// A new version waits until no page of the old one is open, so no page ever gets files of two.
/* global version, files */

const prefix = `byname ${self.registration.scope} `;
const name = prefix + version;
const home = self.registration.scope;

self.addEventListener("install", (event) => {
  // The browser may still have the page of the old version, which names files that this one has not.
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

/** Under which address a page is kept. */
function page({ origin, pathname }) {
  const address = origin + pathname;
  if ([home, `${home}index.html`].includes(address)) return "./";
  return address.endsWith("/") ? `${address}index.html` : address;
}

/** Files have the sum of what they hold in their name. What is not kept yet is kept from now on. */
async function fromCache(request) {
  const cache = await caches.open(name);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && new URL(request.url).pathname.includes("/assets/"))
    await cache.put(request, answer.clone());
  return answer;
}

/** A page may be a newer one. */
async function fromNetwork(request, address) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(name)).match(address);
    if (kept) return kept;
    throw error;
  }
}
