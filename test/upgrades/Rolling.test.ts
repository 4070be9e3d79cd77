import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { migrate, migrationsFolder } from "../../src/platform/sql/Migrations.ts"
import { at } from "../harness/App.ts"
import { eventually } from "../harness/Eventually.ts"
import { emptyDatabaseUrl, postgresLayerAt } from "../harness/Postgres.ts"
import { type ReceivedRequest, startReceiver } from "../harness/Receiver.ts"
import { caFile } from "../harness/Tls.ts"
import { post, postCounted, startApi } from "../harness/Turma.ts"
import { unpackRelease } from "./Release.ts"

// Takes long: two versions of the service run side by side, and start again.

const text = (value: unknown) => {
  if (typeof value !== "string") throw new Error(`No text: ${JSON.stringify(value)}`)
  return value
}

/** The one-time secret in a mail that was written as a file. */
const mailedTo = Effect.fnUntraced(function*(folder: string, email: string) {
  const fs = yield* FileSystem.FileSystem
  const look = Effect.gen(function*() {
    const files = yield* Effect.orElseSucceed(fs.readDirectory(`${folder}/mail`), () => [])
    const file = files.find((name) => name.endsWith(`${email}.eml`))
    const mail = file === undefined ? "" : yield* fs.readFileString(`${folder}/mail/${file}`)
    return /^X-Link: .*(?:token|code)=([\w-]+)/m.exec(mail)?.[1]
  })
  return text(yield* Effect.repeat(Effect.delay(look, "100 millis"), { until: (secret) => secret !== undefined }))
})

/** Creates a club with an endpoint through the API. */
const foundClub = Effect.fnUntraced(function*(url: string, folder: string, receiver: string) {
  const [email, password] = ["rita@example.com", "sopro e dedos"]
  const asAdmin = (path: string, body: object) => postCounted(`${url}/v1/auth/admin/${path}`, body)
  yield* asAdmin("sign-up", { name: "Rita", email, password })
  yield* asAdmin("confirm", { token: yield* mailedTo(folder, email) })
  const token = text(at((yield* asAdmin("sign-in", { email, password })).json, "data", "access_token"))
  const founded = yield* post(`${url}/v1/clubs`, { name: "Flauta Doce" }, token)
  const club = `/v1/clubs/${text(at(founded.json, "data", "organization_id"))}`
  const endpoint = yield* post(
    `${url}${club}/webhook-endpoints`,
    { url: receiver, event_types: ["student.created"] },
    token
  )
  assert.strictEqual(endpoint.status, 201, endpoint.text)
  return { club, token }
})

/** A migration of the next version. This version and the one before may run beside it. */
const next = "-- beside: 0074\nalter table students add column upgrade_note text;"

const idsOf = (requests: ReadonlyArray<ReceivedRequest>) =>
  Map.groupBy(requests, ({ body }) => text(at(JSON.parse(body.toString()), "data", "student", "email")))

layer(NodeServices.layer, { excludeTestServices: true })("A rolling upgrade", (it) => {
  it.effect("serves and delivers with both versions side by side, and goes back", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const receiver = yield* startReceiver()
      const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-upgrade-" })
      const url = yield* emptyDatabaseUrl
      const env = {
        APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
        DATABASE_POOL: "5",
        DATABASE_URL: Redacted.value(url),
        DATA_DIR: folder,
        RATE_LIMIT_CREDENTIALS: "1000",
        RATE_LIMIT_WRITES: "100000",
        REDIS_URL: inject("redisUrl"),
        WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
        WEBHOOK_EXTRA_CA_FILE: yield* caFile(receiver.ca)
      }
      const release = yield* unpackRelease("0.2.0")
      const startOld = startApi({ ...release, env })
      const startNew = startApi({ env })

      const old = yield* startOld
      const { club, token } = yield* foundClub(old.url, folder, receiver.url)
      const load = { urls: [old.url], emails: Array<string>(), wrong: Array<string>(), isOver: false }
      const one = Effect.gen(function*() {
        const email = `student${load.emails.length}@example.com`
        const target = load.urls[load.emails.length % load.urls.length] ?? old.url
        load.emails.push(email)
        const answer = yield* post(`${target}${club}/students`, { name: "Noel", email }, token)
        if (answer.status !== 201) load.wrong.push(`${answer.status} ${answer.text}`)
      })
      const loading = yield* Effect.forkChild(Effect.repeat(Effect.delay(one, "100 millis"), {
        until: () => load.isOver
      }))

      const current = yield* startNew
      load.urls = [old.url, current.url]
      const before = load.emails.length
      yield* Effect.sleep("2 seconds")

      // The next version's migrations, while both serve.
      const migrations = yield* fs.makeTempDirectoryScoped({ prefix: "turma-migrations-" })
      yield* fs.copy(migrationsFolder, migrations, { overwrite: true })
      yield* fs.writeFileString(`${migrations}/0990_next.sql`, next)
      const database = postgresLayerAt(url, 4)
      assert.deepStrictEqual(yield* Effect.provide(migrate(migrations), database, { local: true }), ["0990_next.sql"])
      yield* Effect.sleep("2 seconds")
      assert.isAbove(load.emails.length, before)

      // Back by one version: processes that do not know the migration start and say so.
      load.urls = [current.url]
      // Requests go out one after the other. Once the next one begins, the old process has answered its last.
      const asked = load.emails.length
      yield* eventually(Effect.delay(Effect.sync(() => load.emails.length), "20 millis"), (count) => count > asked)
      assert.strictEqual((yield* old.end()).code, 0)
      const again = yield* startOld
      const second = yield* startNew
      assert.include(second.said.stdout, "The database is ahead of this version of Turma")
      load.urls = [again.url, second.url, current.url]
      yield* Effect.sleep("2 seconds")

      load.isOver = true
      yield* Fiber.join(loading)
      assert.deepStrictEqual(load.wrong, [])
      const delivered = Effect.sync(() => idsOf(receiver.requests).size)
      yield* Effect.repeat(Effect.delay(delivered, "100 millis"), { until: (count) => count >= load.emails.length })
      // Each event has one id, even if several attempts or both versions sent it.
      for (const [email, requests] of idsOf(receiver.requests)) {
        assert.include(load.emails, email)
        assert.lengthOf(new Set(requests.map(({ headers }) => headers["webhook-id"])), 1)
      }
      const pending = yield* SqlClient.SqlClient.use((sql) =>
        sql`select count(*)::int as count from schema_migrations where id > 74`
      ).pipe(Effect.provide(database, { local: true }))
      assert.deepStrictEqual(pending, [{ count: 0 }])
    }))
})
