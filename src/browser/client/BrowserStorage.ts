// Values that this browser keeps from one visit to the next. A browser that keeps nothing throws.

/** The kept value of this key. Null without one, and in a browser that keeps nothing. */
export const readStored = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** The same of this tab alone. */
export const readTabStored = (key: string): string | null => {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps this for this tab alone, if the browser lets it. */
export const writeTabStored = (key: string, text: string): void => {
  try {
    sessionStorage.setItem(key, text)
  } catch {
    // A reload begins at the top of the page.
  }
}

/** Forgets everything that this tab keeps below a prefix. */
export const forgetTabStored = (prefix: string): void => {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  } catch {
    // It kept nothing.
  }
}

/** Keeps this, if the browser lets it. */
export const writeStored = (key: string, text: string): void => {
  try {
    localStorage.setItem(key, text)
  } catch {
    // It holds until the page closes.
  }
}
