// Keeps the page for when there is no network. The build puts `version` and `files` above this.
// A new version waits until no page of the old one is open, so no page ever gets files of two.
/* global version, files */

const prefix = `byname ${self.registration.scope} `;
const name = prefix + version;
const home = self.registration.scope;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(["./", ...files])));
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
  if (request.mode !== "navigate") event.respondWith(fromCache(request));
  else if ([home, `${home}index.html`].includes(url.origin + url.pathname))
    event.respondWith(fromNetwork(request));
});

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

/** The page itself may be a newer one. */
async function fromNetwork(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(name)).match("./");
    if (kept) return kept;
    throw error;
  }
}
