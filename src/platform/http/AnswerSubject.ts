import { Context, Effect } from "effect"

/** The people that a stored answer is about, by their UUIDs. */
export interface AnswerSubject {
  readonly about: Set<string>
}

/** The subject of the request with an `Idempotency-Key` that is being handled; undefined without the header. */
export const CurrentAnswerSubject = Context.Reference<AnswerSubject | undefined>(
  "turma/platform/http/CurrentAnswerSubject",
  {
    defaultValue: () => undefined
  }
)

/**
 * For services whose answer holds data about people: if it is kept for its `Idempotency-Key`, it can be erased with any
 * of them. `ids` are UUIDs. Without the header it does nothing.
 */
export const answersAbout = (...ids: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.map(CurrentAnswerSubject, (subject) => {
    for (const id of ids) subject?.about.add(id)
  })
