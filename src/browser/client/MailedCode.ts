/** The mailed code, whether a person copied it alone or with its link. */
export const codeIn = (text: string): string => /[?&#]code=([^&#\s]+)/.exec(text)?.[1] ?? text.trim()
