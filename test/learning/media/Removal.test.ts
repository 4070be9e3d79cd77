import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { makeImage } from "../../conversation/comments/CommentsClub.ts"
import { AppLayer, enrolledStudent, foundClub, send } from "../../harness/App.ts"
import { untilBlocked } from "../../harness/Waiting.ts"

layer(AppLayer)("The removal of a student", (it) => {
  it.effect("and whoever clears away their upload do not wait for each other: the row comes before its file", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      const id = yield* makeImage(club, student)
      const [held, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      // The steps of `MediaCleanup`, one by one.
      const clearing = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        // PostgreSQL cancels the transaction that looks for a deadlock first.
        yield* sql`set local deadlock_timeout = '10ms'`
        yield* sql`select 1 from media where id = ${id} for update`
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(go)
        yield* sql`
          insert into removed_files (club_id, storage_key, removed_at)
          select club_id, storage_key, created_at from media where id = ${id}`
        yield* sql`delete from media where id = ${id}`
      })))
      yield* Deferred.await(held)
      const removing = yield* Effect.forkChild(send("DELETE", `${club.path}/students/${student.id}`, club))
      yield* untilBlocked()
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(clearing)
      assert.strictEqual((yield* Fiber.join(removing)).status, 204)
      const files = yield* sql`select storage_key from removed_files where club_id = ${club.id}`
      assert.deepStrictEqual(files, [{ storage_key: `images/${id}` }])
    }))
})
