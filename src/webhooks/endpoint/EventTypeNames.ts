import { Result, Schema } from "effect"
import { EventType } from "../../events/EventType.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { nearest, shown } from "../../platform/http/issues/Names.ts"
import { text } from "../../platform/http/Text.ts"

const isEventType = Schema.is(EventType)

/** The name of a type that this version does not know. */
const UnlistedType = Schema.String.pipe(Schema.brand("UnlistedEventType"))

/** For the document alone: the service refuses an unknown name, with a code of its own. */
const isOneOfThem = Schema.makeFilter<string>(() => true, { toJsonSchema: () => ({ enum: EventType.literals }) })

const EventTypeName = text(1, 100).check(isOneOfThem).pipe(Schema.decodeTo(Schema.Union([EventType, UnlistedType])))

/** The name of a type of event as it is sent: one of the catalog's, or one that a newer version may know. */
export type EventTypeName = typeof EventTypeName.Type

/** The text of a type of event as an `EventTypeName`, known or not. */
export const eventTypeName = (name: string): EventTypeName => isEventType(name) ? name : UnlistedType.make(name)

/** The types that somebody chooses, each once. */
export const EventTypeNames = Schema.Array(EventTypeName).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(100),
  Schema.isUnique({ expected: "must name each type at most once" })
)

/** The catalog does not have a name in `event_types`. */
export class EventTypeUnknown extends ApiError<EventTypeUnknown>()("EventTypeUnknown", {
  status: 422,
  code: "event_type_unknown",
  message: {
    en: "event_types must be types that GET /webhook-event-types lists",
    "pt-BR": "Algum dos tipos de evento não existe."
  }
}) {}

const unknownAt = (index: number, name: string) => {
  const meant = nearest(name, EventType.literals)
  const refused = `event_types[${index}] must be a type that GET /webhook-event-types lists, and \`${
    shown(name)
  }\` is not`
  return new EventTypeUnknown({
    error: { message: meant === undefined ? refused : `${refused}; did you mean \`${meant}\`?` }
  })
}

/** The types of these names. A failure names the first unknown one, and the type that the caller may mean. */
export const parseEventTypes = (
  names: ReadonlyArray<string>
): Result.Result<ReadonlyArray<EventType>, EventTypeUnknown> => {
  const types = names.filter(isEventType)
  if (types.length === names.length) return Result.succeed(types)
  const unknown = names.findIndex((name) => !isEventType(name))
  return Result.fail(unknownAt(unknown, names[unknown] ?? ""))
}
