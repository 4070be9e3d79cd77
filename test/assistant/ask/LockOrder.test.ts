import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { makeImage } from "../../conversation/comments/CommentsClub.ts"
import { outcome } from "../../harness/App.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { ask, classroom, WorldLayer } from "../World.ts"

layer(WorldLayer)("A question with images", (it) => {
  const kinds: ReadonlyArray<readonly [string, Record<string, string>]> = [
    ["", {}],
    [", with an Idempotency-Key too", { "idempotency-key": "once" }]
  ]
  for (const [also, headers] of kinds) {
    it.effect(`waits for the student first, and holds no image until then${also}`, () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const place = yield* classroom
        const image = yield* makeImage(place.club, place.student, { purpose: "ask" })
        const asking = yield* whileHeld(
          sql`select 1 from students where id = ${place.student.id} for no key update`,
          Effect.gen(function*() {
            const asking = yield* Effect.forkChild(ask(place, "O que é isto?", { media_ids: [image] }, headers))
            yield* untilBlocked()
            // A removal also locks the student first, and then deletes their uploads.
            yield* sql`delete from media where id = ${image}`
            return asking
          })
        )
        assert.deepStrictEqual(outcome(yield* Fiber.join(asking)), [422, "media_unknown"])
        assert.deepStrictEqual(yield* sql`select 1 from messages where student_id = ${place.student.id}`, [])
      }))
  }
})
