import { Context, Effect } from "effect"

/** Where an answer that will be kept says whom it is about, by their UUIDs. */
export interface AnswerSubject {
  readonly about: Set<string>
}

/** Of the request with an `Idempotency-Key` that is being done; undefined where there is none. */
export const CurrentAnswerSubject = Context.Reference<AnswerSubject | undefined>("turma/http/CurrentAnswerSubject", {
  defaultValue: () => undefined
})

/**
 * For services whose answer holds what was said of people: if it is kept for its `Idempotency-Key`, it can be erased with
 * any of them. `ids` are UUIDs. Without the header it does nothing.
 */
export const answersAbout = (...ids: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.map(CurrentAnswerSubject, (subject) => {
    for (const id of ids) subject?.about.add(id)
  })
