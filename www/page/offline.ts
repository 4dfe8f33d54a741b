/** Keeps the built page for when there is no network. A browser that has no way to loses only that. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register(new URL("./sw.js", document.baseURI)).catch(() => {});
}
