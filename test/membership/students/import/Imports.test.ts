import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { StudentId } from "../../../../src/identity/ids/StudentId.ts"
import { openDocument } from "../../../../src/membership/students/Document.ts"
import { Sealing } from "../../../../src/platform/sql/Sealing.ts"
import { outboxOf } from "../../../events/EventsLayer.ts"
import { foundClub } from "../../../harness/App.ts"
import { makeCatalogDelivery, makeCohort, makeEnrollment, makeStudent } from "../../../harness/Makers.ts"
import {
  completed,
  countsOf,
  errorsOf,
  ImportLayer,
  importRows,
  openClub,
  people,
  readImport,
  sendRows,
  studentsOf,
  workAll
} from "./Importing.ts"

const factsOf = (club: Parameters<typeof outboxOf>[0]) =>
  Effect.map(outboxOf(club), (facts) => facts.map(({ type }) => type).toSorted())

layer(ImportLayer)("An import", (it) => {
  it.effect("makes students of origin import, with what they get access to", () =>
    Effect.gen(function*() {
      const club = yield* openClub
      const sent = yield* sendRows(club, "nome;e-mail;curso\nAna;Ana@Example.com;violao\nBia;bia@example.com;\n")
      assert.deepStrictEqual(countsOf(sent), { ...completed(2, {}), status: "pending", processed: 0 })
      assert.deepStrictEqual([sent.actor_user_id, sent.finished_at, sent.dry_run], [club.owner.id, null, false])
      yield* workAll
      assert.deepStrictEqual(
        countsOf(yield* readImport(club, sent.id)),
        completed(2, { created: 2, granted: 1 })
      )
      assert.deepStrictEqual(yield* studentsOf(club), [
        { name: "Ana", email: "ana@example.com", deliveries: ["Violão"] },
        { name: "Bia", email: "bia@example.com", deliveries: [] }
      ])
      const facts = yield* outboxOf(club)
      assert.deepStrictEqual(facts.filter(({ type }) => type === "student.created").map(({ subject }) => subject), [
        { origin: "import" },
        { origin: "import" }
      ])
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`
        select e.source, a.actor_user_id from enrollments e join access_events a
        on a.club_id = e.club_id and a.enrollment_id = e.id where e.club_id = ${club.id}`
      assert.deepStrictEqual(rows, [{ source: "import", actor_user_id: club.owner.id }])
    }))

  it.effect("gives a free delivery in the cohort and until the end that its row names", () =>
    Effect.gen(function*() {
      const club = yield* openClub
      const free = yield* makeCatalogDelivery(club, { name: "Gratuita", free: true })
      const cohort = yield* makeCohort(club, free, { name: "Maio" })
      const result = yield* importRows(club, [
        {
          name: "Ana",
          email: "ana@example.com",
          delivery: "Gratuita",
          cohort: "Maio",
          expires_at: "2030-01-01T00:00:00Z"
        },
        { name: "Bia", email: "bia@example.com" }
      ])
      assert.deepStrictEqual(countsOf(result), completed(2, { created: 2, granted: 1 }))
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`
        select s.name, e.source, e.cohort_id, e.expires_at from enrollments e
        join students s on s.club_id = e.club_id and s.id = e.student_id where e.club_id = ${club.id} order by s.name`
      assert.deepStrictEqual(rows, [
        { name: "Ana", source: "import", cohort_id: cohort.id, expires_at: new Date("2030-01-01T00:00:00Z") },
        { name: "Bia", source: "free", cohort_id: null, expires_at: null }
      ])
    }))

  it.effect("changes nothing and tells nothing when it is repeated", () =>
    Effect.gen(function*() {
      const club = yield* openClub
      const rows = [
        ...people(3, { delivery: "Violão", expires_at: "2030-01-01" }),
        { name: "X", email: "ana0@example.com", delivery: "Harmonia" }
      ]
      assert.deepStrictEqual(
        countsOf(yield* importRows(club, rows)),
        completed(4, { created: 3, existing: 1, granted: 4 })
      )
      const [students, facts] = [yield* studentsOf(club), yield* outboxOf(club)]
      assert.deepStrictEqual(countsOf(yield* importRows(club, rows)), completed(4, { existing: 4 }))
      assert.deepStrictEqual(yield* studentsOf(club), students)
      assert.deepStrictEqual(yield* outboxOf(club), facts)
    }))

  it.effect("leaves a student as they are, and gives them what they do not have", () =>
    Effect.gen(function*() {
      const club = yield* openClub
      const ana = yield* makeStudent(club, { name: "Ana", email: "ana@example.com" })
      yield* makeEnrollment(club, ana, club.violao)
      const result = yield* importRows(club, [
        { name: "Other", email: "ANA@example.com", document: "123", delivery: "Violão" },
        { name: "Another", email: "ana@example.com", delivery: "Harmonia" }
      ])
      assert.deepStrictEqual(countsOf(result), completed(2, { existing: 2, granted: 1 }))
      assert.deepStrictEqual(yield* studentsOf(club), [
        { name: "Ana", email: "ana@example.com", deliveries: ["Harmonia", "Violão"] }
      ])
      assert.deepStrictEqual(yield* factsOf(club), ["access.granted"])
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`select document from students where club_id = ${club.id}`, [{ document: null }])
    }))

  it.effect("takes the first row of an address for who they are, and all of them for what they get", () =>
    Effect.gen(function*() {
      const club = yield* openClub
      const file = "name,email,delivery\nAna,ana@example.com,Harmonia\nBia,bia@example.com,\n" +
        "Zoe,Ana@example.com,Violão\nAna,ana@example.com,Violão\n"
      assert.deepStrictEqual(
        countsOf(yield* importRows(club, file)),
        completed(4, { created: 2, existing: 2, granted: 2 })
      )
      assert.deepStrictEqual((yield* studentsOf(club))[0], {
        name: "Ana",
        email: "ana@example.com",
        deliveries: ["Harmonia", "Violão"]
      })
    }))

  it.effect("gives an access its cohort and its end", () =>
    Effect.gen(function*() {
      const club = yield* openClub
      const cohort = yield* makeCohort(club, club.violao, { name: "Março" })
      yield* importRows(club, "email,name,produto,turma,validade\na@example.com,Ana,Violão,marco,31/12/2030\n")
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`select cohort_id, expires_at from enrollments where club_id = ${club.id}`, [
        { cohort_id: cohort.id, expires_at: new Date("2030-12-31T23:59:59.999Z") }
      ])
    }))

  it.effect("keeps the tax document sealed, and no row in readable form", () =>
    Effect.gen(function*() {
      const club = yield* openClub
      yield* sendRows(club, [{ name: "Ana Secreta", email: "ana@example.com", document: "123.456.789-09" }])
      const sql = yield* SqlClient.SqlClient
      const [chunk] = yield* sql<{ content: Uint8Array }>`
        select content from student_import_chunks where club_id = ${club.id}`
      assert.isDefined(chunk)
      assert.notMatch(Buffer.from(chunk.content).toString("latin1"), /Secreta|example|123.?456/)
      yield* workAll
      const [student] = yield* sql<{ id: string; document: Uint8Array }>`
        select id, document from students where club_id = ${club.id}`
      const opened = yield* openDocument(
        yield* Sealing,
        StudentId.make(student?.id ?? ""),
        student?.document ?? new Uint8Array()
      )
      assert.strictEqual(Redacted.value(opened), "123.456.789-09")
      assert.deepStrictEqual(yield* sql`select 1 from student_import_chunks where club_id = ${club.id}`, [])
    }))

  it.effect("goes on past rows with errors, and names line and field of each", () =>
    Effect.gen(function*() {
      const club = yield* openClub
      const late = yield* makeCohort(club, club.violao, {
        name: "Late",
        starts_at: DateTime.makeUnsafe("2030-06-01T00:00:00Z")
      })
      yield* makeCohort(club, club.violao, { name: "Over", ends_at: DateTime.makeUnsafe(0) })
      const bad = [
        ",no-name@example.com,,,",
        "Ana,,,,",
        "Ana,nobody,,,",
        "Ana,a1@example.com,Piano,,",
        "Ana,a2@example.com,Violão,Abril,",
        "Ana,a3@example.com,Violão,,31/02/2030",
        "Ana,a4@example.com,,,2030-01-01",
        "Ana,a5@example.com,Violão,,1970-01-01T00:00:00Z",
        `Ana,a6@example.com,Violão,${late.id},2030-01-01`,
        "Ana,a7@example.com,Violão,Over,",
        "Ana,a8@example.com,Violão,,,,x",
        ",nobody,,,"
      ]
      const rows = Array.from({ length: 48 }, (_, n) => bad[n % bad.length])
      const file = ["name,email,delivery,cohort,expires_at", ...rows, "Bia,bia@example.com,Violão,,", ""].join("\n")
      const { id, ...result } = yield* importRows(club, file)
      assert.deepStrictEqual(countsOf({ id, ...result }), completed(49, { created: 1, granted: 1, failed: 48 }))
      const expected = [
        ["name required"],
        ["email required"],
        ["email invalid"],
        ["delivery unknown"],
        ["cohort unknown"],
        ["expires_at invalid"],
        ["delivery required"],
        ["expires_at passed"],
        ["expires_at passed"],
        ["cohort passed"],
        ["row too_many_cells"],
        ["name required", "email invalid"]
      ]
      const named = rows.flatMap((_, n) => (expected[n % bad.length] ?? []).map((what) => `${n + 2} ${what}`))
      assert.sameMembers(yield* errorsOf(club, id), named)
      const lines = (yield* errorsOf(club, id)).map((error) => Number.parseInt(error, 10))
      assert.deepStrictEqual(lines, lines.toSorted((a, b) => a - b))
      assert.deepStrictEqual((yield* studentsOf(club)).map(({ email }) => email), ["bia@example.com"])
    }))

  it.effect("is completed at once where no row is right", () =>
    Effect.gen(function*() {
      const club = yield* openClub
      const sent = yield* sendRows(club, [{ name: "", email: "" }])
      assert.deepStrictEqual(countsOf(sent), completed(1, { failed: 1 }))
      assert.isNotNull(sent.finished_at)
      assert.strictEqual(yield* workAll, 0)
    }))

  it.effect("fails the rows of a delivery that was archived before their turn came", () =>
    Effect.gen(function*() {
      const club = yield* openClub
      const { id } = yield* sendRows(club, people(2, { delivery: "Violão" }))
      const sql = yield* SqlClient.SqlClient
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`update deliveries set archived_at = ${now} where club_id = ${club.id} and id = ${club.violao.id}`
      yield* workAll
      assert.deepStrictEqual(countsOf(yield* readImport(club, id)), completed(2, { failed: 2 }))
      assert.deepStrictEqual(yield* errorsOf(club, id), ["1 delivery unknown", "2 delivery unknown"])
      assert.deepStrictEqual(yield* studentsOf(club), [])
    }))

  it.effect("knows nothing of another club's deliveries and students", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* openClub, yield* foundClub()]
      yield* makeStudent(club, { email: "ana@example.com" })
      const result = yield* importRows(other, [
        { name: "Ana", email: "ana@example.com" },
        { name: "Bia", email: "bia@example.com", delivery: club.violao.id },
        { name: "Cai", email: "cai@example.com", delivery: "Violão" }
      ])
      assert.deepStrictEqual(countsOf(result), completed(3, { created: 1, failed: 2 }))
      assert.deepStrictEqual(yield* errorsOf(other, result.id), ["2 delivery unknown", "3 delivery unknown"])
      assert.strictEqual((yield* studentsOf(club)).length, 1)
    }))

  it.effect("takes 5,000 rows", () =>
    Effect.gen(function*() {
      const club = yield* openClub
      const result = yield* importRows(club, people(5000, { delivery: "Violão", document: "123.456.789-09" }))
      assert.deepStrictEqual(countsOf(result), completed(5000, { created: 5000, granted: 5000 }))
      assert.strictEqual((yield* outboxOf(club)).length, 10_000)
    }))
})
