import { Cause, Console, Context, type Fiber, Formatter, Inspectable, Logger, Redactable, References } from "effect"
import { inspect, type InspectOptionsStylized, styleText } from "node:util"
import { isObject } from "../../platform/http/document/Schemas.ts"
import { LoggedRequest } from "../../platform/http/server/RequestLog.ts"
import { withContext } from "../../platform/patches/LoggedFiber.ts"
import { type Paint, requestText } from "./RequestText.ts"

const separator = /@|%40/g
const beforeIt = /[^\s\p{Cc}<>()[\]\\,;:"@/=&?]/u
const afterIt = /[\p{L}\p{N}.-]/u

/** One of these in front quotes an address rather than belongs to it. */
const quotes = /['`]/

/**
 * The text with `<address>` for every e-mail address, percent-encoded ones too. Looks at each character once or twice:
 * as one pattern it would begin again at every character of a long word.
 */
export const withoutAddresses = (text: string): string => {
  let cleaned = ""
  let done = 0
  for (const { 0: { length }, index } of text.matchAll(separator)) {
    let begin = index
    let end = index + length
    while (begin > done && beforeIt.test(text.charAt(begin - 1))) begin--
    if (quotes.test(text.charAt(begin))) begin++
    while (end < text.length && afterIt.test(text.charAt(end))) end++
    if (begin === index || end === index + length) continue
    cleaned += `${text.slice(done, begin)}<address>`
    done = end
  }
  return cleaned + text.slice(done)
}

const keys = /turma_([0-9A-Za-z]{8})_[0-9A-Za-z]{20,}/g

/** The text with `turma_<its 8 characters>_<key>` for whatever looks like a club's key. */
export const withoutKeys = (text: string): string =>
  text.includes("turma_") ? text.replaceAll(keys, (_, prefix: string) => `turma_${prefix}_<key>`) : text

/** The text as it may be logged: without addresses of people and without keys of clubs. */
const redacted = (text: string): string => withoutKeys(withoutAddresses(text))

/** JSON data with every text, and every key, as it may be logged. */
const redactedData = (data: unknown): unknown => {
  if (typeof data === "string") return redacted(data)
  if (typeof data !== "object" || data === null) return data
  return Array.isArray(data)
    ? data.map(redactedData)
    : Object.fromEntries(Object.entries(data).map(([key, each]) => [redacted(key), redactedData(each)]))
}

/** A text of JSON that stays one: in it an address may follow an escape like `\n`, which the text alone does not show. */
export const redactedJson = (json: string): string =>
  redacted(json) === json ? json : JSON.stringify(redactedData(JSON.parse(json)))

const prettyOf = (error: unknown) => Cause.pretty(Cause.die(error))

const textOf = (error: unknown) => redacted(prettyOf(error))

/**
 * A line for machines: one text, and beside it, in `annotations`, the fields of every other message. An error is its
 * text alone, as `error`.
 */
const formatLine = Logger.make<unknown, string>((line) => {
  const parts: ReadonlyArray<unknown> = Array.isArray(line.message) ? line.message : [line.message]
  const texts: Array<string> = []
  const fields: Record<string, unknown> = {}
  for (const part of parts) {
    const said = part instanceof Error ? { error: prettyOf(part) } : Inspectable.toJson(Redactable.redact(part))
    if (isObject(said)) Object.assign(fields, said)
    else texts.push(typeof said === "string" ? said : Formatter.format(said))
  }
  const { annotations, cause, fiberId, level, spans, timestamp } = Logger.formatStructured.log({ ...line, message: "" })
  return Formatter.formatJson({
    message: texts.join(" "),
    level,
    timestamp,
    cause,
    annotations: { ...annotations, ...fields },
    ...(Object.keys(spans).length === 0 ? {} : { spans }),
    fiberId
  })
})

/** Lines of JSON on standard output. */
export const jsonLogger = Logger.withConsoleLog(Logger.map(formatLine, redactedJson))

/** The form of this part of a line for a console; the rest of an object stays as it is. */
const redactedPart = (part: unknown): unknown => {
  const value = Redactable.redact(part)
  if (typeof value === "string") return redacted(value)
  if (value instanceof Error) return textOf(value)
  if (typeof value !== "object" || value === null) return value
  return {
    [inspect.custom]: (depth: number, options: InspectOptionsStylized) => {
      // The filter would take codes of colors for a part of the address.
      const colorless: InspectOptionsStylized = { ...options, depth, colors: false, stylize: (text) => text }
      const text = inspect(value, colorless)
      const cleaned = redacted(text)
      return cleaned === text ? inspect(value, { ...options, depth }) : cleaned
    }
  }
}

/** The first part of a line: as a text if it has one, as a date has. */
const redactedFirst = (part: unknown): unknown => {
  const text = Inspectable.toJson(part)
  return redactedPart(typeof text === "string" ? text : part)
}

/** The fiber for a logger that shows its annotations and spans. */
const redactedFiber = (fiber: Fiber.Fiber<unknown, unknown>): Fiber.Fiber<unknown, unknown> => {
  const annotations = Object.entries(fiber.getRef(References.CurrentLogAnnotations))
  const spans = fiber.getRef(References.CurrentLogSpans)
  const context = fiber.context.pipe(
    Context.add(
      References.CurrentLogAnnotations,
      Object.fromEntries(annotations.map(([key, each]) => [redacted(key), redactedPart(each)]))
    ),
    Context.add(References.CurrentLogSpans, spans.map(([label, from]) => [redacted(label), from] as const))
  )
  return withContext(fiber, context)
}

/** Colors are for terminals, and for people who want them: `NO_COLOR` and `FORCE_COLOR` apply. */
const paint: Paint = (format, text) => styleText(format, text, { stream: process.stdout })

const hasColors = paint("bold", "") !== ""

const pretty = Logger.consolePretty({ colors: hasColors })

/** For people, a request in one line. Shows only the text of an error: its fields may be a row that the database has refused. */
export const prettyLogger = Logger.make<unknown, void>((line) => {
  const request = line.fiber.getRef(LoggedRequest)
  if (request !== undefined) {
    const millis = `${line.date.getMilliseconds()}`.padStart(3, "0")
    const time = paint("white", `[${line.date.toTimeString().slice(0, 8)}.${millis}]`)
    const text = `${time} ${requestText(request, paint)}`
    return line.fiber.getRef(Console.Console).log(text)
  }
  const parts = (Array.isArray(line.message) ? line.message : [line.message])
    .map((part: unknown, index) => index === 0 ? redactedFirst(part) : redactedPart(part))
  const cause = line.cause.reasons.length === 0 ? [] : [redacted(Cause.pretty(line.cause))]
  return pretty.log({
    ...line,
    fiber: redactedFiber(line.fiber),
    message: [...parts, ...cause],
    cause: Cause.empty
  })
})
