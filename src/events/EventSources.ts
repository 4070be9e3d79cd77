import { Context, type DateTime, Effect, Layer, Schema, type Scope } from "effect"
import type { ClubId } from "../identity/ids/ClubId.ts"
import type { StudentId } from "../identity/ids/StudentId.ts"
import { type EventData, eventData } from "./EventData.ts"
import type { EventId, EventType } from "./EventType.ts"
import { type FactOf, facts, type FactType } from "./Fact.ts"

/** A fact as the outbox holds it. `subject` has the fields that its type adds to the student. */
interface StoredFact {
  readonly club_id: ClubId
  readonly id: EventId
  readonly type: string
  readonly student_id: StudentId
  readonly subject: Readonly<Record<string, unknown>>
  readonly occurred_at: DateTime.Utc
}

/** A fact whose body is assembled. */
export interface RecordedFact<Type extends FactType> {
  readonly club_id: ClubId
  readonly id: EventId
  readonly fact: FactOf<Type>
}

/** Makes `data` of the facts of one type. Made by `eventSource`. */
export interface EventSource {
  readonly type: EventType
  /** Answers `data` as JSON of each of these facts of its type. Leaves out facts whose resource no longer exists. */
  readonly dataOf: (stored: ReadonlyArray<StoredFact>) => Effect.Effect<ReadonlyMap<EventId, unknown>>
}

/**
 * A source. `read` gets facts of many clubs at once. It reads their resources as they are now, in one statement, each
 * with its club. The body leaves out fields that the type does not have.
 */
export const eventSource = <const Type extends FactType>(
  type: Type,
  read: (facts: ReadonlyArray<RecordedFact<Type>>) => Effect.Effect<ReadonlyMap<EventId, EventData<Type>>>
): EventSource => {
  const decode = Schema.decodeUnknownEffect(facts[type])
  const encode = Schema.encodeEffect(eventData[type])
  const dataOf = Effect.fnUntraced(function*(stored: ReadonlyArray<StoredFact>) {
    const recorded = yield* Effect.forEach(
      stored,
      ({ club_id, id, student_id, subject }) =>
        Effect.map(decode({ ...subject, type, student_id }), (fact) => ({ club_id, id, fact }))
    )
    const dataById = yield* read(recorded)
    const encoded = new Map<EventId, unknown>()
    for (const [id, data] of dataById) encoded.set(id, yield* encode(data))
    return encoded
  }, Effect.orDie)
  return { type, dataOf }
}

/** The sources of all types. Each feature registers those of its own types. */
export class EventSources extends Context.Service<EventSources, {
  /** Dies if no feature has registered a source: a fact of that type could never be assembled. */
  find(type: string): Effect.Effect<EventSource>
}>()("turma/events/EventSources") {
  static readonly layer = <R>(
    features: ReadonlyArray<Effect.Effect<ReadonlyArray<EventSource>, never, R>>
  ): Layer.Layer<EventSources, never, Exclude<R, Scope.Scope>> =>
    Layer.effect(
      EventSources,
      Effect.gen(function*() {
        const sources = new Map<string, EventSource>()
        for (const source of (yield* Effect.all(features)).flat()) {
          if (sources.has(source.type)) return yield* Effect.die(new Error(`Two sources for ${source.type}`))
          sources.set(source.type, source)
        }
        const find = Effect.fnUntraced(function*(type: string) {
          const source = sources.get(type)
          return source ?? (yield* Effect.die(new Error(`No source for events of the type ${type}`)))
        })
        return EventSources.of({ find })
      })
    )
}
