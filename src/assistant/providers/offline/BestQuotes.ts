import type { Passage, QueryWord } from "../../material/search/Material.ts"
import { wordsOf } from "../../material/search/Words.ts"
import { sentencesOf } from "./Sentences.ts"

/** A sentence of the material, word for word, and its passage. */
export interface SentenceQuote {
  readonly text: string
  readonly passage: Passage
}

/** The sentences that answer a question best. `confidence` is between 0 and 1. */
export interface BestQuotes {
  /** Best first; empty if the confidence is too low. */
  readonly quotes: ReadonlyArray<SentenceQuote>
  readonly confidence: number
}

/**
 * From this confidence on the material answers the question. Chosen with one part of the evaluation's questions; the other
 * part is answered as well.
 */
export const leastConfidence = 0.6

/** The most quoted sentences, and the smallest share of the best one's confidence that each must have. */
const mostQuotes = 3
const leastShareOfBest = 0.75

/**
 * The share of the sentence itself in its confidence. The rest is the share of its passage, which shows the subject.
 */
const sentenceShare = 0.6

interface ScoredSentence extends SentenceQuote {
  readonly confidence: number
  /** Which of the question's words are in it, by index. */
  readonly matched: ReadonlySet<number>
}

const weightOf = (words: ReadonlyArray<QueryWord>) => words.reduce((sum, { weight }) => sum + weight, 0)

const scoredSentences = (passage: Passage): ReadonlyArray<ScoredSentence> => {
  const { words } = passage
  const whole = weightOf(words)
  if (whole === 0) return []
  const ofPassage = weightOf(words.filter(({ forms }) => forms.length > 0)) / whole
  return sentencesOf(passage.body).map((text) => {
    const inSentence = new Set(wordsOf(text))
    const matched =
      new Set(words.flatMap(({ forms }, index) => forms.some((form) => inSentence.has(form)) ? [index] : []))
    const ofSentence = weightOf(words.filter((_, index) => matched.has(index))) / whole
    return { text, passage, matched, confidence: sentenceShare * ofSentence + (1 - sentenceShare) * ofPassage }
  }).filter(({ matched }) => matched.size > 0)
}

// After the best sentence come those with words of the question that no sentence before them has.
const selectQuotes = (sentences: ReadonlyArray<ScoredSentence>): ReadonlyArray<ScoredSentence> => {
  const covered = new Set<number>()
  const withNewWords: Array<ScoredSentence> = []
  for (const sentence of sentences) {
    if ([...sentence.matched].every((word) => covered.has(word))) continue
    withNewWords.push(sentence)
    for (const word of sentence.matched) covered.add(word)
  }
  return [...new Set([...withNewWords, ...sentences])].slice(0, mostQuotes)
}

/** The best quotes from the passages that were found for a question. */
export const bestQuotes = (passages: ReadonlyArray<Passage>): BestQuotes => {
  // Sorting is stable: of sentences with equal confidence, the one in the better passage comes first.
  const sentences = passages.flatMap(scoredSentences).toSorted((a, b) => b.confidence - a.confidence)
  const [best] = sentences
  if (best === undefined) return { quotes: [], confidence: 0 }
  if (best.confidence < leastConfidence) return { quotes: [], confidence: best.confidence }
  const near = sentences.filter(({ confidence }) => confidence >= leastShareOfBest * best.confidence)
  const distinct = [...new Map(near.toReversed().map((one) => [one.text, one])).values()].toReversed()
  const quotes = selectQuotes(distinct).map(({ passage, text }) => ({ passage, text }))
  return { quotes, confidence: best.confidence }
}
