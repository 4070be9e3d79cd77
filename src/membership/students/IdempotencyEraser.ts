import { Effect } from "effect"
import type { StudentEraser } from "../../identity/erasure/StudentErasers.ts"
import { IdempotencyKeys } from "../../platform/idempotency/IdempotencyKeys.ts"

/** Empties the answers about a student that are stored for their `Idempotency-Key`. Counts `kept_answers`. */
export const idempotencyEraser: Effect.Effect<StudentEraser, never, IdempotencyKeys> = Effect.map(
  IdempotencyKeys,
  (keys) => ({
    erase: Effect.fn("IdempotencyEraser.erase")(function*({ student_id }) {
      return { kept_answers: yield* keys.eraseAbout(student_id) }
    })
  })
)
