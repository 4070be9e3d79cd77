import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Role } from "../../../src/identity/people/Role.ts"
import { outboxOf, typesOf } from "../../events/EventsLayer.ts"
import { AppLayer, at, enrolledStudent, foundClub, outcome, send, tokenAs } from "../../harness/App.ts"
import { makeCatalogDelivery, makeCohort, makeEnrollment, makeStudent } from "../../harness/Makers.ts"
import { historyIn, kindsOf, makePurchase } from "./AccessLayer.ts"

const open = Effect.fn("open")(function*(given: Parameters<typeof makeCatalogDelivery>[1] = {}) {
  const club = yield* foundClub()
  const delivery = yield* makeCatalogDelivery(club, given)
  const student = yield* makeStudent(club)
  const grants = `${club.path}/students/${student.id}/grants`
  const token = yield* tokenAs(club, "support")
  const post = (path: string, body?: unknown) => send("POST", path, { token, body })
  const to = (id: string, what: string) => `${club.path}/enrollments/${id}/${what}`
  return { club, delivery, student, grants, token, post, to }
})

const iso = (days: number) =>
  Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.addDuration(now, Duration.days(days))))

const nobody = "0190a000-0000-7000-8000-000000000001"

layer(AppLayer)("POST /students/{studentId}/grants", (it) => {
  it.effect("gives access, and answers it", () =>
    Effect.gen(function*() {
      const { club, delivery, grants, post, student } = yield* open({ default_access_days: 30 })
      const cohort = yield* makeCohort(club, delivery)
      const given = yield* post(grants, { delivery_id: delivery.id, cohort_id: cohort.id, reason: "Bolsa" })
      assert.strictEqual(given.status, 201)
      const now = yield* iso(0)
      assert.deepStrictEqual(at(given.json, "data"), {
        id: at(given.json, "data", "id"),
        delivery_id: delivery.id,
        delivery_name: delivery.name,
        source: "grant",
        active: true,
        starts_at: now,
        created_at: now,
        expires_at: yield* iso(30),
        revoked_at: null,
        revoke_reason: null,
        cohort_id: cohort.id,
        cohort_name: cohort.name
      })
      const [fact] = yield* outboxOf(club)
      assert.deepInclude(fact, { type: "access.granted", student_id: student.id })
      const [noted] = yield* historyIn(club)
      assert.strictEqual(noted?.reason, "Bolsa")
      assert.isNotNull(noted?.actor_user_id)
    }))

  it.effect("takes start and end as they are asked for", () =>
    Effect.gen(function*() {
      const { delivery, grants, post } = yield* open({ default_access_days: 30 })
      const starts_at = yield* iso(2)
      const given = yield* post(grants, { delivery_id: delivery.id, cohort_id: null, starts_at, expires_at: null })
      assert.strictEqual(given.status, 201)
      assert.strictEqual(at(given.json, "data", "starts_at"), starts_at)
      assert.isNull(at(given.json, "data", "expires_at"))
      assert.isFalse(at(given.json, "data", "active"))
    }))

  it.effect("names what is wrong, and changes nothing", () =>
    Effect.gen(function*() {
      const { club, delivery, grants, post } = yield* open()
      const archived = yield* makeCatalogDelivery(club, { archived_at: yield* DateTime.now })
      const cohort = yield* makeCohort(club, yield* makeCatalogDelivery(club))
      const foreign = yield* open()
      const delivery_id = delivery.id
      const over = yield* makeCohort(club, delivery, { ends_at: DateTime.makeUnsafe(-1) })
      const refused: ReadonlyArray<readonly [unknown, number, string]> = [
        [{ delivery_id: nobody }, 422, "delivery_unknown"],
        [{ delivery_id: foreign.delivery.id }, 422, "delivery_unknown"],
        [{ delivery_id: archived.id }, 422, "delivery_unknown"],
        [{ delivery_id, cohort_id: cohort.id }, 422, "cohort_of_other_delivery"],
        [{ delivery_id, cohort_id: nobody }, 422, "cohort_of_other_delivery"],
        [{ delivery_id, expires_at: yield* iso(0) }, 422, "expires_at_not_later"],
        [{ delivery_id, starts_at: yield* iso(3), expires_at: yield* iso(2) }, 422, "expires_at_not_later"],
        [{ delivery_id, cohort_id: over.id }, 422, "expires_at_not_later"],
        [{ delivery_id, reason: "" }, 422, "validation_failed"],
        [{ delivery_id, reason: "r".repeat(501) }, 422, "validation_failed"],
        [{ delivery_id, starts_at: null }, 422, "validation_failed"],
        [{ delivery_id, source: "purchase" }, 422, "validation_failed"],
        [{}, 422, "validation_failed"]
      ]
      for (const [body, ...expected] of refused) {
        assert.deepStrictEqual(outcome(yield* post(grants, body)), expected, JSON.stringify(body))
      }
      assert.deepStrictEqual(yield* historyIn(club), [])
      assert.deepStrictEqual(yield* outboxOf(club), [])
    }))

  it.effect("refuses what the student has, from whatever source, and one who is not there or was removed", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, delivery, grants, post, student } = yield* open()
      yield* makeEnrollment(club, student, delivery, { source: "invitation", starts_at: DateTime.makeUnsafe(1e12) })
      const body = { delivery_id: delivery.id }
      assert.deepStrictEqual(outcome(yield* post(grants, body)), [409, "already_enrolled"])
      assert.deepStrictEqual(outcome(yield* post(`${club.path}/students/${nobody}/grants`, body)), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* post(`${club.path}/students/x/grants`, body)), [404, "not_found"])
      const foreign = yield* open()
      const foreignGrants = `${club.path}/students/${foreign.student.id}/grants`
      assert.deepStrictEqual(outcome(yield* post(foreignGrants, body)), [404, "not_found"])
      yield* sql`update students set removed_at = ${new Date(0)} where id = ${student.id}`
      assert.deepStrictEqual(outcome(yield* post(grants, body)), [409, "student_removed"])
    }))

  it.effect("is done once for one Idempotency-Key", () =>
    Effect.gen(function*() {
      const { delivery, grants, token } = yield* open()
      const request = { token, body: { delivery_id: delivery.id }, headers: { "idempotency-key": "one" } }
      const first = yield* send("POST", grants, request)
      const second = yield* send("POST", grants, request)
      assert.strictEqual(first.status, 201)
      assert.strictEqual(second.text, first.text)
      assert.deepStrictEqual(outcome(yield* send("POST", grants, { ...request, headers: {} })), [
        409,
        "already_enrolled"
      ])
    }))
})

layer(AppLayer)("An enrollment", (it) => {
  it.effect("is revoked and restored, with or without a body", () =>
    Effect.gen(function*() {
      const { club, delivery, post, student, to } = yield* open()
      const { id } = yield* makeEnrollment(club, student, delivery)
      const answers = [
        yield* post(to(id, "revoke")),
        yield* post(to(id, "restore")),
        yield* post(to(id, "revoke"), {}),
        yield* post(to(id, "restore"), {}),
        yield* post(to(id, "revoke"), { reason: "Pediu para sair" }),
        yield* post(to(id, "restore"), { reason: "Voltou" })
      ]
      assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200, 200, 200, 200, 200])
      assert.deepStrictEqual(
        answers.map(({ json }) => [at(json, "data", "active"), at(json, "data", "revoke_reason")]),
        [[false, "manual"], [true, null], [false, "manual"], [true, null], [false, "manual"], [true, null]]
      )
      const reasons = (yield* historyIn(club)).map(({ reason }) => reason)
      assert.deepStrictEqual(reasons, [null, null, null, null, "Pediu para sair", "Voltou"])
    }))

  it.effect("needs no body for that, as the description says", () =>
    Effect.gen(function*() {
      const { json } = yield* send("GET", "/openapi.json")
      const required = ["revoke", "restore", "extend"].map((what) => {
        const path = `/v1/clubs/{clubId}/enrollments/{enrollmentId}/${what}`
        return at(json, "paths", path, "post", "requestBody", "required")
      })
      assert.deepStrictEqual(required, [false, false, true])
    }))

  it.effect("takes nothing but a reason for that", () =>
    Effect.gen(function*() {
      const { club, delivery, post, student, to } = yield* open()
      const { id } = yield* makeEnrollment(club, student, delivery)
      for (const body of ["{", "[]", { reason: 1 }, { reason: "" }, { expires_at: null }]) {
        const { status } = yield* post(to(id, "revoke"), body)
        assert.strictEqual(status, body === "{" ? 400 : 422, JSON.stringify(body))
      }
      assert.deepStrictEqual(yield* historyIn(club), [])
    }))

  it.effect("is extended, shortened and moved", () =>
    Effect.gen(function*() {
      const { club, delivery, post, student, to } = yield* open()
      const cohort = yield* makeCohort(club, delivery)
      const { id } = yield* makeEnrollment(club, student, delivery, { expires_at: DateTime.makeUnsafe(1e12) })
      const longer = yield* post(to(id, "extend"), { expires_at: "2030-01-01T00:00:00-03:00" })
      assert.strictEqual(at(longer.json, "data", "expires_at"), "2030-01-01T03:00:00.000Z")
      const endless = yield* post(to(id, "extend"), { expires_at: null, reason: "Vitalício" })
      assert.isNull(at(endless.json, "data", "expires_at"))
      const shorter = yield* post(to(id, "shorten"), { expires_at: "2029-01-01T00:00:00Z" })
      assert.strictEqual(at(shorter.json, "data", "expires_at"), "2029-01-01T00:00:00.000Z")
      const moved = yield* post(to(id, "move"), { cohort_id: cohort.id })
      assert.strictEqual(at(moved.json, "data", "cohort_name"), cohort.name)
      const out = yield* post(to(id, "move"), { cohort_id: null })
      assert.isNull(at(out.json, "data", "cohort_name"))
      const kinds = ["extended", "extended", "shortened", "moved", "moved"]
      assert.deepStrictEqual(kindsOf(yield* historyIn(club)), kinds)
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), kinds.map((kind) => `access.${kind}`))
    }))

  it.effect("is neither given nor extended until a time that is over, and is told so", () =>
    Effect.gen(function*() {
      const { club, delivery, grants, post, student, to } = yield* open()
      const { id } = yield* makeEnrollment(club, student, delivery, {
        starts_at: DateTime.makeUnsafe(-2e10),
        expires_at: DateTime.makeUnsafe(-1e10)
      })
      yield* TestClock.adjust("1 hour")
      const past = { starts_at: "1970-01-01T00:00:00.000Z", expires_at: yield* iso(0) }
      const answers = [
        yield* post(grants, { delivery_id: delivery.id, ...past }),
        yield* post(to(id, "extend"), { expires_at: past.expires_at })
      ]
      for (const answer of answers) {
        assert.deepStrictEqual(outcome(answer), [422, "expires_at_not_later"])
        assert.strictEqual(at(answer.json, "error", "message"), "expires_at must be a time in the future")
      }
      assert.deepStrictEqual(yield* historyIn(club), [])
      assert.deepStrictEqual(yield* outboxOf(club), [])
      assert.strictEqual((yield* post(to(id, "extend"), { expires_at: yield* iso(1) })).status, 200)
    }))

  it.effect("is not given back beside another of its delivery, unless it was bought", () =>
    Effect.gen(function*() {
      const { club, delivery, post, student, to } = yield* open()
      const over = { starts_at: DateTime.makeUnsafe(-2e10), expires_at: DateTime.makeUnsafe(-1e10) }
      const revoked = { revoked_at: DateTime.makeUnsafe(0), revoke_reason: "manual" } as const
      const taken = yield* makeEnrollment(club, student, delivery, revoked)
      const expired = yield* makeEnrollment(club, student, delivery, { ...over, source: "import" })
      const both = yield* makeEnrollment(club, student, delivery, { ...over, ...revoked, source: "invitation" })
      const bought = yield* makeEnrollment(club, student, delivery, {
        ...revoked,
        source: "purchase",
        ...(yield* makePurchase(club, student))
      })
      const live = yield* makeEnrollment(club, student, delivery, { source: "registration_link" })

      const never = { expires_at: null }
      assert.deepStrictEqual(outcome(yield* post(to(taken.id, "restore"))), [409, "already_enrolled"])
      assert.deepStrictEqual(outcome(yield* post(to(expired.id, "extend"), never)), [409, "already_enrolled"])
      assert.deepStrictEqual(yield* historyIn(club), [])
      assert.deepStrictEqual(yield* outboxOf(club), [])
      // An expired enrollment grants nothing, and a purchase stands beside the others, so both may return.
      assert.strictEqual((yield* post(to(both.id, "restore"))).status, 200)
      assert.strictEqual((yield* post(to(bought.id, "restore"))).status, 200)
      yield* post(to(live.id, "revoke"))
      assert.deepStrictEqual(outcome(yield* post(to(taken.id, "restore"))), [409, "already_enrolled"])
      yield* post(to(bought.id, "revoke"))
      assert.strictEqual((yield* post(to(taken.id, "restore"))).status, 200)
      assert.strictEqual((yield* post(to(taken.id, "shorten"), { expires_at: yield* iso(9) })).status, 200)
      assert.strictEqual((yield* post(to(taken.id, "extend"), never)).status, 200)
    }))

  it.effect("is one where many of a delivery are given back at once", () =>
    Effect.gen(function*() {
      const { club, delivery, post, student, to } = yield* open()
      const revoked = { revoked_at: DateTime.makeUnsafe(0), revoke_reason: "manual" } as const
      const all = yield* Effect.replicateEffect(makeEnrollment(club, student, delivery, revoked), 6)
      const answers = yield* Effect.forEach(all, ({ id }) => post(to(id, "restore")), { concurrency: "unbounded" })
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
      assert.strictEqual(answers.filter(({ status }) => status === 409).length, 5)
      assert.deepStrictEqual(kindsOf(yield* historyIn(club)), ["restored"])
    }))

  it.effect("is read as it is answered", () =>
    Effect.gen(function*() {
      const { club, delivery, grants, post, token } = yield* open()
      const given = yield* post(grants, { delivery_id: delivery.id })
      const path = `${club.path}/enrollments/${String(at(given.json, "data", "id"))}`
      const read = yield* send("GET", path, { token: yield* tokenAs(club, "viewer") })
      assert.deepStrictEqual([read.status, read.json], [200, given.json])
      const foreign = yield* open()
      for (const id of [nobody, "x"]) {
        const unknown = yield* send("GET", `${club.path}/enrollments/${id}`, { token })
        assert.deepStrictEqual(outcome(unknown), [404, "not_found"])
      }
      const { id } = yield* makeEnrollment(foreign.club, foreign.student, foreign.delivery)
      for (const what of ["revoke", "restore"]) {
        assert.deepStrictEqual(outcome(yield* post(`${club.path}/enrollments/${id}/${what}`)), [404, "not_found"])
      }
      assert.deepStrictEqual(yield* historyIn(foreign.club), [])
    }))

  const changes: ReadonlyArray<readonly [string, unknown]> = [
    ["revoke", {}],
    ["restore", {}],
    ["extend", { expires_at: null }],
    ["shorten", { expires_at: "2029-01-01T00:00:00Z" }],
    ["move", { cohort_id: null }]
  ]

  it.effect("changes no more once its student was removed", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, delivery, post, student, to } = yield* open()
      const { id } = yield* makeEnrollment(club, student, delivery)
      yield* sql`update students set removed_at = ${new Date(0)} where id = ${student.id}`
      for (const [what, body] of changes) {
        assert.deepStrictEqual(outcome(yield* post(to(id, what), body)), [409, "student_removed"])
        assert.deepStrictEqual(outcome(yield* post(to(nobody, what), body)), [404, "not_found"])
      }
    }))

  const mayWrite: ReadonlySet<Role> = new Set(["owner", "admin", "support"])

  it.effect.each(["owner", "admin", "editor", "support", "viewer"] as const)(
    "is changed by owner, admin and support: %s",
    (role) =>
      Effect.gen(function*() {
        const { club, delivery, grants, student, to } = yield* open()
        const token = yield* tokenAs(club, role)
        const given = yield* send("POST", grants, { token, body: { delivery_id: delivery.id } })
        assert.strictEqual(given.status, mayWrite.has(role) ? 201 : 403)
        const other = yield* makeCatalogDelivery(club)
        const { id } = yield* makeEnrollment(club, student, other)
        for (const [what, body] of changes.toReversed()) {
          const { status } = yield* send("POST", to(id, what), { token, body })
          assert.strictEqual(status === 403, !mayWrite.has(role), what)
        }
        assert.strictEqual((yield* send("GET", `${club.path}/enrollments/${id}`, { token })).status, 200)
      })
  )

  it.effect("is not a student's to read or change", () =>
    Effect.gen(function*() {
      const { club, delivery, student, to } = yield* open()
      const { token } = yield* enrolledStudent(club)
      const { id } = yield* makeEnrollment(club, student, delivery)
      assert.deepStrictEqual(outcome(yield* send("POST", to(id, "revoke"), { token })), [401, "unauthenticated"])
      const read = yield* send("GET", `${club.path}/enrollments/${id}`, { token })
      assert.deepStrictEqual(outcome(read), [401, "unauthenticated"])
    }))
})
