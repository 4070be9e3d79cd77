import { Schema } from "effect"
import { Citation } from "../../material/search/Citation.ts"
import { Message } from "../messages/Message.ts"
import { MessageErrorCode } from "../messages/MessageStatus.ts"

const id = Schema.optionalKey(Schema.String)

const event = <const Name extends string, Fields extends Schema.Struct.Fields>(name: Name, fields: Fields) =>
  Schema.Struct({
    id,
    event: Schema.Literal(name),
    data: Schema.fromJsonString(Schema.toCodecJson(Schema.Struct(fields)))
  })

/**
 * An event of an answer's stream. `id` says how much of the answer has been sent: how many characters, and after a dot how
 * many citations, if any. Each of the last three ends the stream.
 */
export const AnswerEvent = Schema.Union([
  event("message.delta", { text: Schema.String }),
  event("message.citation", { citation: Citation }),
  event("message.completed", { message: Message }),
  event("message.failed", { error_code: MessageErrorCode }),
  event("message.canceled", { message: Message })
])
export type AnswerEvent = typeof AnswerEvent.Type

/** How much of an answer has been sent. Characters are code points, as PostgreSQL counts them. */
export interface Position {
  readonly characters: number
  readonly citations: number
}

const startPosition: Position = { characters: 0, citations: 0 }

const idPattern = /^(\d{1,9})(?:\.(\d{1,9}))?$/

/** The position that a `Last-Event-ID` names; the start where it is missing or malformed. */
export const positionOf = (last_event_id: string | undefined): Position => {
  const [, characters, citations = "0"] = idPattern.exec(last_event_id ?? "") ?? []
  return characters === undefined ? startPosition : { characters: Number(characters), citations: Number(citations) }
}

/** The id of an event that ends at this position. */
export const eventIdOf = ({ characters, citations }: Position): string =>
  citations === 0 ? `${characters}` : `${characters}.${citations}`

/** The part of an answer after a position. */
export interface Unsent {
  readonly text: string
  readonly citations: ReadonlyArray<Citation>
}

/** The events that send the rest, and the position after them. */
export const eventsOf = (
  from: Position,
  { citations, text }: Unsent
): { readonly events: ReadonlyArray<AnswerEvent>; readonly position: Position } => {
  let position = from
  const events: Array<AnswerEvent> = []
  if (text !== "") {
    position = { ...position, characters: position.characters + Array.from(text).length }
    events.push({ id: eventIdOf(position), event: "message.delta", data: { text } })
  }
  for (const citation of citations) {
    position = { ...position, citations: position.citations + 1 }
    events.push({ id: eventIdOf(position), event: "message.citation", data: { citation } })
  }
  return { events, position }
}

/** The last event of the stream of an answer that has ended. */
export const finalEvent = (message: Message, position: Position): AnswerEvent => {
  const id = eventIdOf(position)
  if (message.error_code !== null) {
    return { id, event: "message.failed", data: { error_code: message.error_code } }
  }
  const event = message.status === "canceled" ? "message.canceled" : "message.completed"
  return { id, event, data: { message } }
}
