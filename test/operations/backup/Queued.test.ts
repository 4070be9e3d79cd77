import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { at } from "../../chaos/Clubs.ts"
import { settled } from "../../chaos/Ledger.ts"
import { openSchool, type School } from "../../chaos/School.ts"
import { bodyOf, openShop, postTo, type Shop } from "../../chaos/Shop.ts"
import {
  driverLayer,
  makeStand,
  PlatformLayer,
  type Stand,
  startReadyWorker,
  startStandApi
} from "../../chaos/Stand.ts"
import { emptyDatabaseUrl } from "../../harness/Postgres.ts"
import { ask, post } from "../../harness/Turma.ts"
import { turma } from "./turma.ts"

// Takes long: it stops, restores and follows whole services, in real time and with real processes.
const timeout = 600_000

/** Sales in several orders. Some settle together, some alone, and some refunds come before their purchase. */
const sell = Effect.fnUntraced(function*(api: string, shop: Shop) {
  const made = yield* post(`${api}${shop.base}/deliveries`, { name: "Clube do violão" }, shop.token)
  const mapping = {
    platform: "hotmart",
    external_product_id: "4712",
    delivery_id: at(made.json, "data", "id"),
    access_days: 30
  }
  assert.strictEqual((yield* post(`${api}${shop.base}/product-mappings`, mapping, shop.token)).status, 201)
  type Sold = Parameters<typeof bodyOf>
  const tell = Effect.fnUntraced(function*(kind: Sold[0], sale: string, buyer: string, sold?: Sold[4]) {
    const body = bodyOf(kind, sale, `${buyer}@buyer.example`, `${sale}-${kind}`, sold)
    assert.strictEqual((yield* postTo(api, shop, body))?.status, 200)
  })
  for (let n = 0; n < 12; n += 1) yield* tell("PURCHASE_APPROVED", `HP${n}`, `buyer-${n >> 1}`)
  for (let n = 0; n < 4; n += 1) yield* tell("PURCHASE_REFUNDED", `HP${n}`, `buyer-${n >> 1}`)
  // The mapping gives days, so each charge extends the access from the moment of its processing.
  for (let n = 30; n < 36; n += 1) {
    const subscriber = `SUB-${n >> 1}`
    yield* tell("PURCHASE_APPROVED", `HP${n}`, `subscriber-${n >> 1}`, { sold: 4712, subscriber })
  }
  for (let n = 20; n < 24; n += 1) {
    yield* tell("PURCHASE_REFUNDED", `HP${n}`, `late-${n}`)
    yield* tell("PURCHASE_APPROVED", `HP${n}`, `late-${n}`)
  }
})

const importStudents = Effect.fnUntraced(function*(api: string, { base, token }: Shop) {
  const lines = Array.from({ length: 150 }, (_, n) => `Caio;row-${n}@list.example;Violão do Zero`)
  const { status } = yield* ask(`${api}${base}/students/imports`, {
    method: "POST",
    body: ["name;email;delivery", ...lines].join("\n"),
    headers: { "content-type": "text/csv", authorization: `Bearer ${token}` }
  })
  assert.strictEqual(status, 202)
})

/** Students who lack one lesson of a course. Then the course loses that lesson. */
const loseLesson = Effect.fnUntraced(function*(api: string, { base, lessons, students, token }: School) {
  const [lost, ...kept] = lessons
  for (const student of students.slice(0, 4)) {
    for (const { public_id } of kept) {
      const headers = { authorization: `Bearer ${student.token}` }
      const url = `${api}${base}/classroom/lessons/${public_id}/completion`
      assert.strictEqual((yield* ask(url, { method: "PUT", headers })).status, 200)
    }
  }
  const { status } = yield* ask(`${api}${base}/lessons/${lost?.id}/publication`, {
    method: "PUT",
    body: JSON.stringify({ published_at: null }),
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` }
  })
  assert.strictEqual(status, 200)
})

const Made = Schema.Array(Schema.Struct({ what: Schema.String, name: Schema.String, id: Schema.String }))

/** The ids of all rows that work has made, by their kind. */
const readMade = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.flatMap(
    sql`
      select 'student' as what, email as name, id from students
      union all select 'purchase', external_id, id from purchases
      union all select 'enrollment', student_id || ' ' || delivery_id || ' ' || coalesce(purchase_id::text, ''), id
        from enrollments
      union all select 'event', type || ' ' || student_id, event_id from webhook_feed_events
      order by 1, 2, 3`,
    Schema.decodeUnknownEffect(Made)
  ))

/** True if all free deliveries are granted, and all students of a course that lost a lesson were checked. */
const isGiven = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql`
      select 1 where exists (select from deliveries where free_from is not null)
        or exists (select from course_losses where rounds = 0)`,
    (left) => left.length === 0
  ))

/** Does all waiting work. The first worker is killed in the middle. Returns the received posts. */
const workAll = Effect.fnUntraced(function*(stand: Stand, isMiddle: () => boolean) {
  yield* Effect.scoped(Effect.gen(function*() {
    const killed = yield* startReadyWorker(stand)
    yield* Effect.sync(isMiddle).pipe(Effect.delay("5 millis"), Effect.repeat({ until: (is) => is }))
    yield* killed.kill("SIGKILL")
  }))
  yield* startReadyWorker(stand)
  yield* isGiven.pipe(Effect.delay("100 millis"), Effect.repeat({ until: (is) => is }))
  const left = yield* settled(240)
  assert.isTrue(Object.values(left).every((count) => count === 0), JSON.stringify(left))
  return yield* readMade
}, Effect.scoped)

const Told = Schema.fromJsonString(Schema.Struct({ type: Schema.String, data: Schema.Unknown }))

/** The facts in a body, with the ids of its person and its things. */
const contentOf = Effect.fnUntraced(function*(body: string) {
  const { data, type } = yield* Effect.orDie(Schema.decodeUnknownEffect(Told)(body))
  const ids = ["student", "purchase", "enrollment", "course"].map((part) => at(data, part, "id"))
  return JSON.stringify([type, ...ids])
})

/** The event ids of each received content. */
const idsByContent = Effect.fnUntraced(function*(posts: Stand["target"]["posts"]) {
  const ids = new Map<string, Set<string>>()
  for (const { body, event } of posts) {
    const content = yield* contentOf(body)
    ids.set(content, (ids.get(content) ?? new Set()).add(event))
  }
  return ids
})

layer(PlatformLayer, { excludeTestServices: true })("What waits in a backup", (it) => {
  it.effect(
    "is made under the same ids after a restore: nobody is told anything under two",
    () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-queued-" })
        const file = `${folder}/waiting.turma`
        const stand = yield* makeStand({ lease: 3 })
        yield* stand.target.recover
        const { posts } = stand.target

        const made = yield* Effect.gen(function*() {
          yield* Effect.scoped(Effect.gen(function*() {
            const { url } = yield* startStandApi(stand)
            const shop = yield* openShop(stand, url)
            yield* sell(url, shop)
            yield* importStudents(url, shop)
            yield* loseLesson(url, yield* openSchool(stand, url))
            const free = yield* post(`${url}${shop.base}/deliveries`, { name: "Grátis", free: true }, shop.token)
            assert.strictEqual(free.status, 201, String(at(free.json, "error")))
          }))
          yield* turma("backup", file, stand.env)
          return yield* workAll(stand, () => posts.length > 5)
        }).pipe(Effect.provide(driverLayer(stand)))
        const first = yield* idsByContent(posts)
        for (
          const type of [
            "student.created",
            "purchase.paid",
            "purchase.refunded",
            "access.granted",
            "access.extended",
            "course.completed"
          ]
        ) {
          assert.isTrue([...first.keys()].some((content) => content.includes(`"${type}"`)), type)
        }

        const sent = posts.length
        const database = { ...stand.database, url: yield* emptyDatabaseUrl }
        const env = { ...stand.env, DATABASE_URL: Redacted.value(database.url), DATA_DIR: `${folder}/data` }
        const copy: Stand = { ...stand, database, env }
        yield* turma("restore", file, env)
        const madeAgain = yield* Effect.provide(
          workAll(copy, () => posts.length > sent + 40),
          driverLayer(copy)
        )
        assert.deepStrictEqual(madeAgain, made)
        assert.deepStrictEqual(yield* idsByContent(posts), first)
      }),
    timeout
  )
})
