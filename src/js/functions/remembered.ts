/** As many formats are kept: data can ask for any number of them. */
const most = 200;

/** Formats of languages, which are dear to make: each is made once for its options, and again after many others. */
export function remembered<O, F extends object>(
  make: (locale: string | undefined, options: O) => F,
) {
  const made = new Map<string, F>();
  return (locale: string | undefined, options: O): F => {
    const key = JSON.stringify([locale, options]);
    const known = made.get(key);
    if (known) return known;
    const format = make(locale, options);
    if (made.size >= most) made.clear();
    made.set(key, format);
    return format;
  };
}
