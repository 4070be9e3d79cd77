import type { AskedWord, Passage } from "../../material/search/Material.ts"
import { wordsOf } from "../../material/search/Words.ts"
import { sentencesOf } from "./Sentences.ts"

/** A sentence of the material, word for word, and the passage that it is in. */
export interface Quote {
  readonly text: string
  readonly passage: Passage
}

/** What the material says to a question. `confidence` is between 0 and 1. */
export interface Finding {
  /** Best first; none where the material does not answer it. */
  readonly quotes: ReadonlyArray<Quote>
  readonly confidence: number
}

/**
 * From this confidence on the material answers the question. Chosen by the questions of the evaluation that are there
 * for it; the others are answered as well.
 */
export const enough = 0.6

/** How many sentences are quoted at most, and how close to the best the others must come. */
const mostQuotes = 3
const nearlyAsGood = 0.75

/** How much the sentence itself counts; the rest is the passage around it, which says what it is about. */
const ofSentence = 0.6

interface Judged extends Quote {
  readonly confidence: number
  /** Which of the words asked for are in it. */
  readonly holds: ReadonlySet<number>
}

const weightOf = (words: ReadonlyArray<AskedWord>) => words.reduce((sum, { weight }) => sum + weight, 0)

const judged = (passage: Passage): ReadonlyArray<Judged> => {
  const { words } = passage
  const whole = weightOf(words)
  if (whole === 0) return []
  const around = weightOf(words.filter(({ forms }) => forms.length > 0)) / whole
  return sentencesOf(passage.body).map((text) => {
    const said = new Set(wordsOf(text))
    const holds = new Set(words.flatMap(({ forms }, index) => forms.some((form) => said.has(form)) ? [index] : []))
    const inside = weightOf(words.filter((_, index) => holds.has(index))) / whole
    return { text, passage, holds, confidence: ofSentence * inside + (1 - ofSentence) * around }
  }).filter(({ holds }) => holds.size > 0)
}

// After the best, those first that say what none before them says.
const chosenOf = (sentences: ReadonlyArray<Judged>): ReadonlyArray<Judged> => {
  const said = new Set<number>()
  const adding: Array<Judged> = []
  for (const sentence of sentences) {
    if ([...sentence.holds].every((word) => said.has(word))) continue
    adding.push(sentence)
    for (const word of sentence.holds) said.add(word)
  }
  return [...new Set([...adding, ...sentences])].slice(0, mostQuotes)
}

/** What these passages say to the question for which they were found. */
export const findingIn = (passages: ReadonlyArray<Passage>): Finding => {
  // Sorting is stable: of equals the one in the better passage comes first.
  const sentences = passages.flatMap(judged).toSorted((a, b) => b.confidence - a.confidence)
  const [best] = sentences
  if (best === undefined) return { quotes: [], confidence: 0 }
  if (best.confidence < enough) return { quotes: [], confidence: best.confidence }
  const near = sentences.filter(({ confidence }) => confidence >= nearlyAsGood * best.confidence)
  const distinct = [...new Map(near.toReversed().map((one) => [one.text, one])).values()].toReversed()
  const quotes = chosenOf(distinct).map(({ passage, text }) => ({ passage, text }))
  return { quotes, confidence: best.confidence }
}
