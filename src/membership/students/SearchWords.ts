import { currentSpelling } from "../../platform/http/Spelling.ts"

/**
 * The words of a search, each once. A whole address is in the spelling in which addresses are stored. What is part of another
 * word is found with it, and is left out.
 */
export const wordsOf = (search: string): ReadonlyArray<string> => {
  const words = [...new Set(search.split(/\s+/u).filter((word) => word !== "").map(currentSpelling))]
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)))
}

/** What it takes to look for these words in one text: words × characters. */
export const effortOf = (words: ReadonlyArray<string>): number => words.length * words.join("").length

/**
 * Whether the index of trigrams can find the word: it has three letters or digits in a row. Only Latin letters count, with
 * or without accents, since for other scripts it depends on the database's locale.
 */
export const isIndexed = (word: string): boolean =>
  /[a-z0-9]{3}/i.test(word.normalize("NFKD").replace(/[\u0300-\u036f]/g, ""))
