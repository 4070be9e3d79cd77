/** In UTF-16 units. A longer run, like a transcript without punctuation, is split into pieces. */
const longestSentence = 400

// The possible ends of a sentence: after its mark and white space, at an empty line, or before a list item or a
// heading.
const possibleEnds = /(?<=[.!?…]["'”’»)\]]*)\s+|\n\s*\n\s*|\n\s*(?=(?:[-*•#>]|\d+[.)])\s)/g

// Words that end in a point without ending a sentence, in both languages; a single letter is an initial.
const abbreviation =
  /(?:^|[\s("'])(?:\p{L}|drs?|dras?|sra?s?|profa?|prof|exa?|etc|p[aá]gs?|pp|n[º°o]|art|cap|vs|fig|e\.g|i\.e|mr|mrs|ms|st|no|approx|aprox|tel)\.$/iu

const emptyLine = /\n\s*\n/

const numberOfItem = /^\s*\d+\.$/

const startsSmall = /^\p{Ll}/u

const isEnd = (before: string, after: string) =>
  !before.endsWith(".") || !(
    abbreviation.test(before.slice(-16)) || numberOfItem.test(before) ||
    (before.endsWith("..") && startsSmall.test(after))
  )

const cutLong = (text: string): ReadonlyArray<string> => {
  if (text.length <= longestSentence) return [text]
  const space = text.slice(0, longestSentence + 1).search(/\s\S*$/)
  const next = text.search(/\s/)
  const end = space > 0 ? space : next
  return end <= 0 ? [text] : [text.slice(0, end).trimEnd(), ...cutLong(text.slice(end).trimStart())]
}

/**
 * The sentences of a text in Portuguese or English, in order, without the white space around them. The text has each of
 * them word for word, with only white space between.
 */
export const sentencesOf = (text: string): ReadonlyArray<string> => {
  const sentences: Array<string> = []
  let from = 0
  for (const { 0: space, index } of text.matchAll(possibleEnds)) {
    const before = text.slice(from, index)
    const after = text.slice(index + space.length)
    if (!isEnd(before, after) && !emptyLine.test(space)) continue
    sentences.push(before)
    from = index + space.length
  }
  return [...sentences, text.slice(from)].flatMap((sentence) => cutLong(sentence.trim())).filter((one) => one !== "")
}
