import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger } from "effect"
import type { HttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { StudentRemoved } from "../../../src/identity/students/StudentRemoved.ts"
import { Points } from "../../../src/learning/gamification/Points.ts"
import { StudentAdmission } from "../../../src/membership/students/StudentAdmission.ts"
import { Email } from "../../../src/platform/http/Text.ts"
import { AppLayer, at, foundClub, listAt, send } from "../../harness/App.ts"
import { makeCatalogDelivery, makeStudent } from "../../harness/Makers.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { access, studentsOf } from "../accounts/People.ts"

// Only the log has the cause of a failed request.
const LoggedLayer = Layer.provideMerge(AppLayer, Logger.layer([Logger.consoleLogFmt]))

layer(LoggedLayer)("A student who is removed", (it) => {
  it.effect("is given no points, and nothing is written about them, while they are being removed", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const { id } = yield* makeStudent(club)
      const removal = sql`
        update students set email = ${`${id}@anonymized.invalid`}, removed_at = ${new Date(0)} where id = ${id}`
      const points = yield* Points
      const adjustment = { points: 1, reason: "Bia asked" }
      const adjusting = yield* whileHeld(
        removal,
        Effect.gen(function*() {
          const fiber = yield* Effect
            .forkChild(sql.withTransaction(points.adjust(club.id, id, club.owner.id, adjustment)))
          yield* untilBlocked()
          return fiber
        })
      )
      assert.instanceOf(yield* Effect.flip(Fiber.join(adjusting)), StudentRemoved)
      assert.deepStrictEqual(yield* sql`select 1 from point_entries where student_id = ${id}`, [])
    }))

  it.effect("is somebody new to whoever admits the address meanwhile", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const admission = yield* StudentAdmission
      const club = yield* foundClub()
      const { email, id } = yield* makeStudent(club)
      const removal = sql`
        update students set email = ${`${id}@anonymized.invalid`}, removed_at = ${new Date(0)} where id = ${id}`
      const admitting = yield* whileHeld(
        removal,
        Effect.gen(function*() {
          const fiber = yield* Effect
            .forkChild(sql.withTransaction(admission.admit(club.id, [{ name: "Bia", email }], "purchase")))
          yield* untilBlocked()
          return fiber
        })
      )
      const [admitted] = yield* Fiber.join(admitting)
      assert.isTrue(admitted?.created)
      assert.notStrictEqual(admitted?.student_id, id)
    }))

  it.effect("leaves nothing, whatever happens to them at the same time", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const admission = yield* StudentAdmission
      const club = yield* foundClub()
      const delivery = yield* makeCatalogDelivery(club)
      for (let round = 0; round < 15; round++) {
        const student = yield* makeStudent(club, { email: `race-${round}@example.com` })
        const path = `${club.path}/students/${student.id}`
        const { token } = club
        const arrival = { name: "Bia again", email: Email.make(student.email) }
        const all: ReadonlyArray<
          readonly [string, Effect.Effect<{ readonly status: number }, unknown, HttpClient.HttpClient>]
        > = [
          ["grant", send("POST", `${path}/grants`, { token, body: { delivery_id: delivery.id, reason: "Bia asked" } })],
          ["points", send("POST", `${path}/points`, { token, body: { points: 1, reason: "Bia asked" } })],
          [
            "move",
            send("PATCH", path, { token, body: { email: `moved-${round}@example.com`, document: "52998224725" } })
          ],
          ["remove", send("DELETE", path, { token })],
          ["admit", Effect.as(sql.withTransaction(admission.admit(club.id, [arrival], "purchase")), { status: 200 })],
          ["access", access(studentsOf(club), student.email)],
          ["read", send("GET", path, { token })]
        ]
        // Each round begins with another request.
        const rotated = [...all.slice(round % all.length), ...all.slice(0, round % all.length)]
        const answers = yield* Effect.forEach(
          rotated,
          ([name, request]) => Effect.map(request, ({ status }) => [name, status] as const),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.filter(([, status]) => status >= 500), [])
        const rows = yield* sql`
          select s.email, s.document, s.removed_at is not null as removed,
            (select count(*)::int from point_entries p where p.student_id = s.id and reason is not null) as point_reasons,
            (select count(*)::int from access_events e where e.student_id = s.id and reason is not null) as reasons,
            (select count(*)::int from enrollments e where e.student_id = s.id and revoked_at is null) as enrollments,
            (select count(*)::int from student_sessions t where t.student_id = s.id) as sessions,
            (select count(*)::int from event_outbox o where o.student_id = s.id and type <> 'student.removed') as facts
          from students s where s.id = ${student.id}`
        assert.deepStrictEqual(rows, [{
          email: `${student.id}@anonymized.invalid`,
          document: null,
          removed: true,
          point_reasons: 0,
          reasons: 0,
          enrollments: 0,
          sessions: 0,
          facts: 0
        }])
      }
      const { json } = yield* send("GET", `${club.path}/students?limit=100`, { token: club.token })
      for (const student of listAt(json, "data")) assert.strictEqual(at(student, "name"), "Bia again")
    }))
})
