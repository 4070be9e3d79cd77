import { Effect } from "effect"
import type { StudentEraser } from "../../identity/erasure/StudentErasers.ts"
import { IdempotencyKeys } from "../../platform/idempotency/IdempotencyKeys.ts"

/** Empties the answers about a student that are kept for their `Idempotency-Key`. Counts `kept_answers`. */
export const answerEraser: Effect.Effect<StudentEraser, never, IdempotencyKeys> = Effect.map(
  IdempotencyKeys,
  (keys) => ({
    erase: Effect.fn("AnswerEraser.erase")(function*({ student_id }) {
      return { kept_answers: yield* keys.eraseAbout(student_id) }
    })
  })
)
