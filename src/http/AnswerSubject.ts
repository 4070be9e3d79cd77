import { Context, Effect } from "effect"

/** Where an answer that will be kept says whom it is about. */
export interface AnswerSubject {
  /** A UUID. */
  about: string | undefined
}

/** Of the request with an `Idempotency-Key` that is being done; undefined where there is none. */
export const CurrentAnswerSubject = Context.Reference<AnswerSubject | undefined>("turma/http/CurrentAnswerSubject", {
  defaultValue: () => undefined
})

/**
 * For services whose answer holds what was said of a person: if it is kept for its `Idempotency-Key`, it can be erased
 * with them. `id` is a UUID, one for an answer. Without the header it does nothing.
 */
export const answersAbout = (id: string): Effect.Effect<void> =>
  Effect.map(CurrentAnswerSubject, (subject) => {
    if (subject !== undefined) subject.about = id
  })
