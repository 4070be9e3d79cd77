// The words of a search in a found text. Pure.

/** A part of a text, and whether it was searched for. */
export interface Piece {
  readonly text: string
  readonly isFound: boolean
}

/** Without accents and in small letters, letter by letter: the result is as long as the text. */
const plain = (text: string) =>
  [...text].map((letter) => {
    const base = letter.normalize("NFD")[0] ?? letter
    const small = base.toLowerCase()
    return small.length === 1 ? small : base
  })

/** The text in pieces. The words of the query are found at the start of words, whatever their accents and capitals. */
export const marked = (text: string, query: string): ReadonlyArray<Piece> => {
  const letters = [...text]
  const known = plain(text)
  const wanted = plain(query).join("").split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1).map((
    word
  ) => [...word])
  const pieces: Array<Piece> = []
  let [at, rest] = [0, 0]
  const add = (to: number, isFound: boolean) => {
    if (to > rest) pieces.push({ text: letters.slice(rest, to).join(""), isFound })
    rest = to
  }
  while (at < letters.length) {
    const isStart = at === 0 || !/[\p{L}\p{N}]/u.test(known[at - 1] ?? "")
    const found = isStart
      ? wanted.find((word) => word.every((letter, index) => known[at + index] === letter))
      : undefined
    if (found === undefined) at++
    else {
      add(at, false)
      at += found.length
      add(at, true)
    }
  }
  add(letters.length, false)
  return pieces
}
