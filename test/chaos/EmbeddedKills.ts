import { PgClient } from "@effect/sql-pg"
import { ConfigProvider, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ServicesLayer } from "../../src/App.ts"
import { SessionStore } from "../../src/identity/sessions/SessionStore.ts"
import { Clubs } from "../../src/membership/clubs/Clubs.ts"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { makeUser } from "../harness/Makers.ts"
import { embeddedUrl, killPostmaster } from "../harness/Postmaster.ts"
import { post, startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { startProcess } from "./Process.ts"

/** Milliseconds after which the service must serve again. */
export const mostAway = 5000

const Emails = Schema.Array(Schema.Struct({ email: Schema.String }))

/** The session of an owner in a new club. */
const found = Effect.gen(function*() {
  const clubs = yield* Clubs
  const sessions = yield* SessionStore
  const owner = yield* makeUser()
  const { access_token } = yield* sessions.issue({ kind: "admin", user_id: owner.id })
  const { organization_id } = yield* clubs.create({ user: owner }, { name: "Kills" })
  return { path: `/v1/clubs/${organization_id}/students`, token: Redacted.value(access_token) }
})

/**
 * An API and a worker share an embedded PostgreSQL, which is killed this often while students are added. Both must live
 * on, and every confirmed student must exist.
 */
export const embeddedKills = Effect.fn("embeddedKills")(function*(kills: number) {
  const DATA_DIR = yield* postgresFolder()
  const directory = `${DATA_DIR}/postgres`
  const env = { DATA_DIR, RATE_LIMIT_WRITES: "1000000" }
  const api = yield* startApi({ env: { ...env, ROLE: "api" } })
  const worker = yield* startProcess({ ...env, ROLE: "worker" })
  const ends: Array<string> = []
  const mourn = (who: string, ended: Effect.Effect<unknown>) =>
    Effect.forkScoped(Effect.andThen(
      ended,
      Effect.sync(() => void ends.push(`${who} ended: ${worker.said().slice(-2000)}`))
    ))
  yield* mourn("The API", api.ended)
  yield* mourn("The worker", worker.ended)
  yield* Effect.sleep("50 millis").pipe(Effect.repeat({ until: () => worker.said().includes("worker is ready") }))

  const services = ServicesLayer.pipe(
    Layer.provideMerge(connectionsLayer({ url: embeddedUrl(directory), connections: 4 })),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ DATA_DIR })))
  )
  const { path, token } = yield* Effect.provide(found, services)
  const confirmed: Array<string> = []
  let tried = 0
  const add = Effect.gen(function*() {
    const email = `student-${tried++}@example.com`
    const answer = yield* Effect
      .option(Effect.timeout(post(`${api.url}${path}`, { name: "Ana", email }, token), "5 seconds"))
    const isConfirmed = answer._tag === "Some" && answer.value.status === 201
    if (isConfirmed) confirmed.push(email)
    return isConfirmed
  }).pipe(Effect.catchCause(() => Effect.succeed(false)))
  const confirmedOne = Effect.repeat(Effect.delay(add, "20 millis"), { until: (isConfirmed) => isConfirmed })

  const away: Array<number> = []
  yield* confirmedOne
  for (let kill = 0; kill < kills; kill++) {
    const from = Date.now()
    yield* killPostmaster(directory)
    yield* confirmedOne
    away.push(Date.now() - from)
    for (let more = 0; more < 20; more++) yield* add
  }
  const url = embeddedUrl(directory)
  const rows = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select email from students`).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Emails)),
    Effect.provide(PgClient.layer({ url, maxConnections: 1 }))
  )
  const there = new Set(rows.map(({ email }) => email))
  const outcome = {
    confirmed: confirmed.length,
    tried,
    away,
    ends: [...ends],
    lost: confirmed.filter((email) => !there.has(email))
  }
  // The last process stops the server, so nothing writes to the folder when it is deleted.
  yield* worker.kill("SIGTERM")
  yield* worker.ended
  yield* api.end()
  return outcome
}, Effect.scoped)
