import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { StudentId } from "../../../src/identity/ids/StudentId.ts"
import { Enrollments } from "../../../src/membership/access/Enrollments.ts"
import { DeliveryItems } from "../../../src/membership/catalog/DeliveryItems.ts"
import { ClubOpenings } from "../../../src/membership/clubs/ClubOpenings.ts"
import { FaceImages } from "../../../src/membership/clubs/FaceImages.ts"
import { openDocument } from "../../../src/membership/students/Document.ts"
import { StudentAdmission, type StudentToAdmit } from "../../../src/membership/students/StudentAdmission.ts"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { Sealing } from "../../../src/platform/sql/Sealing.ts"
import { eventsLayer, outboxOf } from "../../events/EventsLayer.ts"
import { configLayer } from "../../harness/App.ts"
import { makeClub, makeStudent } from "../../harness/Makers.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"

const given: Array<StudentId> = []

const TestLayer = StudentAdmission.layer.pipe(
  Layer.provide([
    ClubOpenings.layer([]),
    FaceImages.layer([]),
    DeliveryItems.layer<never>([]),
    Mailer.layer,
    Layer.mock(Enrollments, {
      grantFree: (_, students) => Effect.sync(() => void given.push(...students.map(({ student_id }) => student_id)))
    })
  ]),
  Layer.provideMerge(Sealing.layer),
  Layer.provideMerge(eventsLayer()),
  Layer.provideMerge(SpansLayer),
  Layer.provide(configLayer())
)

const admit = Effect.fnUntraced(function*(club: { readonly id: ClubId }, ...arrivals: ReadonlyArray<StudentToAdmit>) {
  const sql = yield* SqlClient.SqlClient
  const admission = yield* StudentAdmission
  return yield* Effect.orDie(sql.withTransaction(admission.admit(club.id, arrivals, "purchase")))
})

const caio = { name: "Caio Reis", email: "caio@example.com" }
const dora = { name: "Dora Melo", email: "dora@example.com" }

const Row = Schema.Struct({
  id: StudentId,
  name: Schema.String,
  email: Schema.String,
  document: Schema.NullOr(Schema.Uint8Array),
  verified_at: Schema.NullOr(Schema.Date),
  password_hash: Schema.NullOr(Schema.String)
})

const rowsOf = Effect.fnUntraced(function*(club: { readonly id: ClubId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select id, name, email, document, verified_at, password_hash from students where club_id = ${club.id} order by email`
  return yield* Schema.decodeUnknownEffect(Schema.Array(Row))(rows)
})

layer(TestLayer)("Whoever comes to a club without signing up", (it) => {
  it.effect("becomes a student, unverified and without a password", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const [admitted] = yield* admit(club, caio)
      const [row = assert.fail()] = yield* rowsOf(club)
      assert.deepInclude(row, { ...caio, verified_at: null, password_hash: null })
      assert.deepStrictEqual(admitted, { student_id: row.id, created: true })
    }))

  it.effect("is a student.created with its origin", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const [admitted] = yield* admit(club, caio)
      const facts = yield* outboxOf(club)
      assert.deepStrictEqual(facts.map(({ student_id, subject, type }) => [type, student_id, subject]), [
        ["student.created", admitted?.student_id, { origin: "purchase" }]
      ])
    }))

  it.effect("has the free deliveries once those who admit them say so, if they were created", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const { email } = yield* makeStudent(club)
      const admitted = yield* admit(club, caio, { name: "Bia", email }, caio, dora)
      const created = admitted.filter((one) => one.created).map(({ student_id }) => student_id)
      assert.deepStrictEqual(given, [])
      yield* StudentAdmission.use(({ giveFree }) => giveFree(club.id, admitted))
      assert.deepStrictEqual(given, [...new Set(created)])
      yield* StudentAdmission.use(({ giveFree }) => giveFree(club.id, admitted.filter((one) => !one.created)))
      assert.strictEqual(given.length, 2)
    }))

  it.effect("is the student that they were, unchanged, where there is one", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const { email, id } = yield* makeStudent(club, { name: "Bia" })
      const document = Redacted.make("529.982.247-25")
      assert.deepStrictEqual(yield* admit(club, { name: "Other", email, document }), [{
        student_id: id,
        created: false
      }])
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`select name, document from students where id = ${id}`, [
        { name: "Bia", document: null }
      ])
      assert.deepStrictEqual(yield* outboxOf(club), [])
    }))

  it.effect("is one student where the same address comes twice, with what came first", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const admitted = yield* admit(club, caio, dora, { ...caio, name: "Somebody else" })
      assert.strictEqual(admitted[0]?.student_id, admitted[2]?.student_id)
      assert.deepStrictEqual((yield* rowsOf(club)).map(({ name }) => name), ["Caio Reis", "Dora Melo"])
    }))

  it.effect("is another student in another club", () =>
    Effect.gen(function*() {
      const [one, two] = [yield* makeClub(), yield* makeClub()]
      const first = yield* admit(one, caio)
      assert.notDeepEqual(yield* admit(two, caio), first)
    }))

  it.effect("is answered in the order in which they came, whoever was there before", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const { email, id } = yield* makeStudent(club, { email: "m@example.com" })
      const admitted = yield* admit(club, dora, { name: "", email }, caio)
      assert.deepStrictEqual(admitted.map(({ created }) => created), [true, false, true])
      assert.strictEqual(admitted[1]?.student_id, id)
      const byEmail = new Map((yield* rowsOf(club)).map((row) => [row.email, row.id]))
      assert.strictEqual(admitted[0]?.student_id, byEmail.get(dora.email))
      assert.strictEqual(admitted[2]?.student_id, byEmail.get(caio.email))
    }))

  it.effect("has a document that is stored sealed, for them alone", () =>
    Effect.gen(function*() {
      const sealing = yield* Sealing
      const club = yield* makeClub()
      yield* admit(club, { ...caio, document: Redacted.make("529.982.247-25") })
      const row = (yield* rowsOf(club))[0] ?? assert.fail()
      const sealed = row.document ?? assert.fail()
      assert.notInclude(Buffer.from(sealed).toString("latin1"), "529")
      assert.strictEqual(Redacted.value(yield* openDocument(sealing, row.id, sealed)), "529.982.247-25")
    }))

  it.effect("costs three statements, however many they are", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const many = Array.from({ length: 500 }, (_, n) => ({ name: `Many ${n}`, email: `many-${n}@example.com` }))
      const ran = yield* statements(admit(club, ...many))
      assert.strictEqual(ran.filter((text) => text !== "transaction").length, 3)
      assert.strictEqual((yield* rowsOf(club)).length, 500)
    }))

  it.effect("is created once where many bring the same people in any order at once", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const people = Array.from({ length: 600 }, (_, n) => ({ name: `P ${n}`, email: `p${n}@example.com` }))
      yield* makeStudent(club, { email: "p5@example.com" })
      const orders = Array.from({ length: 8 }, (_, n) => n % 2 === 0 ? people : people.toReversed())
      const answers = yield* Effect.forEach(orders, (order) => admit(club, ...order), { concurrency: "unbounded" })
      assert.strictEqual(answers.flat().filter(({ created }) => created).length, 599)
      assert.strictEqual(new Set(answers.flat().map(({ student_id }) => student_id)).size, 600)
      assert.strictEqual((yield* outboxOf(club)).length, 599)
    }))
})
