/** Loaders that failed once. */
const failedLoads = new WeakSet<() => unknown>();

/**
 * Loads a script. Reloads the page after a second failure if the site is reachable, because Firefox
 * caches failed imports and a new deployment removes old files.
 */
export async function loadOrReload<Loaded>(load: () => Loaded | Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch (error) {
    if (failedLoads.has(load) && (await isPageReachable())) location.reload();
    failedLoads.add(load);
    throw error;
  }
}

/** Returns whether the page can be fetched, bypassing the cache. */
async function isPageReachable(): Promise<boolean> {
  const response = fetch(location.href, { method: "HEAD", cache: "no-store" });
  return await response.then(
    ({ ok }) => ok,
    () => false,
  );
}
