import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { outboxOf, typesOf } from "../../events/EventsLayer.ts"
import { AppLayer, at, enrolledStudent, foundClub, outcome, send } from "../../harness/App.ts"
import { makeCatalogDelivery, makeCohort } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"

/** A club with a delivery and a cohort, links to it, and the students' calls with their codes. */
const opened = Effect.fnUntraced(function*() {
  const sql = yield* SqlClient.SqlClient
  const club = yield* foundClub()
  const delivery = yield* makeCatalogDelivery(club)
  const cohort = yield* makeCohort(club, delivery)
  const link = Effect.fnUntraced(function*(body: object = {}) {
    const sent = { delivery_id: delivery.id, ...body }
    const made = yield* send("POST", `${club.path}/registration-links`, { ...club, body: sent })
    return { id: String(at(made.json, "data", "id")), code: String(at(made.json, "data", "code")) }
  })
  const uses = ({ id }: { readonly id: string }) =>
    Effect.map(sql`select uses from registration_links where id = ${id}`, (rows) => at(rows, 0, "uses"))
  const register = ({ token }: { readonly token: string }, code: unknown, headers: Record<string, string> = {}) =>
    send("POST", `${club.path}/classroom/registrations`, { token, body: { code }, headers })
  const enrolled = sql`select student_id, source from enrollments where club_id = ${club.id}`
  return { ...club, delivery, cohort, link, uses, register, enrolled }
})

layer(AppLayer)("A student with the code of a registration link", (it) => {
  it.effect("gets the link's delivery, in its cohort, and the event goes out", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      const student = yield* enrolledStudent(club)
      const link = yield* club.link({ cohort_id: club.cohort.id })
      const answer = yield* club.register(student, link.code)
      assert.strictEqual(answer.status, 201)
      const { created_at, id, starts_at, ...rest } = Object(at(answer.json, "data"))
      assert.strictEqual(created_at, starts_at)
      assert.deepStrictEqual(rest, {
        delivery_id: club.delivery.id,
        delivery_name: club.delivery.name,
        source: "registration_link",
        active: true,
        expires_at: null,
        revoked_at: null,
        revoke_reason: null,
        cohort_id: club.cohort.id,
        cohort_name: club.cohort.name
      })
      assert.strictEqual(yield* club.uses(link), 1)
      const [fact, ...others] = yield* outboxOf(club)
      assert.deepStrictEqual([fact?.type, fact?.student_id, others.length], ["access.granted", student.id, 0])
      assert.deepStrictEqual(fact?.subject, { enrollment_id: id })
    }))

  it.effect("who has the delivery is told so, and the use is not spent", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      const student = yield* enrolledStudent(club)
      const link = yield* club.link()
      yield* club.register(student, link.code)
      assert.deepStrictEqual(outcome(yield* club.register(student, link.code)), [409, "already_enrolled"])
      assert.strictEqual(yield* club.uses(link), 1)
      assert.lengthOf(yield* club.enrolled, 1)
    }))

  it.effect("gets nothing back that a member took away, by no link, and may again once it was given back", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      const student = yield* enrolledStudent(club)
      const links = [yield* club.link(), yield* club.link({ cohort_id: club.cohort.id })] as const
      const first = yield* club.register(student, links[0].code)
      const enrollment = `${club.path}/enrollments/${String(at(first.json, "data", "id"))}`
      yield* send("POST", `${enrollment}/revoke`, club)
      for (const { code } of links) {
        assert.deepStrictEqual(outcome(yield* club.register(student, code)), [422, "registration_code_invalid"])
      }
      assert.deepStrictEqual([yield* club.uses(links[0]), yield* club.uses(links[1])], [1, 0])
      yield* send("POST", `${enrollment}/restore`, club)
      assert.deepStrictEqual(outcome(yield* club.register(student, links[1].code)), [409, "already_enrolled"])
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["access.granted", "access.revoked", "access.restored"])
    }))

  it.effect("repeats the request with its Idempotency-Key and uses the code once", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      const student = yield* enrolledStudent(club)
      const link = yield* club.link()
      const once = { "idempotency-key": "once" }
      const first = yield* club.register(student, link.code, once)
      assert.strictEqual((yield* club.register(student, link.code, once)).text, first.text)
      assert.strictEqual(yield* club.uses(link), 1)
    }))

  it.effect("is not told why a code gives nothing, and spends no use", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* opened()
      const foreign = yield* opened()
      const student = yield* enrolledStudent(club)
      const usedUp = yield* club.link({ max_uses: 1 })
      yield* club.register(yield* enrolledStudent(club), usedUp.code)
      const now = yield* DateTime.now
      const expired = yield* club.link({ expires_at: DateTime.formatIso(now) })
      const bare = yield* club.link({ delivery_id: null })
      const over = yield* makeCohort(club, club.delivery, { ends_at: now })
      const late = yield* club.link({ cohort_id: over.id })
      const old = yield* makeCatalogDelivery(club)
      const archived = yield* club.link({ delivery_id: old.id })
      yield* sql`update deliveries set archived_at = ${new Date(0)} where id = ${old.id}`
      const theirs = yield* foreign.link()
      const answers = yield* Effect.forEach(
        [usedUp.code, expired.code, bare.code, late.code, archived.code, theirs.code, "nonsense"],
        (code) => club.register(student, code)
      )
      for (const answer of answers) {
        assert.deepStrictEqual(outcome(answer), [422, "registration_code_invalid"])
        assert.strictEqual(answer.text, answers[0]?.text)
      }
      const uses = yield* Effect.forEach([expired, bare, late, archived, theirs], club.uses)
      assert.deepStrictEqual(uses, [0, 0, 0, 0, 0])
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["access.granted"])
    }))

  it.effect.each([undefined, null, "", "a".repeat(65), 7])(
    "sends it as text: not %j",
    (code) =>
      Effect.gen(function*() {
        const club = yield* opened()
        assert.deepStrictEqual(outcome(yield* club.register(yield* enrolledStudent(club), code)), [
          422,
          "validation_failed"
        ])
      })
  )

  it.effect("gets the last use of it, or not, when 20 come at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const club = yield* opened()
      const link = yield* club.link({ max_uses: 1 })
      const students = yield* Effect.forEach(Array.from({ length: 20 }), () => enrolledStudent(club))
      const answers = yield* Effect.forEach(students, (student) => club.register(student, link.code), {
        concurrency: "unbounded"
      })
      assert.lengthOf(answers.filter(({ status }) => status === 201), 1)
      const refused = answers.filter(({ status }) => status !== 201)
      for (const answer of refused) assert.deepStrictEqual(outcome(answer), [422, "registration_code_invalid"])
      assert.strictEqual(yield* club.uses(link), 1)
      assert.lengthOf(yield* club.enrolled, 1)
      assert.lengthOf(yield* outboxOf(club), 1)
    }))

  it.effect("is enrolled once, and one use is spent, when they send it 20 times at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const club = yield* opened()
      const link = yield* club.link()
      const student = yield* enrolledStudent(club)
      const answers = yield* Effect.all(Array.from({ length: 20 }, () => club.register(student, link.code)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [201, ...Array.from({ length: 19 }, () => 409)]
      )
      assert.strictEqual(yield* club.uses(link), 1)
      assert.lengthOf(yield* club.enrolled, 1)
    }))

  it.effect("uses it in their own club, and an administrator does not use it at all", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      const stranger = yield* enrolledStudent(yield* foundClub())
      const { code } = yield* club.link()
      assert.deepStrictEqual(outcome(yield* club.register(stranger, code)), [403, "forbidden"])
      assert.deepStrictEqual(outcome(yield* club.register(club, code)), [401, "unauthenticated"])
    }))
})
