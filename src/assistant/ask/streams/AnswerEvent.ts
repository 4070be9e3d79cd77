import { Schema } from "effect"
import { field } from "../../../platform/http/Field.ts"
import { sentEvent } from "../../../platform/http/ServerSentEvents.ts"
import { ClassroomCitation } from "../../material/search/Citation.ts"
import { Message } from "../messages/Message.ts"
import { MessageErrorCode } from "../messages/MessageStatus.ts"

const id = Schema.optionalKey(Schema.String)
  .pipe(field("How far the answer has come. Sent as `Last-Event-ID`, the stream goes on from there", "12.1"))

const event = <const Name extends string, Fields extends Schema.Struct.Fields>(
  name: Name,
  about: { readonly event: string; readonly data: string; readonly example: string },
  fields: Fields
) => sentEvent(name, { id, ...about }, Schema.Struct(fields))

const exampleCitation = {
  cited_text: "Respire fundo e solte o ar devagar, sem levantar os ombros.",
  source_id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a04",
  source_kind: "lesson",
  source_title: "Respirar",
  media_id: null,
  lesson_id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a05",
  page_from: null,
  page_to: null,
  seconds: null,
  lesson_public_id: "respirar"
}
const exampleAnswer = {
  id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a07",
  role: "assistant",
  content: "Com o diafragma",
  images: [],
  citations: [exampleCitation],
  created_at: "2026-08-14T12:00:00.000Z",
  error_code: null,
  reply_to: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a06",
  completed_at: "2026-08-14T12:00:04.000Z"
}

/**
 * An event of an answer's stream. `id` is the sent part of the answer: its number of characters, and after a dot its
 * number of citations, if any. Each of the last three ends the stream.
 */
export const AnswerEvent = Schema.Union([
  event("message.delta", {
    event: "The answer goes on",
    data: "JSON of the next words",
    example: "{\"text\":\"Com o diafragma\"}"
  }, { text: Schema.String.pipe(field("The text after the words so far", "Com o diafragma")) }),
  event("message.citation", {
    event: "The answer quotes the course's material",
    data: "JSON of the citation",
    example: JSON.stringify({ citation: exampleCitation })
  }, { citation: ClassroomCitation.pipe(field("What is quoted")) }),
  event("message.completed", {
    event: "The answer is complete, and the stream ends",
    data: "JSON of the answer",
    example: JSON.stringify({ message: { ...exampleAnswer, status: "completed" } })
  }, { message: Message.pipe(field("The answer as it stays")) }),
  event("message.failed", {
    event: "The answer failed, and the stream ends",
    data: "JSON of the reason",
    example: "{\"error_code\":\"provider_unavailable\"}"
  }, { error_code: MessageErrorCode.pipe(field("Why it failed")) }),
  event("message.canceled", {
    event: "The student stopped the answer, and the stream ends",
    data: "JSON of the answer",
    example: JSON.stringify({ message: { ...exampleAnswer, status: "canceled" } })
  }, { message: Message.pipe(field("The answer with the words that it had")) })
])
export type AnswerEvent = typeof AnswerEvent.Type

/** The part of an answer that has been sent. Characters are code points, as PostgreSQL counts them. */
export interface Position {
  readonly characters: number
  readonly citations: number
}

const startPosition: Position = { characters: 0, citations: 0 }

const idPattern = /^(\d{1,9})(?:\.(\d{1,9}))?$/

/** The position that a `Last-Event-ID` names; the start if it is missing or malformed. */
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
  readonly citations: ReadonlyArray<ClassroomCitation>
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
