/** What is searched for: the words of a text, each once. */
export const wordsOf = (search: string): ReadonlyArray<string> => [
  ...new Set(search.split(/\s+/u).filter((word) => word !== ""))
]

/**
 * Whether the index of trigrams can find the word: there are three letters or digits in a row. Of other scripts it
 * depends on the database's locale, so only Latin ones count, with or without accents.
 */
export const isIndexed = (word: string): boolean =>
  /[a-z0-9]{3}/i.test(word.normalize("NFKD").replace(/[\u0300-\u036f]/g, ""))
