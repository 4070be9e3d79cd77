import { Cause, Logger } from "effect"

const separator = /@|%40/g
const beforeIt = /[^\s\p{Cc}<>()[\]\\,;:"@/=&?]/u
const afterIt = /[\p{L}\p{N}.-]/u

/**
 * The text with `<address>` for every e-mail address, percent-encoded ones too. Looks at each character once or twice: as one
 * pattern it would begin again at every character of a long word.
 */
export const withoutAddresses = (text: string): string => {
  let told = ""
  let done = 0
  for (const { 0: { length }, index } of text.matchAll(separator)) {
    let begin = index
    let end = index + length
    while (begin > done && beforeIt.test(text.charAt(begin - 1))) begin--
    while (end < text.length && afterIt.test(text.charAt(end))) end++
    if (begin === index || end === index + length) continue
    told += `${text.slice(done, begin)}<address>`
    done = end
  }
  return told + text.slice(done)
}

const plain = (part: unknown) => typeof part === "string" ? withoutAddresses(part) : part

/** Lines of JSON on standard output. */
export const jsonLogger = Logger.withConsoleLog(Logger.map(Logger.formatJson, withoutAddresses))

const pretty = Logger.consolePretty()

/** For people. Of an error only its text is shown: its fields may be a row that the database has refused. */
export const prettyLogger = Logger.make<unknown, void>((line) => {
  const parts = (Array.isArray(line.message) ? line.message : [line.message]).map(plain)
  const cause = line.cause.reasons.length === 0 ? [] : [withoutAddresses(Cause.pretty(line.cause))]
  return pretty.log({ ...line, message: [...parts, ...cause], cause: Cause.empty })
})
