// npm run bench:fairness [-- --rounds 5 --seconds 5]: the cost for other clubs of a club that searches without pause.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, DateTime, Effect, Layer, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { HttpClient, HttpClientRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import { ClockGuard } from "../../src/platform/jobs/ClockGuard.ts"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { ask } from "./ask.ts"
import { type Contender, pool, start } from "./Contender.ts"
import { crowd, type Statuses } from "./crowd.ts"
import type { Round } from "./drive.ts"
import type { Bench, Length } from "./figures/Bench.ts"
import { type Figure, figureTable, judge, ratios } from "./figures/Figure.ts"
import { newDatabase } from "./newDatabase.ts"
import { pace } from "./pace.ts"
import { PlatformLayer } from "./platformLayer.ts"
import { type Actor, me, type Request } from "./requests.ts"
import { warmUp } from "./rounds.ts"
import { seed } from "./seed.ts"
import { sized } from "./sized.ts"
import { table } from "./webhooks/tables.ts"

/** Students of the club that searches. */
const students = sized(10_000, 100)
/** Its searches that run at the same time. */
const searches = 30
/** Requests a second of the other accounts, and their connections. */
const others = { rate: 100, connections: 4 }
const aim = 3

/** Every student contains each word except the last, so a search compares every student with all the words. */
const words = [..."abcdefghijklmnopqrstuvwxyz0123456789@.", "~~"].join(" ")

const introduction = ({ rounds, seconds }: Length) =>
  `One process of Turma with ROLE=api and a pool of ${pool}. A viewer's key of a club with ${students} students sends ${searches} searches at a
time, each of ${words.length} characters; ${others.connections} other accounts ask for GET /v1/me ${others.rate} times a second in all. ${rounds} rounds of ${seconds} s
alone and as many beside the searches, in turn. Readiness is asked for every 100 ms.
`

const fill = Effect.fn("fill")(function*({ organization_id }: Actor) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`
    insert into students (club_id, id, email, name, created_at)
    select c.id, gen_random_uuid(), n || '0123456789@mail.example', 'Abcdef Ghijkl Mnopqr Stuvwx Yz', ${now}
    from clubs c, generate_series(1, ${students}::int) n where c.organization_id = ${organization_id}`
  yield* sql`vacuum (analyze) students`
})

const decodeKey = Schema
  .decodeEffect(Schema.fromJsonString(Schema.Struct({ data: Schema.Struct({ token: Schema.String }) })))

/** A key that may only read. */
const makeKey = Effect.fn("makeKey")(function*(contender: Contender, { access_token, organization_id }: Actor) {
  const client = yield* HttpClient.HttpClient
  const request = HttpClientRequest.post(`${contender.url}/v1/clubs/${organization_id}/keys`, {
    headers: { authorization: `Bearer ${access_token}` }
  })
  const response = yield* client
    .execute(HttpClientRequest.bodyText(
      request,
      JSON.stringify({ name: "Reader", role: "viewer" }),
      "application/json"
    ))
  return (yield* decodeKey(yield* response.text)).data.token
})

const search = ({ organization_id }: Actor, token: string): Request => ({
  method: "GET",
  path: `/v1/clubs/${organization_id}/students?${new URLSearchParams({ search: words })}`,
  headers: { authorization: `Bearer ${token}` }
})

const readiness: Request = { method: "GET", path: "/v1/health/ready", headers: {} }

/** Asks for the readiness every 100 ms until an interruption, and counts answers other than 200. */
const watchReadiness = (contender: Contender, unready: { count: number }) =>
  ask(contender, readiness).pipe(
    Effect.tap(({ status }) => Effect.sync(() => void (unready.count += status === 200 ? 0 : 1))),
    Effect.andThen(Effect.sleep("100 millis")),
    Effect.forever
  )

const rowsOf = (name: string, rounds: ReadonlyArray<Round>) =>
  rounds.map(({ p50, p99 }, index) => [index === 0 ? name : "", p50.toFixed(1), p99.toFixed(1)])

const statusesOf = (statuses: Statuses) => [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ")

const measure = Effect.fn("measure")(function*(length: Length) {
  yield* Console.log(introduction(length))
  const { database, folder } = yield* newDatabase()
  const random = yield* SecureRandom.SecureRandom
  const key = Buffer.from(yield* random.randomBytes(32)).toString("base64")
  const [searcher, ...accounts] = yield* migrate().pipe(
    Effect.andThen(seed(1 + others.connections)),
    Effect.tap(([actor]) => actor === undefined ? Effect.void : fill(actor)),
    Effect.provide(ClockGuard.layer.pipe(Layer.provideMerge(connectionsLayer({ url: database, connections: 4 }))))
  )
  if (searcher === undefined) return yield* Effect.die("Somebody has to search")
  const turma = yield* start("Turma", { database, folder, key })
  const searching = search(searcher, yield* makeKey(turma, searcher))
  const unready = { count: 0 }
  const round = (seconds: number) =>
    Effect.raceFirst(
      pace(turma, accounts.map(me), { rate: others.rate, seconds, behind: Infinity }),
      watchReadiness(turma, unready)
    )
  const beside = (seconds: number) =>
    Effect.scoped(Effect.gen(function*() {
      const statuses = yield* crowd(turma, searching, searches)
      return { measured: yield* round(seconds), statuses }
    }))
  yield* round(warmUp(length.seconds))
  const [alone, besides]: [Array<Round>, Array<Round>] = [[], []]
  const answers = new Map<number, number>()
  for (let count = 0; count < length.rounds; count++) {
    alone.push(yield* round(length.seconds))
    const { measured, statuses } = yield* beside(length.seconds)
    besides.push(measured)
    for (const [status, times] of statuses) answers.set(status, (answers.get(status) ?? 0) + times)
  }
  const heads = ["GET /v1/me, ms", "p50", "p99"]
  yield* Console.log(`${table(heads, [...rowsOf("alone", alone), ...rowsOf("beside the searches", besides)])}\n`)
  yield* Console.log(`Searches answered: ${statusesOf(answers)}\n`)
  const p99s = (rounds: ReadonlyArray<Round>) => rounds.map(({ p99 }) => p99)
  const figures: ReadonlyArray<Figure> = [
    { name: "GET /v1/me beside searches, p99 × alone", is: "at most", aim, rounds: ratios(p99s(besides), p99s(alone)) },
    { name: "readiness other than 200", is: "at most", aim: 0, rounds: [unready.count] }
  ]
  yield* Console.log(figureTable(figures.map((figure) => ["fairness", judge(figure)] as const)))
  return figures
}, Effect.scoped)

export const fairness: Bench = { name: "fairness", short: { rounds: 3, seconds: 3 }, figures: measure }

if (import.meta.main) {
  Command.make("bench:fairness", {
    rounds: Flag.Int("rounds").pipe(Flag.withDefault(sized(5, 1)), Flag.withDescription("Rounds of each")),
    seconds: Flag.Finite("seconds").pipe(Flag.withDefault(sized(5, 0.2)), Flag.withDescription("Length of a round"))
  }, measure).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
}
