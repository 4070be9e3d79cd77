import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audit, readBooks } from "../../chaos/Books.ts"
import { at, foundClub } from "../../chaos/Clubs.ts"
import { type Entry, nothingLeft, readLedger, settled } from "../../chaos/Ledger.ts"
import { type Accepted, load } from "../../chaos/Load.ts"
import { openSchool, type School, study } from "../../chaos/School.ts"
import { inspect, readSchool } from "../../chaos/SchoolBooks.ts"
import { openShop, type Sale, trade } from "../../chaos/Shop.ts"
import {
  driverLayer,
  makeStand,
  PlatformLayer,
  type Stand,
  startReadyWorker,
  startStandApi
} from "../../chaos/Stand.ts"
import { duplicates, gaps, lost, misplaced, stuck } from "../../chaos/Verdict.ts"
import { emptyDatabaseUrl } from "../../harness/Postgres.ts"
import { ask } from "../../harness/Turma.ts"
import { png } from "../../learning/media/Files.ts"
import { Dice } from "../../simulation/Dice.ts"
import { turma } from "./turma.ts"

// All in real time and with real processes: on a busy machine it takes minutes.
const timeout = 600_000

const Place = Schema.Struct({
  id: Schema.String,
  method: Schema.String,
  url: Schema.String,
  headers: Schema.Record(Schema.String, Schema.String)
})

const headersOf = ({ students }: School) => ({ authorization: `Bearer ${students[0]?.token ?? ""}` })

/** Begins an upload of a student. */
const beginUpload = Effect.fnUntraced(function*(api: string, school: School) {
  const file = { purpose: "comment", file_name: "foto.png", mime: "image/png", size_bytes: png.length }
  const { json } = yield* ask(`${api}${school.base}/classroom/media`, {
    method: "POST",
    headers: { ...headersOf(school), "content-type": "application/json" },
    body: JSON.stringify(file)
  })
  const place = { id: at(json, "data", "media", "id"), ...Object(at(json, "data", "upload")) }
  return yield* Effect.orDie(Schema.decodeUnknownEffect(Place)(place))
})

/** Sends the bytes to this API, at a path that another API signed. Answers the status. */
const send = (api: string, { headers, method, url }: typeof Place.Type) => {
  const { pathname, search } = new URL(url)
  return Effect.map(ask(`${api}${pathname}${search}`, { method, headers, body: png }), ({ status }) => status)
}

const complete = (api: string, school: School, { id }: typeof Place.Type) =>
  Effect.map(
    ask(`${api}${school.base}/classroom/media/${id}/complete`, { method: "POST", headers: headersOf(school) }),
    ({ status }) => status
  )

/** The accepted part of each sale so far, by its transaction. */
const acceptedOf = (sales: ReadonlyArray<Sale>) =>
  new Map(sales.map(({ accepted, transaction }) => [transaction, new Set(accepted)]))

/** A busy installation, its backup, and its promises at the start of the backup. */
const backUp = Effect.fnUntraced(function*(stand: Stand, file: string) {
  const dice = new Dice(7)
  const accepted: Array<Accepted> = []
  const api = yield* startStandApi(stand)
  yield* startReadyWorker(stand)
  const clubs = yield* Effect.forEach(["one", "two"], (name) => foundClub({ stand, api: api.url }, name))
  const shop = yield* openShop(stand, api.url)
  const school = yield* openSchool(stand, api.url)
  const sent = yield* beginUpload(api.url, school)
  assert.strictEqual(yield* send(api.url, sent), 204)
  const begun = yield* beginUpload(api.url, school)

  const loading = yield* load({ api: api.url, clubs, dice, accepted, withoutRedis: () => false })
  const trading = trade({ api: api.url, shop, dice: dice.fork() })
  const { run, studied } = study({ api: api.url, school, dice: dice.fork() })
  const writing = yield* Effect
    .forkScoped(Effect.all([loading.run, trading.run, run], { concurrency: "unbounded", discard: true }))
  const isBusy = () =>
    accepted.length > 50 && studied.uploaded.size > 1 && studied.completed.size > 3 && trading.sales.length > 20 &&
    trading.imports.length > 1
  yield* Effect.sleep("100 millis").pipe(Effect.repeat({ until: isBusy }))
  const known = {
    ...studied,
    asked: new Set(studied.asked),
    completed: new Set(studied.completed),
    said: new Set(studied.said),
    uploaded: new Set(studied.uploaded)
  }
  const promised = [...accepted]
  const imports = [...trading.imports]
  const confirmed = acceptedOf(trading.sales)
  const received = stand.target.posts.length
  yield* turma("backup", file, stand.env)
  assert.isAbove(accepted.length, promised.length)
  yield* Fiber.interrupt(writing)
  // The backup may contain work that was tried by now. It must contain work that was confirmed before.
  const sales = trading.sales.map((sale): Sale => ({
    ...sale,
    accepted: confirmed.get(sale.transaction) ?? new Set()
  }))
  return { clubs, school, shop, sent, begun, known, promised, traded: { imports, sales }, received }
}, Effect.scoped)

const keyOf = ({ event, path }: Pick<Entry, "event" | "path">) => `${event} at ${path}`

const readOwed = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly owed: number }>`
    select count(*)::int + (select count(*)::int from event_outbox) as owed
    from webhook_deliveries where next_attempt_at is not null`
  return row?.owed ?? 0
})

layer(PlatformLayer, { excludeTestServices: true })(
  "A backup that is made while all write",
  (it) => {
    it.effect("becomes an installation elsewhere that has lost nothing and goes on", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-drill-" })
        const file = `${folder}/everything.turma`
        const stand = yield* makeStand({ lease: 3, seed: 7 })
        const { begun, clubs, known, promised, received, school: old, sent, shop, traded } = yield* Effect.provide(
          backUp(stand, file),
          driverLayer(stand)
        )

        // No process of the old installation is running.
        const database = { ...stand.database, url: yield* emptyDatabaseUrl }
        const env = { ...stand.env, DATABASE_URL: Redacted.value(database.url), DATA_DIR: `${folder}/data` }
        const copy: Stand = { ...stand, database, env }
        yield* turma("restore", file, env)
        yield* stand.target.recover
        yield* Effect.gen(function*() {
          assert.isAbove(yield* readOwed, 0)
          const restored = (yield* readLedger).filter(({ owed }) => !owed)
          const sentBefore = stand.target.posts.length
          const api = yield* startStandApi(copy)
          const school = { ...old, files: `${folder}/data/files/kept` }
          const [club] = clubs
          const asOwner = { headers: { authorization: `Bearer ${club?.token}` } }
          assert.strictEqual((yield* ask(`${api.url}${club?.base}`, asOwner)).status, 200)
          assert.strictEqual(yield* complete(api.url, school, sent), 200)
          assert.strictEqual(yield* send(api.url, begun), 204)
          assert.strictEqual(yield* complete(api.url, school, begun), 200)

          yield* startReadyWorker(copy)
          assert.deepStrictEqual(yield* settled(120), nothingLeft)
          const ledger = yield* readLedger
          const { distrusted, posts } = stand.target
          const again = posts.slice(sentBefore)
          const evidence = { accepted: promised, ledger, posts, kills: [], outages: [], recording: 0 }
          assert.deepStrictEqual(lost(evidence), [])
          assert.deepStrictEqual(stuck(evidence), [])
          assert.deepStrictEqual(gaps(evidence), [])
          // The restored database does not know the posts that the old installation sent after the backup.
          assert.deepStrictEqual(misplaced({ ...evidence, posts: [...posts.slice(0, received), ...again] }), [])
          // At least once: the restored service repeats posts after the backup, and the last ones before it if their
          // answer was not recorded. It does not repeat a post that the backup knows as received, and sends no other
          // post twice.
          const done = new Set(restored.map(keyOf))
          assert.deepStrictEqual(again.map(keyOf).filter((key) => done.has(key)), [])
          assert.strictEqual(duplicates({ ...evidence, posts: again }).duplicates, 0)
          // Endpoint secrets are sealed, so a valid signature proves that the restored service opened one.
          assert.deepStrictEqual(distrusted, [])
          const events = new Set(ledger.map(({ event }) => event))
          const told = posts.filter(({ event }) => events.has(event))
          const books = yield* readSchool(school)
          assert.deepStrictEqual(inspect(school, known, books, told), {
            miscompleted: [],
            misplacedFiles: [],
            missaid: [],
            misanswered: []
          })
          assert.deepStrictEqual(audit(shop, traded, yield* readBooks(shop), told), {
            missold: [],
            misimported: [],
            mistold: []
          })
        }).pipe(Effect.provide(driverLayer(copy)))
      }), timeout)
  }
)
