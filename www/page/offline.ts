/** Registers the service worker of the built page; without support the page works online only. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register(new URL("./sw.js", document.baseURI)).catch(() => {});
}
