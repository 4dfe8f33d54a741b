/** Returns a stored setting, or null if there is none or storage is not allowed. */
export function readSetting(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a setting; without storage it lasts for this visit. */
export function storeSetting(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Nothing to report: the setting applies until the page is closed.
  }
}
