import { TurmaError } from "../errors/TurmaError.ts"

/** An event as it stands in a stream. */
export interface RawEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** The longest unfinished event that a stream may hold, in characters. */
const longestEvent = 4 * 1024 * 1024

/**
 * Reads Server-Sent Events from chunks of any length, as the HTML standard has it. An event is dropped if the stream
 * ends in the middle of it.
 */
export const eventParser = (): (bytes: Uint8Array) => ReadonlyArray<RawEvent> => {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let rest = ""
  let afterReturn = false
  let id: string | undefined
  let event = ""
  let data: Array<string> = []
  let size = 0

  const take = (line: string): RawEvent | undefined => {
    if (line === "") {
      const made = data.length === 0 ? undefined : { id, event: event || "message", data: data.join("\n") }
      event = ""
      data = []
      size = 0
      return made
    }
    const [, field, value = ""] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? []
    if (field === "data") data.push(value)
    if (field === "event") event = value
    if (field === "id" && !value.includes("\0")) id = value
    size += line.length
    return undefined
  }

  const decodedPart = (bytes: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: true })
    } catch {
      throw new TurmaError({ code: "unexpected_answer", message: "The stream is not UTF-8 text" })
    }
  }

  return (bytes) => {
    const decoded = decodedPart(bytes)
    if (decoded === "") return []
    // A line feed after a carriage return belongs to it, also if the two came in separate chunks.
    const text = afterReturn && decoded.startsWith("\n") ? decoded.slice(1) : decoded
    afterReturn = decoded.endsWith("\r")
    const events: Array<RawEvent> = []
    let start = 0
    for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) {
      const made = take(rest + text.slice(start, index))
      rest = ""
      if (made !== undefined) events.push(made)
      start = index + end.length
    }
    // The earlier part is not read again: a long line may come in many small parts.
    rest += text.slice(start)
    if (rest.length + size > longestEvent) {
      throw new TurmaError({ code: "unexpected_answer", message: "An event of the stream is too long" })
    }
    return events
  }
}
