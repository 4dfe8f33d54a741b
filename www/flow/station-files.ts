/** The weather stations: each is a file of this page. */
export const stations: readonly string[] = ["harbour", "island", "hill"];
const cachedFiles = new Map<string, Blob>();

export function stationFile(name: string): URL {
  return new URL(`weather/${name}.json`, document.baseURI);
}

/** Fetches the page's own files beforehand, for when there is no network. */
export async function prefetchFiles(): Promise<void> {
  for (const address of stations.map(stationFile)) {
    try {
      const answer = await fetch(address);
      if (answer.ok) cachedFiles.set(address.href, await answer.blob());
    } catch {
      // Then they are fetched when they are needed.
    }
  }
}

/** Fetches; without a network the page's own files are those that were kept. */
export async function fetchOrCached(address: URL, options: RequestInit): Promise<Response> {
  const own = navigator.onLine ? undefined : cachedFiles.get(address.href);
  return own ? new Response(own) : fetch(address, options);
}
