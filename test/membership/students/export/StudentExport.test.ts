import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer, Stream } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { connect } from "node:net"
import { RoutesLayer } from "../../../../src/App.ts"
import type { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { exportBatch, StudentExport } from "../../../../src/membership/students/export/StudentExport.ts"
import { AppLayer, appLayer, foundClub, outcome, send } from "../../../harness/App.ts"
import { makeStudent } from "../../../harness/Makers.ts"
import { rawRequest } from "../../../harness/RawHttp.ts"
import { SpansLayer, statements } from "../../../harness/Statements.ts"
import { completed, countsOf, ImportLayer, importRows, studentsOf } from "../import/Importing.ts"

/** Makes this many students, in the order of their names. */
const fill = Effect.fnUntraced(function*({ id }: { readonly id: ClubId }, count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into students (club_id, id, email, name, created_at)
    select ${id}::uuid, (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-' || substr(${id}, 25))::uuid,
      's' || n || '@example.com', 'Student ' || n, ${new Date(0)}::timestamptz + n * interval '1 second'
    from generate_series(1, ${count}::int) n`
})

const exported = (club: { readonly path: string; readonly token: string }) =>
  send("GET", `${club.path}/students/export.csv`, { token: club.token })

layer(Layer.provideMerge(ImportLayer, SpansLayer))("The export of students", (it) => {
  it.effect("is a file of the club's students, without removed ones, documents and other clubs' students", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const ana = yield* makeStudent(club, { name: "Ana, a =1", email: "ana@example.com" })
      const gone = yield* makeStudent(club, { name: "Gone" })
      yield* makeStudent(other, { name: "Foreign" })
      yield* sql`update students set removed_at = ${new Date(0)} where club_id = ${club.id} and id = ${gone.id}`
      yield* sql`update students set document = 'sealed-document' where club_id = ${club.id}`
      const { headers, status, text } = yield* exported(club)
      assert.strictEqual(status, 200)
      assert.deepInclude(headers, {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": "attachment; filename=\"students.csv\"",
        "cache-control": "no-store"
      })
      assert.strictEqual(
        text.replace("\ufeff", ""),
        "id,name,email,verified,created_at\r\n" +
          `${ana.id},"Ana, a =1",ana@example.com,true,1970-01-01T00:00:00.000Z\r\n`
      )
    }))

  it.effect("of a club without students is the header", () =>
    Effect.gen(function*() {
      const { text } = yield* exported(yield* foundClub())
      assert.strictEqual(text.replace("\ufeff", ""), "id,name,email,verified,created_at\r\n")
    }))

  it.effect.each([exportBatch - 1, exportBatch, exportBatch + 1, 3 * exportBatch])(
    "has each of %i students once, read batch by batch",
    (count) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* fill(club, count)
        const ran = yield* statements(Effect.tap(exported(club), ({ text }) =>
          Effect.sync(() => {
            const names = text.trim().split("\r\n").slice(1).map((line) => line.split(",")[1])
            assert.deepStrictEqual(names, Array.from({ length: count }, (_, n) => `Student ${n + 1}`))
          })))
        const reads = ran.filter((text) => text.startsWith("select id, name, email, verified_at"))
        assert.strictEqual(reads.length, Math.floor(count / exportBatch) + 1)
        assert.notInclude(ran, "transaction")
      })
  )

  it.effect("can be imported again, which changes nothing, and in another club makes the same people", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      for (const [n, name] of ["=1+1", "Ana \"Mimi\"", "José; João", "'@x"].entries()) {
        yield* makeStudent(club, { name, email: `s${n}@example.com` })
      }
      const before = yield* studentsOf(club)
      const { text } = yield* exported(club)
      assert.deepStrictEqual(countsOf(yield* importRows(club, text)), completed(4, { existing: 4 }))
      assert.deepStrictEqual(countsOf(yield* importRows(other, text)), completed(4, { created: 4 }))
      assert.deepStrictEqual([yield* studentsOf(club), yield* studentsOf(other)], [before, before])
    }))
})

layer(AppLayer)("An export that cannot be read", (it) => {
  // An infinite time stands for any fault, because no answer can hold it.
  const spoil = Effect.fnUntraced(function*(club: { readonly id: ClubId }, name: string) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`update students set created_at = 'infinity' where club_id = ${club.id} and name = ${name}`
  })

  it.effect("from its beginning is answered as a failure", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      yield* fill(club, 1)
      yield* spoil(club, "Student 1")
      assert.deepStrictEqual(outcome(yield* exported(club)), [500, "internal_error"])
    }))

  it.effect("to its end breaks off, so that nobody takes it for whole", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      yield* fill(club, exportBatch + 1)
      yield* spoil(club, `Student ${exportBatch + 1}`)
      assert.isTrue(yield* Effect.isFailure(exported(club)))
    }))
})

const ended = Deferred.makeUnsafe<void>()
const line = new TextEncoder().encode(`${"a".repeat(1000)}\r\n`)
const endless = Stream.forever(Stream.succeed(line)).pipe(Stream.ensuring(Deferred.succeed(ended, undefined)))
const EndlessLayer = Layer.succeed(StudentExport, { csv: () => Effect.succeed(endless) })
const EndlessApp = appLayer({}, { routes: Layer.provide(RoutesLayer, EndlessLayer) })

layer(EndlessApp)("A client that goes away", (it) => {
  it.effect("ends what is being read for it", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const { address } = yield* HttpServer.HttpServer
      if (address._tag === "UnixPathAddress") return yield* Effect.die(new Error("The server listens on no port"))
      const socket = connect(address.port, "127.0.0.1")
      yield* Effect.callback<void>((resume) => {
        socket.once("data", () => resume(Effect.void))
        for (const part of rawRequest("GET", `${path}/students/export.csv`, { token })) socket.write(part)
      })
      assert.isFalse(yield* Deferred.isDone(ended))
      socket.destroy()
      yield* Deferred.await(ended)
    }))
})
