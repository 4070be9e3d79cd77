import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import { rulesBrokenBy } from "./Rules.ts"
import { type Sentence, sentencesOf } from "./Sentences.ts"
import { textsOf } from "./Texts.ts"

// Prints the sentences in the given files that break a rule, and the number of sentences of each kind.

const read = async (file: string) => {
  const source = await readFile(file, "utf8")
  return textsOf(file.endsWith(".json") ? basename(file) : file, source).flatMap((text) => [...sentencesOf(text)])
}

/** If a literal in the source has a sentence of the OpenAPI document, the literal is its place. */
const placed = (sentences: ReadonlyArray<Sentence>): ReadonlyArray<Sentence> => {
  const described = new Set(sentences.filter(({ kind }) => kind === "api").map(({ text }) => text))
  const said = new Set(sentences.filter(({ kind }) => kind === "messages").map(({ text }) => text))
  return sentences.flatMap((sentence): ReadonlyArray<Sentence> => {
    if (sentence.kind === "api") return said.has(sentence.text) ? [] : [sentence]
    return sentence.kind === "messages" && described.has(sentence.text) ? [{ ...sentence, kind: "api" }] : [sentence]
  })
}

const sentences = placed((await Promise.all(process.argv.slice(2).map(read))).flat())
const findings = rulesBrokenBy(sentences).map(({ message, rule, sentence: { file, kind, line, text } }) => ({
  file,
  kind,
  line,
  message,
  rule,
  text
}))
const counted = Map.groupBy(sentences, ({ kind }) => kind)
process.stdout.write(JSON.stringify({
  findings,
  sentences: Object.fromEntries([...counted].map(([kind, { length }]) => [kind, length]))
}))
