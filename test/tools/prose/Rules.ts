import type { Root } from "nlcst"
import retextPassive from "retext-passive"
import retextSimplify from "retext-simplify"
import { unified } from "unified"
import { VFile } from "vfile"
import type { Finding } from "./Kind.ts"
import { type Phrase, phrases } from "./phrases.ts"
import type { Sentence } from "./Sentences.ts"
import { acceptedPassives, acceptedWords } from "./words.ts"

/** A sentence that breaks a rule, and how. */
export interface Broken {
  readonly sentence: Sentence
  readonly rule: Finding["rule"]
  readonly message: string
}

/** The number of words in the longest sentence. */
const longest = 25

const tooLong = (sentence: Sentence): ReadonlyArray<Broken> =>
  sentence.words > longest ? [{ sentence, rule: "long", message: `${sentence.words} words` }] : []

const actor =
  /\b(?:am|are|is|was|were|be|been|being)\s+(?:(?:not|also|then|only|always|never|\w+ly)\s+)*(\w+(?:ed|en|wn|pt|nd|nt|de|ld|ht|ft|st|ad|et|ne))\s+by\s+(?:(?:an?|another|any|each|every|its own|no|one|some|the|these|this|those|our|Turma)\s+\w+|nobody|somebody|whoever)/i

const withActor = (sentence: Sentence): ReadonlyArray<Broken> => {
  const [found] = actor.exec(sentence.plain) ?? []
  return found === undefined ? [] : [{ sentence, rule: "passive", message: `"${found}": make the actor the subject` }]
}

const escape = (text: string) => text.replaceAll(/[.*+?()[\]{}|\\]/g, String.raw`\$&`)

const patternOf = ({ phrase, unless = [] }: Phrase) => {
  const [, start = "", words = ""] = /^(\^?)(.*)$/.exec(phrase) ?? []
  const body = words.split("…").map((part) => part.trim().split(" ").map(escape).join(String.raw`\s+`))
  const around = unless.map((text) => {
    const [before = "", after = ""] = text.split(words)
    return `${before === "" ? "" : `(?<!\\b${escape(before)})`}${after === "" ? "" : `(?!${escape(words + after)}\\b)`}`
  })
  return new RegExp(`${start}${around.join("")}\\b${body.join(String.raw`\b.*\b`)}\\b`, "i")
}

const patterns = phrases.map((phrase) => ({ ...phrase, pattern: patternOf(phrase) }))

/** Labels, such as the head of a column, and questions may begin with any word. */
const isLabel = ({ text, words }: Sentence) => words < 5 || text.endsWith("?")

const withPhrase = (sentence: Sentence): ReadonlyArray<Broken> =>
  patterns.flatMap(({ instead, pattern, phrase }) =>
    pattern.test(sentence.plain) && !(phrase.startsWith("^") && isLabel(sentence))
      ? [{ sentence, rule: "phrase", message: `"${phrase.replace("^", "")}": write ${instead}` }]
      : []
  )

const retext = unified()
  .use(retextPassive, { ignore: acceptedPassives })
  .use(retextSimplify, { ignore: acceptedWords })

/** The findings of the packages, in one run: each run looks for all words, and takes the same time for one sentence. */
const byRetext = (sentences: ReadonlyArray<Sentence>): ReadonlyArray<Broken> => {
  const sentenceOf = new Map<unknown, Sentence>(sentences.map((sentence) => [sentence.node, sentence]))
  const root: Root = { type: "RootNode", children: sentences.map(({ node }) => node) }
  const file = new VFile()
  retext.runSync(root, file)
  return file.messages.flatMap(({ actual, ancestors = [], expected = [], source }): ReadonlyArray<Broken> => {
    const sentence = sentenceOf.get(ancestors.at(-1))
    if (sentence === undefined) return []
    if (source === "retext-passive") return [{ sentence, rule: "passive", message: `"${actual}": say who does what` }]
    return [{ sentence, rule: "word", message: `"${actual}": write ${expected.join(" or ") || "nothing"}` }]
  })
}

/** Every rule that one of these sentences breaks. */
export const rulesBrokenBy = (sentences: ReadonlyArray<Sentence>): ReadonlyArray<Broken> => [
  ...sentences.flatMap((sentence) => [...tooLong(sentence), ...withActor(sentence), ...withPhrase(sentence)]),
  ...byRetext(sentences)
]
