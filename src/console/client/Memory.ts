// What this browser keeps from one visit to the next, as far as it lets pages keep anything: one that does not throws.

/** What was kept by this key; null where nothing was, or nothing is ever kept. */
export const recall = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** The same of this tab alone. */
export const recallHere = (key: string): string | null => {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps this for this tab alone, where the browser lets it. */
export const memorizeHere = (key: string, text: string): void => {
  try {
    sessionStorage.setItem(key, text)
  } catch {
    // Whoever loads the page again begins at its top.
  }
}

/** Keeps this, where the browser lets it. */
export const memorize = (key: string, text: string): void => {
  try {
    localStorage.setItem(key, text)
  } catch {
    // It holds until the page is left.
  }
}
