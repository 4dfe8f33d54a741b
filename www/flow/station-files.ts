/** Names of the weather stations; each is a file of this page. */
export const stationNames: readonly string[] = ["harbour", "island", "hill"];
const cachedFiles = new Map<string, Blob>();

export function stationFile(name: string): URL {
  return new URL(`weather/${name}.json`, document.baseURI);
}

/** Caches the station files for offline use. */
export async function prefetchFiles(): Promise<void> {
  for (const address of stationNames.map(stationFile)) {
    try {
      const answer = await fetch(address);
      if (answer.ok) cachedFiles.set(address.href, await answer.blob());
    } catch {
      // Fetched on demand instead.
    }
  }
}

/** Fetches a file; offline, returns the cached one. */
export async function fetchOrCached(address: URL, options: RequestInit): Promise<Response> {
  const own = navigator.onLine ? undefined : cachedFiles.get(address.href);
  return own ? new Response(own) : fetch(address, options);
}
