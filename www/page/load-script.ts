/** What did not come once. */
const failedLoads = new WeakSet<() => unknown>();

/**
 * Loads a script that is wanted. Firefox remembers for as long as a page is open that one did not come, and a site that was built anew
 * has it no more: where one does not come the second time either, and the site answers, the page is loaded anew.
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

/** Whether the page could be fetched now. The service worker keeps out of this. */
async function isPageReachable(): Promise<boolean> {
  const asked = fetch(location.href, { method: "HEAD", cache: "no-store" });
  return await asked.then(
    ({ ok }) => ok,
    () => false,
  );
}
