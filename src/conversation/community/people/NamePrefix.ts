/** A folded text that begins a word of a name. White space is one space, and characters of LIKE stand for themselves. */
interface NamePrefix {
  /** Part of a name in which every word has a space before it. */
  readonly pattern: string
  /** The column `search` of a student with such a name matches one of each two, and its index finds them. */
  readonly candidates: ReadonlyArray<readonly [string, string]>
}

/** Without case and accents, like `fold` in the database. */
const folded = (text: string) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase()

/** True if trigrams find the text anywhere in a name. Shorter ones are found only at the beginning of a word. */
const hasTrigram = (text: string) => /[a-z0-9]{3}/.test(text)

/** The most words that the index looks for. */
const mostFound = 4

/** The text as a prefix; undefined if it has no letter, digit or sign that a name's word can begin with. */
export const namePrefix = (text: string): NamePrefix | undefined => {
  const words = folded(text).split(/[\s'’.-]+/u).join(" ").trim()
  if (words === "") return undefined
  const escaped = words.replace(/[\\%_]/g, "\\$&")
  const all = escaped.split(" ")
  const [first = ""] = all
  const found = all.filter(hasTrigram).slice(0, mostFound).map((word) => [`%${word}%`, `%${word}%`] as const)
  return {
    pattern: `% ${escaped}%`,
    candidates: found.length > 0 ? found : [[`${first}%`, `% ${first}%`]]
  }
}
