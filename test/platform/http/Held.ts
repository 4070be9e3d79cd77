import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer, Redacted, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SessionStore } from "../../../src/identity/sessions/SessionStore.ts"
import { AppLayer, foundClub } from "../../harness/App.ts"
import { freePort } from "../../harness/FreePort.ts"
import type { Turn } from "../../harness/LoopWatch.ts"
import { adminDatabaseUrl } from "../../harness/Postgres.ts"
import { startArguments } from "../../harness/ScriptArguments.ts"
import { ask, startApi } from "../../harness/Turma.ts"

// src/platform/README.md, Decisions: no route holds the event loop for more than 50 ms. The tests measure the processor
// time of the longest turn of the loop, not its duration. They watch a separate process, and other processes on the
// machine do not lengthen its processor time.

const most = 50

const decodeWaiting = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ waiting: Schema.Int })]))
const decodeTurn = Schema.decodeUnknownEffect(Schema.Struct({
  held: Schema.Number,
  system: Schema.Number,
  collected: Schema.Number,
  took: Schema.Number
}))
const decodeNames = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ name: Schema.String })]))

/** The database of this test file, for another process. */
const databaseUrl = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [{ name }] = yield* decodeNames(yield* sql`select current_database() as name`)
  const url = new URL(Redacted.value(adminDatabaseUrl()))
  url.pathname = `/${name}`
  return url.href
})

/** The service as `npm start` runs it, with its workers on the same watched loop. */
interface Process {
  readonly url: string
  /** The longest turn since the last read of this value. */
  readonly longest: Effect.Effect<Turn>
}

/** Starts a service whose event loop is watched. */
export const startWatched = Effect.fnUntraced(function*(env: Record<string, string> = {}) {
  const fs = yield* FileSystem.FileSystem
  const watch = yield* freePort
  const { url } = yield* startApi({
    args: ["--import", "./test/harness/LoopWatch.ts", ...startArguments],
    env: {
      LOOP_WATCH_PORT: `${watch}`,
      ROLE: "all",
      DATA_DIR: yield* fs.makeTempDirectoryScoped({ prefix: "turma-loop-" }),
      DATABASE_URL: yield* databaseUrl,
      APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      RATE_LIMIT_WRITES: "100000",
      RATE_LIMIT_CREDENTIALS: "100000",
      RATE_LIMIT_PLATFORM_HOOK: "100000",
      ...env
    }
  })
  const longest = Effect.flatMap(ask(`http://127.0.0.1:${watch}`), ({ json }) => Effect.orDie(decodeTurn(json)))
  return { url, longest }
})

/** The service that gets most of the requests. */
export class Watched extends Context.Service<Watched, Process>()("test/Watched") {
  static readonly layer = Layer.effect(Watched, startWatched())
}

/** A request, sent once or several times at the same moment. */
export interface Sent {
  readonly path: string
  readonly method?: "PATCH" | "POST" | "PUT"
  /** Without a body the method is GET, with a body it is POST unless `method` is set. */
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Record<string, string>
  /** The count of requests at the same moment, one by default. */
  readonly times?: number
}

/** Makes new values for each request, because repeated ones may cost nothing. */
export type Made = Sent | ((time: number) => Sent)

/** Ends when the workers have finished the work of all requests. */
const idle = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [{ waiting }] = yield* decodeWaiting(yield* sql`
      select (select count(*) from inbound_events where due_at is not null)::int +
        (select count(*) from student_imports where due_at is not null)::int +
        (select count(*) from billing_events where status = 'pending')::int +
        (select count(*) from material_queue)::int +
        (select count(*) from event_outbox)::int as waiting`)
  return waiting === 0
}).pipe(Effect.repeat({ until: (isIdle) => isIdle, schedule: Schedule.spaced("50 millis") }))

/** Sends the request among probes for the health. Returns its status and the longest turn until its work has ended. */
const heldOnce = Effect.fnUntraced(function*(
  { longest, url }: Process,
  { body, headers, method = "POST", path, times = 1 }: Sent
) {
  yield* longest
  let done = false
  const health = ask(`${url}/v1/health`, { headers: { connection: "keep-alive" } })
  const probe = Effect.map(health, ({ status }) => assert.strictEqual(status, 200))
  const request = ask(`${url}${path}`, {
    ...(body === undefined ? {} : { method, body }),
    headers: { "content-type": "application/json", ...headers }
  })
  const requests = Effect.all(Array.from({ length: times }, () => request), { concurrency: "unbounded" })
  const [answers] = yield* Effect.all([
    Effect.ensuring(Effect.tap(requests, () => idle), Effect.sync(() => (done = true))),
    Effect.repeat(probe, { until: () => done, schedule: Schedule.spaced("25 millis") })
  ], { concurrency: 2 })
  return { status: Math.max(...answers.map(({ status }) => status)), turn: yield* longest }
})

/**
 * Sends the body three times, or once if many requests of it come at the same moment, which shows as much. One turn may
 * be too long without a fault of the body, since code compiles at its first run and memory is collected. In this case
 * three more requests follow, and each must be short enough. This finds a body that holds the loop each time, or each
 * second or third time. No turn may exceed twice the bound.
 */
const held = Effect.fnUntraced(function*(process: Process, made: (time: number) => Sent) {
  const times = (numbers: ReadonlyArray<number>) => Effect.forEach(numbers, (time) => heldOnce(process, made(time)))
  const first = yield* times(made(0).times === undefined ? [0, 1, 2] : [0])
  const over = first.filter(({ turn }) => turn.held > most)
  const all = over.length === 1 ? [...first, ...(yield* times([3, 4, 5]))] : first
  const longest = all.map(({ turn }) => turn).toSorted((one, another) => another.held - one.held)
  const [outlier = 0, longestButOne = 0] = longest.map(({ held }) => held)
  return {
    statuses: all.map(({ status }) => status),
    longest,
    isTooLong: longestButOne > most || outlier > 2 * most
  }
})

/** Fills a body of this many bytes with as many parts as fit. */
export const filled = (bytes: number, one: (n: number) => string, around: readonly [string, string]) => {
  const parts: Array<string> = []
  for (let length = around.join("").length; length < bytes; length += (parts.at(-1) ?? "").length + 1) {
    parts.push(one(parts.length))
  }
  return `${around[0]}${parts.slice(0, -1).join()}${around[1]}`
}

/** JSON of this many bytes that is costly to read. */
export const shapes = (bytes: number) => ({
  "lists in lists": "[".repeat(bytes / 2) + "]".repeat(bytes / 2),
  "objects in objects": `${"{\"a\":".repeat(bytes / 6)}1${"}".repeat(bytes / 6)}`,
  "members": filled(bytes, (n) => `"k${n}":0`, ["{", "}"]),
  "objects, none as another": filled(bytes, (n) => `{"k${n}":0}`, ["[", "]"]),
  "objects without anything": filled(bytes, () => "{}", ["[", "]"]),
  "numbers too large": filled(bytes, () => "1e400", ["[", "]"])
})

/** The same shapes with as much structure as the service reads. */
export const readShapes = {
  "lists in lists": filled(19_900, () => "[".repeat(95) + "]".repeat(95), ["[", "]"]),
  "members": `{${Array.from({ length: 6600 }, (_, n) => `"k${n}":0`).join()}}`,
  "objects, none as another": `[${Array.from({ length: 4990 }, (_, n) => `{"k${n}":0}`).join()}]`,
  "a long text": JSON.stringify({ name: "\ufdfa👩‍👩‍👧‍👦@a http://a.b/[".repeat(20_000) })
}

/** Sizes in bytes. */
export const [kibibyte, mebibyte] = [1024, 1024 * 1024]

/** A club and its owner's session. */
export type Club = Effect.Success<ReturnType<typeof foundClub>>
type Needs = SessionStore | SqlClient.SqlClient | Watched

/** Sends these requests in turn and fails with those that held the loop for too long. */
export const drive = Effect.fnUntraced(function*(process: Process, { token }: Club, requests: Record<string, Made>) {
  const found: Record<string, ReadonlyArray<Turn>> = {}
  for (const [name, made] of Object.entries(requests)) {
    const { isTooLong, longest, statuses } = yield* held(process, (time) => {
      const { headers, ...sent } = typeof made === "function" ? made(time) : made
      return { ...sent, headers: { authorization: `Bearer ${token}`, ...headers } }
    })
    assert.isBelow(Math.max(...statuses), 500, name)
    assert.notInclude([404, 405], statuses[0], `${name} is read by no route`)
    if (isTooLong) found[name] = longest
  }
  assert.deepStrictEqual(found, {})
})

/** Drives the watched service with these requests of a new club. */
export const driven = Effect.fnUntraced(function*(
  requests: (club: Club) => Effect.Effect<Record<string, Made>, never, Needs>
) {
  const club = yield* foundClub()
  yield* drive(yield* Watched, club, yield* requests(club))
})

/** A request for each of these cases. */
export const each = <Value>(cases: Record<string, Value>, request: (value: Value, name: string) => Sent) =>
  Effect.succeed(Object.fromEntries(Object.entries(cases).map(([name, value]) => [name, request(value, name)])))

/** Makes requests to this path from a body. */
export const toPath =
  (path: string, headers: Record<string, string> = {}) => (body: NonNullable<Sent["body"]>): Sent => ({
    path,
    body,
    headers
  })

/** The watched service and its database. */
export const LoopLayer = Watched.layer.pipe(Layer.provideMerge(AppLayer), Layer.provideMerge(NodeServices.layer))
