import { Cause, Console, Context, type Fiber, Inspectable, Logger, Redactable, References } from "effect"
import { inspect, type InspectOptionsStylized, styleText } from "node:util"
import { LoggedRequest } from "../../platform/http/server/RequestLog.ts"
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

/** JSON data with every text, and every key, without addresses. */
const dataWithoutAddresses = (data: unknown): unknown => {
  if (typeof data === "string") return withoutAddresses(data)
  if (typeof data !== "object" || data === null) return data
  return Array.isArray(data)
    ? data.map(dataWithoutAddresses)
    : Object.fromEntries(Object.entries(data).map(([key, each]) => [withoutAddresses(key), dataWithoutAddresses(each)]))
}

/** A text of JSON that stays one: in it an address may follow an escape like `\n`, which the text alone does not show. */
export const jsonWithoutAddresses = (json: string): string =>
  withoutAddresses(json) === json ? json : JSON.stringify(dataWithoutAddresses(JSON.parse(json)))

/** Lines of JSON on standard output. */
export const jsonLogger = Logger.withConsoleLog(Logger.map(Logger.formatJson, jsonWithoutAddresses))

const textOf = (error: unknown) => withoutAddresses(Cause.pretty(Cause.die(error)))

/** What a console shows for this part of a line; the rest of an object stays as it is. */
const withoutAddressesIn = (part: unknown): unknown => {
  const value = Redactable.redact(part)
  if (typeof value === "string") return withoutAddresses(value)
  if (value instanceof Error) return textOf(value)
  if (typeof value !== "object" || value === null) return value
  return {
    [inspect.custom]: (depth: number, options: InspectOptionsStylized) => {
      // The codes of colors would be taken for a part of the address.
      const colorless: InspectOptionsStylized = { ...options, depth, colors: false, stylize: (text) => text }
      const text = inspect(value, colorless)
      const cleaned = withoutAddresses(text)
      return cleaned === text ? inspect(value, { ...options, depth }) : cleaned
    }
  }
}

/** The first part of a line: as a text if it has one, as a date has. */
const firstWithoutAddresses = (part: unknown): unknown => {
  const text = Inspectable.toJson(part)
  return withoutAddressesIn(typeof text === "string" ? text : part)
}

/** The fiber for a logger that shows its annotations and spans. */
const fiberWithoutAddresses = (fiber: Fiber.Fiber<unknown, unknown>): Fiber.Fiber<unknown, unknown> => {
  const annotations = Object.entries(fiber.getRef(References.CurrentLogAnnotations))
  const spans = fiber.getRef(References.CurrentLogSpans)
  const value = fiber.context.pipe(
    Context.add(
      References.CurrentLogAnnotations,
      Object.fromEntries(annotations.map(([key, each]) => [withoutAddresses(key), withoutAddressesIn(each)]))
    ),
    Context.add(References.CurrentLogSpans, spans.map(([label, from]) => [withoutAddresses(label), from] as const))
  )
  return Object.create(fiber, { context: { value } })
}

/** Colors are for terminals, and for those who want them: `NO_COLOR` and `FORCE_COLOR` are heard. */
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
    .map((part: unknown, index) => index === 0 ? firstWithoutAddresses(part) : withoutAddressesIn(part))
  const cause = line.cause.reasons.length === 0 ? [] : [withoutAddresses(Cause.pretty(line.cause))]
  return pretty.log({
    ...line,
    fiber: fiberWithoutAddresses(line.fiber),
    message: [...parts, ...cause],
    cause: Cause.empty
  })
})
