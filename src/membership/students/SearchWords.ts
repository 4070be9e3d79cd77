import { currentSpelling } from "../../platform/http/Spelling.ts"

/**
 * The words of a search, each once. A whole address gets the spelling of stored addresses. A word that is part of
 * another word is omitted, because the other word finds it.
 */
export const wordsOf = (search: string): ReadonlyArray<string> => {
  const words = [...new Set(search.split(/\s+/u).filter((word) => word !== "").map(currentSpelling))]
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)))
}

/** The effort to look for these words in one text: words × characters. */
export const effortOf = (words: ReadonlyArray<string>): number => words.length * words.join("").length

/**
 * True if the index of trigrams can find the word: it has three letters or digits in a row. Only Latin letters count, with
 * or without accents, since for other scripts it depends on the database's locale.
 */
export const isIndexed = (word: string): boolean =>
  /[a-z0-9]{3}/i.test(word.normalize("NFKD").replace(/[\u0300-\u036f]/g, ""))
