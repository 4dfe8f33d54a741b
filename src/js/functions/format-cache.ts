/** Maximum number of cached formats, because data can request any number. */
const maxFormats = 200;

/**
 * Returns a function that creates `Intl` formats and caches them by locale and options, because
 * they are expensive. A full cache is cleared.
 */
export function cachedFormats<O, F extends object>(
  make: (locale: string | undefined, options: O) => F,
) {
  const cache = new Map<string, F>();
  return (locale: string | undefined, options: O): F => {
    const key = JSON.stringify([locale, options]);
    const cached = cache.get(key);
    if (cached) return cached;
    const format = make(locale, options);
    if (cache.size >= maxFormats) cache.clear();
    cache.set(key, format);
    return format;
  };
}
