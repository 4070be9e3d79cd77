import { Effect } from "effect"
import type { StudentEraser } from "../../identity/erasure/StudentErasers.ts"
import { IdempotencyKeys } from "../../platform/idempotency/IdempotencyKeys.ts"

/**
 * Empties the answers about a student that are stored for their `Idempotency-Key`. Counts `kept_answers`. Comes after the
 * erasers that may wait for a request: its answer is stored by then.
 */
export const idempotencyEraser: Effect.Effect<StudentEraser, never, IdempotencyKeys> = Effect.map(
  IdempotencyKeys,
  (keys) => ({
    turn: "referred",
    erase: Effect.fn("IdempotencyEraser.erase")(function*({ student_id }) {
      return { kept_answers: yield* keys.eraseAbout(student_id) }
    })
  })
)
