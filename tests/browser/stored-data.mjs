// Everything that a page of the playground stores or passes on: tests search it for secrets.
import { inflateRawSync } from "node:zlib";

/** Returns everything that a page stores, with the names of its databases and their records. */
export function storedData(page) {
  return page.evaluate(async () => {
    const records = [];
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      for (const store of database.objectStoreNames) {
        const request = database.transaction(store).objectStore(store).getAll();
        await new Promise((resolve) => {
          request.onsuccess = resolve;
        });
        records.push([name, store, request.result]);
      }
      database.close();
    }
    const cached = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) cached.push(url);
    const stores = [{ ...localStorage }, { ...sessionStorage }];
    return JSON.stringify([stores, records, cached, location.href, history.state, document.cookie]);
  });
}

/** Returns the text of a share link. */
export function decodedLink(link) {
  const data = link.split(".").at(-1);
  return inflateRawSync(Buffer.from(data, "base64url")).toString("utf8");
}

/** Presses Code and returns the copied program. */
export async function copiedCode(page) {
  await page.getByRole("button", { name: "Code", exact: true }).click();
  await page.locator(".notice").getByText("Code copied").last().waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}
