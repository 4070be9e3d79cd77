import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { outboxOf, typesOf } from "../../events/EventsLayer.ts"
import { AppLayer, at, foundClub, outcome, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeCatalogDelivery, makeCohort, makeStudent } from "../../harness/Makers.ts"
import { confirm, newAddress, registered, signIn, signUp, studentsOf } from "../accounts/People.ts"

/** A club with a delivery, the code of a link to it, and the accesses of its students. */
const opened = Effect.fnUntraced(function*() {
  const sql = yield* SqlClient.SqlClient
  const club = yield* foundClub()
  const delivery = yield* makeCatalogDelivery(club)
  const link = Effect.fnUntraced(function*(body: object = {}) {
    const sent = { delivery_id: delivery.id, ...body }
    const made = yield* send("POST", `${club.path}/registration-links`, { ...club, body: sent })
    return String(at(made.json, "data", "code"))
  })
  const uses = Effect.map(
    sql`select coalesce(sum(uses), 0)::int as uses from registration_links where club_id = ${club.id}`,
    (rows) => at(rows, 0, "uses")
  )
  const enrolled = sql`
    select s.email, e.delivery_id, e.cohort_id, e.source from enrollments e
    join students s on s.club_id = e.club_id and s.id = e.student_id where e.club_id = ${club.id} order by e.id`
  return { ...club, side: studentsOf(club), delivery, link, uses, enrolled }
})

const close = Effect.fnUntraced(function*(club: { readonly path: string; readonly token: string }) {
  yield* send("PATCH", club.path, { ...club, body: { sign_up_open: false } })
})

layer(AppLayer)("Who signs up by a registration link", (it) => {
  it.effect("is born with it as their origin and gets its delivery in its cohort, in a closed club too", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      const cohort = yield* makeCohort(club, club.delivery)
      const registration_code = yield* club.link({ cohort_id: cohort.id, max_uses: 1 })
      yield* close(club)
      const { email } = yield* registered(club.side, { registration_code })
      assert.strictEqual((yield* signIn(club.side, email)).status, 200)
      assert.deepStrictEqual(yield* club.enrolled, [
        { email, delivery_id: club.delivery.id, cohort_id: cohort.id, source: "registration_link" }
      ])
      const facts = yield* outboxOf(club)
      assert.deepStrictEqual(typesOf(facts), ["student.created", "access.granted"])
      assert.deepStrictEqual(facts[0]?.subject, { origin: "registration_link" })
      assert.strictEqual(yield* club.uses, 1)
    }))

  it.effect("is born with it as their origin by a link that gives nothing", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      yield* registered(club.side, { registration_code: yield* club.link({ delivery_id: null }) })
      const facts = yield* outboxOf(club)
      assert.deepStrictEqual(facts.map(({ subject }) => subject), [{ origin: "registration_link" }])
      assert.deepStrictEqual(yield* club.enrolled, [])
    }))

  it.effect("gets nothing back that a member took from the student who they are, and is let in", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      const registration_code = yield* club.link()
      const { email, id } = yield* makeStudent(club, { email: yield* newAddress })
      const body = { delivery_id: club.delivery.id }
      const granted = yield* send("POST", `${club.path}/students/${id}/grants`, { ...club, body })
      yield* send("POST", `${club.path}/enrollments/${String(at(granted.json, "data", "id"))}/revoke`, club)
      yield* registered(club.side, { email, registration_code })
      assert.strictEqual((yield* signIn(club.side, email)).status, 200)
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["access.granted", "access.revoked"])
    }))

  it.effect("gets nothing of a delivery that was archived meanwhile, and is let in", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* opened()
      const registration_code = yield* club.link()
      yield* sql`update deliveries set archived_at = ${new Date(0)} where id = ${club.delivery.id}`
      yield* registered(club.side, { registration_code })
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["student.created"])
    }))

  it.effect("has a delivery once that is free as well, in the link's cohort", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      const cohort = yield* makeCohort(club, club.delivery)
      yield* send("PATCH", `${club.path}/deliveries/${club.delivery.id}`, { ...club, body: { free: true } })
      const registration_code = yield* club.link({ cohort_id: cohort.id })
      const { email } = yield* registered(club.side, { registration_code })
      assert.deepStrictEqual(yield* club.enrolled, [
        { email, delivery_id: club.delivery.id, cohort_id: cohort.id, source: "registration_link" }
      ])
    }))

  it.effect("and was a student without a password gets its delivery and is not born again", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      const free = yield* makeCatalogDelivery(club, { free: true })
      const { email } = yield* makeStudent(club)
      yield* registered(club.side, { email, registration_code: yield* club.link() })
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["access.granted"])
      const enrolled = yield* club.enrolled
      assert.deepStrictEqual(enrolled.map((row) => at(row, "delivery_id")), [club.delivery.id])
      assert.notStrictEqual(free.id, club.delivery.id)
    }))

  it.effect("when somebody has the address by now is nobody, gets nothing and spends no use", () =>
    Effect.gen(function*() {
      const mailbox = yield* Mailbox
      const club = yield* opened()
      const email = yield* newAddress
      yield* signUp(club.side, { email, registration_code: yield* club.link() })
      const token = yield* mailbox.secret(email)
      yield* makeStudent(club, { email, password_hash: "hash" })
      assert.deepStrictEqual(outcome(yield* confirm(club.side, token)), [422, "token_invalid"])
      assert.deepStrictEqual([yield* club.uses, yield* club.enrolled, yield* outboxOf(club)], [0, [], []])
    }))
})

layer(AppLayer)("Who signs up", (it) => {
  it.effect("without a code has the origin sign_up, and gets the free deliveries that are not archived", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      const free = yield* makeCatalogDelivery(club, { free: true })
      yield* makeCatalogDelivery(club, { free: true, archived_at: yield* DateTime.now })
      yield* makeCatalogDelivery(yield* foundClub(), { free: true })
      const { email } = yield* registered(club.side)
      assert.deepStrictEqual(yield* club.enrolled, [{ email, delivery_id: free.id, cohort_id: null, source: "free" }])
      const facts = yield* outboxOf(club)
      assert.deepStrictEqual(typesOf(facts), ["student.created", "access.granted"])
      assert.deepStrictEqual(facts[0]?.subject, { origin: "sign_up" })
    }))

  it.effect("in an open club with a code that is worth nothing has the origin sign_up", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      const foreign = yield* opened()
      for (
        const registration_code of [yield* club.link({ expires_at: "1970-01-01T00:00:00Z" }), yield* foreign.link()]
      ) {
        yield* registered(club.side, { registration_code })
      }
      const facts = yield* outboxOf(club)
      assert.deepStrictEqual(facts.map(({ subject }) => subject), [{ origin: "sign_up" }, { origin: "sign_up" }])
      assert.deepStrictEqual([yield* club.enrolled, yield* foreign.uses], [[], 0])
    }))
})
