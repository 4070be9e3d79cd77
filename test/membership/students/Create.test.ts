import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { boolean, listOf, nullOr, oneOf, record, string, timestamp, uuid } from "../../contract/Shape.ts"
import { outboxOf, typesOf } from "../../events/EventsLayer.ts"
import { AppLayer, at, codeOf, foundClub, keyOf, outcome, send, tokenAs } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeCatalogDelivery, makeCohort, makeCourse, makeStudent } from "../../harness/Makers.ts"
import { exchange, grantedBy, studentsOf } from "../accounts/People.ts"

const caio = { name: "Caio Reis", email: "caio@example.com" }

const Enrollment = record({
  id: uuid,
  delivery_id: uuid,
  delivery_name: string,
  source: oneOf("invitation"),
  active: boolean,
  starts_at: timestamp,
  created_at: timestamp,
  expires_at: nullOr(timestamp),
  revoked_at: nullOr(timestamp),
  revoke_reason: nullOr(string),
  cohort_id: nullOr(uuid),
  cohort_name: nullOr(string)
})

const AccessEvent = record({
  id: uuid,
  enrollment_id: uuid,
  kind: oneOf("granted"),
  occurred_at: timestamp,
  effective_expires_at: nullOr(timestamp),
  reason: nullOr(string),
  actor_user_id: nullOr(uuid),
  platform_event_id: nullOr(uuid)
})

const Student = record({
  id: uuid,
  name: string,
  email: string,
  verified: boolean,
  has_password: boolean,
  anonymized: boolean,
  created_at: timestamp,
  enrollments: listOf(Enrollment),
  access_events: listOf(AccessEvent),
  document: nullOr(string)
})

const studentsIn = Effect.fnUntraced(function*(club: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`select email from students where club_id = ${club.id}`
})

layer(AppLayer)("A student whom the staff lets in", (it) => {
  it.effect("is answered with every field of the contract and no other, as it is read afterwards", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const delivery = yield* makeCatalogDelivery(club)
      const body = { ...caio, document: "529.982.247-25", grants: [{ delivery_id: delivery.id }] }
      const created = yield* send("POST", `${club.path}/students`, { token: club.token, body })
      assert.strictEqual(created.status, 201)
      assert.deepStrictEqual(Student(at(created.json, "data")), [])
      assert.strictEqual(at(created.json, "data", "document"), "529.982.247-25")
      const id = at(created.json, "data", "id")
      const read = yield* send("GET", `${club.path}/students/${id}`, { token: club.token })
      assert.deepStrictEqual(read.json, created.json)
    }))

  it.effect("has no confirmed address and no password", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { json } = yield* send("POST", `${club.path}/students`, { token: club.token, body: caio })
      assert.deepInclude(at(json, "data"), {
        ...caio,
        verified: false,
        has_password: false,
        anonymized: false,
        enrollments: [],
        document: null
      })
    }))

  it.effect("is a student.created by invitation, then an access.granted for each grant", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const [one, two] = [yield* makeCatalogDelivery(club), yield* makeCatalogDelivery(club)]
      const cohort = yield* makeCohort(club, two)
      const grants = [
        { delivery_id: one.id, expires_at: "2999-01-01T00:00:00.000Z" },
        { delivery_id: two.id, cohort_id: cohort.id, starts_at: "2998-01-01T00:00:00.000Z", expires_at: null }
      ]
      const { json } = yield* send("POST", `${club.path}/students`, { token: club.token, body: { ...caio, grants } })
      const facts = yield* outboxOf(club)
      assert.deepStrictEqual(typesOf(facts), ["student.created", "access.granted", "access.granted"])
      assert.deepStrictEqual(facts[0]?.subject, { origin: "invitation" })
      const scheduled = { delivery_id: two.id, cohort_id: cohort.id, active: false, source: "invitation" }
      assert.deepInclude(at(json, "data", "enrollments", 0), scheduled)
      assert.deepInclude(at(json, "data", "enrollments", 1), { delivery_id: one.id, active: true })
    }))

  it.effect("has the club's free deliveries", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const free = yield* makeCatalogDelivery(club, { free: true })
      const { json } = yield* send("POST", `${club.path}/students`, { token: club.token, body: caio })
      assert.deepInclude(at(json, "data", "enrollments", 0), { delivery_id: free.id, source: "free" })
    }))

  it.effect("has a free delivery as the grant that names it says, and the others as they are", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const [named, other] = [
        yield* makeCatalogDelivery(club, { free: true }),
        yield* makeCatalogDelivery(club, { free: true })
      ]
      const cohort = yield* makeCohort(club, named)
      const terms = { delivery_id: named.id, cohort_id: cohort.id, expires_at: "2999-01-01T00:00:00.000Z" }
      const body = { ...caio, grants: [terms] }
      const created = yield* send("POST", `${club.path}/students`, { token: club.token, body })
      assert.strictEqual(created.status, 201)
      assert.deepInclude(at(created.json, "data", "enrollments", 0), { delivery_id: other.id, source: "free" })
      assert.deepInclude(at(created.json, "data", "enrollments", 1), { ...terms, source: "invitation" })
      assert.isUndefined(at(created.json, "data", "enrollments", 2))
    }))

  it.effect("is one at most with an address, whatever its case", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      yield* makeStudent(club, { email: "caio@example.com" })
      const body = { ...caio, email: "Caio@Example.com" }
      const again = yield* send("POST", `${club.path}/students`, { token: club.token, body })
      assert.deepStrictEqual(outcome(again), [409, "student_exists"])
      assert.deepStrictEqual(yield* outboxOf(club), [])
    }))

  it.effect("is one student and one event of twenty who are sent at once", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const post = send("POST", `${club.path}/students`, { token: club.token, body: caio })
      const answers = yield* Effect.all(Array.from({ length: 20 }, () => post), { concurrency: "unbounded" })
      assert.strictEqual(answers.filter(({ status }) => status === 201).length, 1)
      assert.strictEqual(answers.filter((answer) => codeOf(answer) === "student_exists").length, 19)
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["student.created"])
    }))

  it.effect.each([
    ["a delivery of another club", 422, "delivery_unknown"],
    ["a cohort of another delivery", 422, "cohort_of_other_delivery"],
    ["a delivery that another grant names", 409, "already_enrolled"],
    ["an end that is over", 422, "expires_at_not_later"],
    ["an end before the start", 422, "validation_failed"]
  ] as const)("is not created with %s", ([what, status, code]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const delivery = yield* makeCatalogDelivery(club)
      const other = yield* makeCatalogDelivery(club, { free: true })
      const foreign = yield* makeCatalogDelivery(yield* foundClub())
      const cohort = yield* makeCohort(club, other)
      const grants = {
        "a delivery of another club": { delivery_id: foreign.id },
        "a cohort of another delivery": { delivery_id: delivery.id, cohort_id: cohort.id },
        "a delivery that another grant names": { delivery_id: delivery.id, cohort_id: null },
        "an end that is over": { delivery_id: delivery.id, expires_at: "1970-01-01T00:00:00.000Z" },
        "an end before the start": {
          delivery_id: delivery.id,
          starts_at: "2030-01-02T00:00:00Z",
          expires_at: "2030-01-01T00:00:00Z"
        }
      }
      const body = { ...caio, grants: [{ delivery_id: delivery.id }, grants[what]], send_invite: true }
      const refused = yield* send("POST", `${club.path}/students`, { token: club.token, body })
      assert.deepStrictEqual(outcome(refused), [status, code])
      assert.match(String(at(refused.json, "error", "message")), /^grants\[1\]/)
      assert.deepStrictEqual(yield* studentsIn(club), [])
      assert.deepStrictEqual(yield* outboxOf(club), [])
      const mailbox = yield* Mailbox
      assert.deepStrictEqual((yield* mailbox.to(caio.email)).filter(({ text }) => text.includes(club.path)), [])
    }))

  it.effect.each([
    [{ name: "" }],
    [{ name: "x".repeat(201) }],
    [{ email: "caio" }],
    [{ document: "12" }],
    [{ document: "1".repeat(33) }],
    [{ grants: [{}] }],
    [{ send_invite: "yes" }],
    [{ phone: "1" }]
  ])("is refused with %j", ([wrong]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const refused = yield* send("POST", `${club.path}/students`, { token: club.token, body: { ...caio, ...wrong } })
      assert.deepStrictEqual(outcome(refused), [422, "validation_failed"])
      assert.notInclude(refused.text, "1".repeat(33))
      assert.deepStrictEqual(yield* studentsIn(club), [])
    }))

  it.effect("is told in the mail what they have, and led to the course if it is one", () =>
    Effect.gen(function*() {
      const mailbox = yield* Mailbox
      const club = yield* foundClub({ locale: "en" })
      const [one, two] = [yield* makeCourse(club), yield* makeCourse(club)]
      const deliveryOf = Effect.fnUntraced(function*(name: string, courses: ReadonlyArray<string>, free = false) {
        const items = courses.map((id) => ({ kind: "course", id }))
        const { json } = yield* send("POST", `${club.path}/deliveries`, {
          token: club.token,
          body: { name, items, free }
        })
        return String(at(json, "data", "id"))
      })
      yield* deliveryOf("For everybody", [two.id], true)
      const guitar = yield* deliveryOf("Guitar", [one.id])
      const both = yield* deliveryOf("Both", [one.id, two.id])
      const mailFor = Effect.fnUntraced(function*(email: string, grants: ReadonlyArray<string>) {
        const body = { name: "Caio", email, send_invite: true, grants: grants.map((delivery_id) => ({ delivery_id })) }
        yield* send("POST", `${club.path}/students`, { token: club.token, body })
        const mail = (yield* mailbox.to(email)).at(-1)
        const link = new URL(/https:\/\/\S+/.exec(mail?.text ?? "")?.[0] ?? "nothing://")
        return [mail?.subject, link.searchParams.get("next")]
      })
      assert.deepStrictEqual(yield* mailFor("a@mail.example", [guitar]), [
        "Your access to Guitar",
        `courses/${one.public_id}`
      ])
      assert.deepStrictEqual(yield* mailFor("b@mail.example", [both]), ["Your access to Both", null])
      const title = "Your access to the club Violão Fácil"
      assert.deepStrictEqual(yield* mailFor("c@mail.example", [guitar, both]), [title, null])
      assert.deepStrictEqual(yield* mailFor("d@mail.example", []), [
        "Your access to For everybody",
        `courses/${two.public_id}`
      ])
      yield* send("DELETE", `${club.path}/courses/${one.id}`, { token: club.token })
      assert.deepStrictEqual(yield* mailFor("e@mail.example", [guitar]), ["Your access to Guitar", null])
    }))

  it.effect("is let in by a mailed link, once and within 7 days, which proves the address", () =>
    Effect.gen(function*() {
      const mailbox = yield* Mailbox
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub({ locale: "en" })
      const email = "invited@example.com"
      const body = { name: "Caio Reis", email, send_invite: true }
      yield* send("POST", `${club.path}/students`, { token: club.token, body })
      const [mail, ...others] = yield* mailbox.to(email)
      assert.deepStrictEqual(others, [])
      assert.strictEqual(mail?.subject, "Your access to the club Violão Fácil")
      assert.include(mail?.text, `/classroom/${club.organization_id}/enter?code=`)
      const [{ days } = assert.fail()] = yield* sql<{ days: number }>`
        select extract(epoch from t.expires_at - s.created_at)::int / 86400 as days
        from one_time_tokens t join students s on s.id = t.student_id where s.email = ${email}`
      assert.strictEqual(days, 7)
      const side = studentsOf(club)
      const secret = yield* mailbox.secret(email)
      const session = yield* exchange(side, secret)
      const me = yield* send("GET", "/v1/auth/session", { token: grantedBy(session) })
      assert.deepInclude(at(me.json, "data", "account"), { email, verified: true })
      assert.deepStrictEqual(outcome(yield* exchange(side, secret)), [422, "code_invalid"])
    }))

  it.effect("is let in by support too, who do not see the document that they enter", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const token = yield* tokenAs(club, "support")
      const body = { ...caio, document: "52998224725" }
      const { json, text } = yield* send("POST", `${club.path}/students`, { token, body })
      assert.strictEqual(at(json, "data", "document"), null)
      assert.notInclude(text, "52998224725")
      const path = `${club.path}/students/${at(json, "data", "id")}`
      for (const role of ["support", "editor", "viewer"] as const) {
        const read = yield* send("GET", path, { token: yield* tokenAs(club, role) })
        assert.deepStrictEqual([read.status, at(read.json, "data", "document")], [200, null])
      }
      for (const role of ["owner", "admin"] as const) {
        const read = yield* send("GET", path, { token: yield* tokenAs(club, role) })
        assert.strictEqual(at(read.json, "data", "document"), "52998224725")
      }
    }))

  it.effect("shows no key of the club the document, whatever the key may do", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const keys = [yield* keyOf(club), yield* keyOf(club, { role: undefined, scopes: ["students:write"] })]
      for (const [index, { token }] of keys.entries()) {
        const body = { name: "Caio", email: `caio${index}@example.com`, document: "52998224725" }
        const created = yield* send("POST", `${club.path}/students`, { token, body })
        const path = `${club.path}/students/${at(created.json, "data", "id")}`
        const changed = yield* send("PATCH", path, { token, body: { document: "529.982.247-25" } })
        const read = yield* send("GET", path, { token })
        for (const { json, status, text } of [created, changed, read]) {
          assert.strictEqual(status < 300, true, text)
          assert.strictEqual(at(json, "data", "document"), null)
        }
        const seen = yield* send("GET", path, { token: yield* tokenAs(club, "admin") })
        assert.strictEqual(at(seen.json, "data", "document"), "529.982.247-25")
      }
    }))

  it.effect.each(["editor", "viewer"] as const)("is not let in by an %s", (role) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const token = yield* tokenAs(club, role)
      const refused = yield* send("POST", `${club.path}/students`, { token, body: caio })
      assert.deepStrictEqual(outcome(refused), [403, "forbidden"])
    }))
})
