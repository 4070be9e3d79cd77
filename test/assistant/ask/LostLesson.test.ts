import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at, outcome, send } from "../../harness/App.ts"
import { ask, askPath, cancel, type Classroom, classroom, message, messagePath, work, WorldLayer } from "../World.ts"

/** The ways in which a student loses a lesson. */
const losses: ReadonlyArray<
  readonly [string, (place: Classroom) => Effect.Effect<unknown, unknown, SqlClient.SqlClient>]
> = [
  ["the access ended", ({ student }) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`update enrollments set revoked_at = ${now}, revoke_reason = 'manual' where student_id = ${student.id}`
    })],
  ["the lesson is a draft again", ({ lesson }) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`update lessons set published_at = null where id = ${lesson.id}`
    })],
  ["the lesson opens later", ({ lesson }) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`update lessons set opens_at = '2100-01-01' where id = ${lesson.id}`
    })]
]

layer(WorldLayer)("What was asked about a lesson", (it) => {
  it.effect.each(losses)("is not there once %s, since answers quote it", ([, lose]) =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { club, student } = place
      const asked = yield* ask(place)
      yield* work
      const id = (part: string) => String(at(asked.json, "data", part, "id"))
      const conversation = `${club.path}/classroom/ask/conversations/${id("conversation")}`
      const requests = [
        send("GET", conversation, student),
        send("GET", `${conversation}/messages`, student),
        message(place, id("message")),
        message(place, id("reply")),
        send("GET", `${messagePath(place, id("reply"))}/stream`, student),
        cancel(place, id("reply")),
        send("GET", askPath(place), student),
        send("GET", `${askPath(place)}/conversations`, student)
      ]
      for (const request of requests) assert.strictEqual((yield* request).status, 200)
      yield* lose(place)
      for (const request of requests) assert.deepStrictEqual(outcome(yield* request), [404, "not_found"])
    }))
})
