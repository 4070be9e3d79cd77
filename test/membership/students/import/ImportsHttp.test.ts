import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { sweepImports } from "../../../../src/membership/students/import/StudentImports.ts"
import { at, codeOf, enrolledStudent, foundClub, listAt, outcome, send, tokenAs } from "../../../harness/App.ts"
import { call } from "../../../harness/RawHttp.ts"
import { errorsOf, ImportLayer, importRows, people, sendRows, studentsOf, workAll } from "./Importing.ts"

const post = (club: { readonly path: string; readonly token: string }, body: unknown, type = "application/json") =>
  send("POST", `${club.path}/students/imports`, { token: club.token, body, headers: { "content-type": type } })

const messageIn = (answer: { readonly json: unknown }) => at(answer.json, "error", "message")

layer(ImportLayer)("Importing students", (it) => {
  it.effect.each([
    "text/csv",
    "text/csv; charset=utf-8",
    "text/csv; charset=windows-1252",
    "Text/CSV;header=present",
    "application/vnd.ms-excel",
    "application/csv; charset=utf-16",
    "text/x-csv",
    "text/comma-separated-values",
    "text/tab-separated-values"
  ])(
    "takes %s",
    (type) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const answer = yield* post(club, "name,email\nAna,ana@example.com\n", type)
        assert.deepStrictEqual([answer.status, at(answer.json, "data", "total")], [202, 1])
      })
  )

  it.effect("takes the bytes of a file in Windows-1252 as they are", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const body = Buffer.from("nome;e-mail\r\nJoão Conceição;joao@example.com\r\n", "latin1")
      const headers = { "Content-Type": "text/csv" }
      const { path, token } = club
      assert.strictEqual((yield* call("POST", `${path}/students/imports`, { token, body, headers })).status, 202)
      yield* workAll
      assert.deepStrictEqual((yield* studentsOf(club)).map(({ name }) => name), ["João Conceição"])
    }))

  it.effect("takes a file with an odd byte but for the row that has it, and tells the columns that it leaves out", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const body = Buffer.concat([
        Buffer.from("nome;sobrenome;e-mail;Cidade\r\nJoão;Conceição;joao@example.com;Óbidos\r\nIn"),
        Buffer.of(0xea),
        Buffer.from("s;Reis;ines@example.com;\r\nZoë;;zoe@example.com;\r\nA \"B\";;ab@example.com;\r\n"),
        Buffer.from("Eva;;eva@example.com;\r\n")
      ])
      const headers = { "Content-Type": "text/csv" }
      const { path, token } = club
      const answer = yield* call("POST", `${path}/students/imports`, { token, body, headers })
      const { json } = answer
      assert.deepStrictEqual(at(json, "data", "unknown_columns"), ["Cidade"])
      yield* workAll
      const id = String(at(json, "data", "id"))
      assert.deepStrictEqual(yield* errorsOf(club, id), ["3 row encoding", "5 row quotes"])
      assert.deepStrictEqual((yield* studentsOf(club)).map(({ name }) => name), ["Eva", "João Conceição", "Zoë"])
      const read = yield* send("GET", `${path}/students/imports/${id}`, { token })
      assert.deepStrictEqual(at(read.json, "data", "unknown_columns"), ["Cidade"])
    }))

  it.effect("refuses other types, and what is no JSON", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const refused = yield* post(club, "a", "text/plain")
      assert.deepStrictEqual(outcome(refused), [415, "unsupported_media_type"])
      for (const type of ["application/json", "text/csv", "application/vnd.ms-excel", "text/tab-separated-values"]) {
        assert.include(messageIn(refused), type)
      }
      assert.deepStrictEqual(outcome(yield* post(club, "a", "application/vnd.ms-excel.sheet")), [
        415,
        "unsupported_media_type"
      ])
      assert.deepStrictEqual(outcome(yield* post(club, "{")), [400, "malformed_request"])
    }))

  it.effect.each([
    [{}, "rows is required"],
    [{ rows: [] }, "rows must have 1 to 5000 items"],
    [{ rows: [{ name: "Ana" }] }, "rows[0].email is required"],
    [{ rows: [{ name: "Ana", email: 1 }] }, "rows[0].email must be a string of at most 32768 characters"],
    [{ rows: [{ name: "Ana", email: "a", phone: "1" }] }, "`rows[0].phone` is not a known field"]
  ] as const)("refuses JSON of another shape: %j", ([body, message]) =>
    Effect.gen(function*() {
      const answer = yield* post(yield* foundClub(), body)
      assert.deepStrictEqual([...outcome(answer), messageIn(answer)], [422, "validation_failed", message])
    }))

  it.effect("refuses more than 5,000 rows, and a file that is none, with its line", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      assert.deepStrictEqual(outcome(yield* post(club, { rows: people(5001) })), [422, "too_many_rows"])
      const long = `email\n${"a@example.com\n".repeat(5001)}`
      assert.deepStrictEqual(outcome(yield* post(club, long, "text/csv")), [422, "too_many_rows"])
      const answer = yield* post(club, "\nname\na", "text/csv")
      assert.deepStrictEqual([codeOf(answer), messageIn(answer)], ["csv_invalid", "line 2: there is no column email"])
      assert.deepStrictEqual(outcome(yield* post(club, "", "text/csv")), [422, "csv_invalid"])
      const { json } = yield* send("GET", `${club.path}/students/imports`, { token: club.token })
      assert.deepStrictEqual(json, { data: [], next_cursor: null })
    }))

  it.effect("takes 5,000 long rows, up to 4 MiB, with a key too", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const long = { delivery: "d".repeat(300), document: "123.456.789-09", cohort: "c".repeat(200) }
      const rows = people(5000, long)
      assert.isAbove(JSON.stringify({ rows }).length, 3 * 1_048_576 - 200_000)
      assert.strictEqual((yield* post(club, { rows })).status, 202)
      const keyed = { "content-type": "application/json", "idempotency-key": "a" }
      const path = `${club.path}/students/imports`
      assert.strictEqual((yield* send("POST", path, { token: club.token, body: { rows }, headers: keyed })).status, 202)
      const over = " ".repeat(4 * 1_048_576 + 1)
      assert.deepStrictEqual(outcome(yield* post(club, over)), [413, "payload_too_large"])
      assert.deepStrictEqual(outcome(yield* post(club, over, "text/csv")), [413, "payload_too_large"])
    }))

  it.effect("happens once for a key", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const headers = { "content-type": "text/csv", "idempotency-key": "b" }
      const sent = { token: club.token, body: "email,name\nana@example.com,Ana\n", headers }
      const path = `${club.path}/students/imports`
      const [first, second] = [yield* send("POST", path, sent), yield* send("POST", path, sent)]
      assert.strictEqual(second.text, first.text)
      const other = yield* send("POST", `${path}?dry_run=true`, sent)
      assert.deepStrictEqual(outcome(other), [422, "idempotency_key_reused"])
    }))

  it.effect("is a dry run only where it says so", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const ask = (query: string) =>
        send("POST", `${club.path}/students/imports${query}`, { token: club.token, body: { rows: people(1) } })
      const said = Effect.map(
        Effect.forEach(["", "?dry_run=false", "?dry_run=true"], ask),
        (answers) => answers.map(({ json }) => at(json, "data", "dry_run"))
      )
      assert.deepStrictEqual(yield* said, [false, false, true])
      assert.deepStrictEqual(outcome(yield* ask("?dry_run=yes")), [422, "validation_failed"])
    }))

  it.effect("is for owners and admins, as is looking at it", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id } = yield* sendRows(club, people(1))
      const list = `${club.path}/students/imports`
      for (const path of [list, `${list}/${id}`, `${list}/${id}/errors`, `${club.path}/students/export.csv`]) {
        for (const role of ["editor", "support", "viewer"] as const) {
          assert.strictEqual((yield* send("GET", path, { token: yield* tokenAs(club, role) })).status, 403, path)
        }
        assert.strictEqual((yield* send("GET", path, { token: yield* tokenAs(club, "admin") })).status, 200, path)
        const { token } = yield* enrolledStudent(club)
        assert.strictEqual((yield* send("GET", path, { token })).status, 401, path)
      }
      const token = yield* tokenAs(club, "support")
      assert.strictEqual((yield* post({ ...club, token }, { rows: people(1) })).status, 403)
    }))

  it.effect("is seen by its own club alone", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const { id } = yield* sendRows(club, [{ name: "", email: "" }])
      for (const path of [`/students/imports/${id}`, `/students/imports/${id}/errors`, "/students/imports/nope"]) {
        const answer = yield* send("GET", `${other.path}${path}`, { token: other.token })
        assert.deepStrictEqual(outcome(answer), [404, "not_found"])
      }
      const { json } = yield* send("GET", `${other.path}/students/imports`, { token: other.token })
      assert.deepStrictEqual(listAt(json, "data"), [])
    }))

  it.effect("is listed newest first, page by page", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const ids: Array<unknown> = []
      for (let n = 0; n < 3; n++) {
        yield* TestClock.adjust("1 second")
        ids.unshift((yield* sendRows(club, people(1))).id)
      }
      const get = (query: string) => send("GET", `${club.path}/students/imports?${query}`, { token: club.token })
      const first = yield* get("limit=2")
      const second = yield* get(`limit=2&cursor=${String(at(first.json, "next_cursor"))}`)
      const listed = [...listAt(first.json, "data"), ...listAt(second.json, "data")].map((one) => at(one, "id"))
      assert.deepStrictEqual(listed, ids)
      assert.isNull(at(second.json, "next_cursor"))
      assert.deepStrictEqual(outcome(yield* get("cursor=x")), [400, "invalid_cursor"])
    }))

  it.effect("tells errors in words and never what stood there", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id } = yield* importRows(club, "name,email,produto\nsecret-name,secret-mail,secret-course\n")
      const answer = yield* send("GET", `${club.path}/students/imports/${id}/errors`, { token: club.token })
      assert.notInclude(answer.text, "secret")
      const told = listAt(answer.json, "data").map((one) => ({ ...Object(one), id: typeof at(one, "id") }))
      const line = { id: "string", line: 2 }
      assert.sameDeepMembers(told, [
        { ...line, field: "email", code: "invalid", message: "email must be an e-mail address" },
        {
          ...line,
          field: "delivery",
          code: "unknown",
          message: "delivery must be the id or the name of a delivery that is not archived"
        }
      ])
    }))

  it.effect("counts the rows of JSON from 1", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id } = yield* importRows(club, [...people(2), { name: "Ana", email: "", document: null, cohort: null }])
      assert.deepStrictEqual(yield* errorsOf(club, id), ["3 email required"])
    }))
})

layer(ImportLayer)("An import of 90 days ago", (it) => {
  it.effect("is forgotten with its errors, unless it is not done", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const old = yield* importRows(club, [...people(1), { name: "", email: "" }])
      const waiting = yield* sendRows(club, people(1))
      yield* TestClock.setTime(Duration.toMillis("1 day"))
      const young = yield* sendRows(club, [{ name: "", email: "" }])
      yield* TestClock.setTime(Duration.toMillis("90 days"))
      yield* sweepImports
      const left = yield* sql<{ id: string }>`select id from student_imports where club_id = ${club.id}`
      assert.sameMembers(left.map(({ id }) => id), [waiting.id, young.id])
      assert.deepStrictEqual(yield* sql`select 1 from student_import_errors where import_id = ${old.id}`, [])
    }))
})
