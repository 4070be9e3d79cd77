import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { freePort } from "../../src/sql/EmbeddedPostgres.ts"
import { AppLayer, at, foundClub } from "../support/App.ts"
import { adminDatabaseUrl } from "../support/Postgres.ts"
import { ask, post, startApi } from "../support/Turma.ts"

// README, Decisions: no route holds the event loop for more than 50 ms. Held is what counts, not waited: the processor time
// of the longest turn of the loop, in a process of its own, which other processes on the machine do not lengthen.

const most = 50

const decodeNames = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ name: Schema.String })]))

/** The database of this test file, for another process. */
const databaseUrl = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [{ name }] = yield* decodeNames(yield* sql`select current_database() as name`)
  const url = new URL(Redacted.value(adminDatabaseUrl()))
  url.pathname = `/${name}`
  return url.href
})

/** The service as `npm start` runs it, its loop watched. */
class Watched extends Context.Service<Watched, {
  readonly url: string
  /** The longest turn since this was last asked, in milliseconds of processor time. */
  readonly longest: Effect.Effect<number>
}>()("test/Watched") {}

const WatchedLayer = Layer.effect(
  Watched,
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const watch = yield* freePort
    const { url } = yield* startApi({
      args: [
        "--import",
        "./test/support/LoopWatch.ts",
        "--max-semi-space-size=8",
        "--heap-growing-percent=100",
        "src/main.ts"
      ],
      env: {
        LOOP_WATCH_PORT: `${watch}`,
        ROLE: "api",
        DATA_DIR: yield* fs.makeTempDirectoryScoped({ prefix: "turma-loop-" }),
        DATABASE_URL: yield* databaseUrl,
        APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
        RATE_LIMIT_WRITES: "100000",
        RATE_LIMIT_CREDENTIALS: "100000"
      }
    })
    const longest = Effect.map(ask(`http://127.0.0.1:${watch}`), ({ json }) => Number(at(json, "longest")))
    return { url, longest }
  })
)

interface Sent {
  readonly path: string
  /** Without one it is a GET. */
  readonly body?: string
  readonly headers?: Record<string, string>
}

/** What the request was answered, and for how long it held the loop, while others ask whether the service is there. */
const heldOnce = Effect.fnUntraced(function*({ body, headers, path }: Sent) {
  const { longest, url } = yield* Watched
  yield* longest
  let answered = false
  const probe = Effect.map(ask(`${url}/v1/health`), ({ status }) => assert.strictEqual(status, 200))
  const request = ask(`${url}${path}`, {
    ...(body === undefined ? {} : { method: "POST", body }),
    headers: { "content-type": "application/json", ...headers }
  })
  const [{ status }] = yield* Effect.all([
    Effect.ensuring(request, Effect.sync(() => (answered = true))),
    Effect.repeat(probe, { until: () => answered })
  ], { concurrency: 2 })
  return { status, held: yield* longest }
})

// Code that runs for the first time is compiled, and that is no fault of the body.
const held = (sent: Sent) => Effect.repeat(heldOnce(sent), { until: ({ held }) => held <= most, times: 3 })

/** As many of them as a body of so many bytes has room for. */
const filled = (bytes: number, one: (n: number) => string, around: readonly [string, string]) => {
  const parts: Array<string> = []
  for (let length = around.join("").length; length < bytes; length += (parts.at(-1) ?? "").length + 1) {
    parts.push(one(parts.length))
  }
  return `${around[0]}${parts.slice(0, -1).join()}${around[1]}`
}

/** JSON that is costly to read, in so many bytes. */
const shapes = (bytes: number) => ({
  "lists in lists": "[".repeat(bytes / 2) + "]".repeat(bytes / 2),
  "objects in objects": `${"{\"a\":".repeat(bytes / 6)}1${"}".repeat(bytes / 6)}`,
  "members": filled(bytes, (n) => `"k${n}":0`, ["{", "}"]),
  "objects, none as another": filled(bytes, (n) => `{"k${n}":0}`, ["[", "]"]),
  "objects without anything": filled(bytes, () => "{}", ["[", "]"]),
  "numbers too large": filled(bytes, () => "1e400", ["[", "]"])
})

/** The same with as much structure as is read. */
const readShapes = {
  "lists in lists": "[".repeat(9990) + "]".repeat(9990),
  "members": `{${Array.from({ length: 6600 }, (_, n) => `"k${n}":0`).join()}}`,
  "objects, none as another": `[${Array.from({ length: 4990 }, (_, n) => `{"k${n}":0}`).join()}]`,
  "a long text": JSON.stringify({ name: "\ufdfa👩‍👩‍👧‍👦@a http://a.b/[".repeat(20_000) })
}

const [kibibyte, mebibyte] = [1024, 1024 * 1024]
const rows = <Row>(row: (n: number) => Row) => Array.from({ length: 5000 }, (_, n) => row(n))

const person = (n: number) => ({
  name: `Ana ${"x".repeat(180)} ${n}`,
  email: `ana${n}@example.com`,
  document: "12345678901",
  delivery: "violão".repeat(20),
  cohort: "manhã".repeat(20),
  expires_at: "31/12/2100"
})

const csvFiles = {
  "delimiters": ",".repeat(4 * mebibyte),
  "delimiters under a header": `email,name\n${",".repeat(4 * mebibyte - 11)}`,
  "rows of many cells": `email\n${`${",".repeat(499)}\n`.repeat(8000)}`,
  "line breaks": `email\n${"\r".repeat(4 * mebibyte - 6)}`,
  "white space": " ".repeat(4 * mebibyte),
  "a quote without its end": `email\n"${"a\n".repeat(2 * mebibyte - 4)}`,
  "rows with everything wrong in them": `email;name;document;delivery;cohort;expires_at\n${
    rows((n) => `a${n};${"x".repeat(201)};1;${"çãé".repeat(60)};${"\ufdfa".repeat(60)};31/13/2030`).join("\n")
  }`,
  "rows in order": `email;name\n${rows((n) => `ana${n}@example.com;Ana ${n}`).join("\n")}`
}

const jsonFiles = {
  "rows with everything in them": JSON.stringify({ rows: rows(person) }),
  "rows in order": JSON.stringify({ rows: rows((n) => ({ name: `Ana ${n}`, email: `ana${n}@example.com` })) }),
  "too many rows": filled(4 * mebibyte, () => `{"name":"a","email":"b"}`, [`{"rows":[`, "]}"]),
  "a row of members": filled(4 * mebibyte, (n) => `"k${n}":0`, [`{"rows":[{`, "}]}"]),
  "no rows": filled(4 * mebibyte, (n) => `"k${n}":0`, ["{", "}"])
}

const question = { text: "a", options: Array.from({ length: 10 }, () => ({ text: "a", correct: true })) }
const id = "018f0000-0000-7000-8000-000000000001"

/** Fields of ordinary routes that take lists, with as many items as are read. */
const lists = {
  "/community/spaces/order": { ids: Array.from({ length: 9000 }, () => id) },
  [`/lessons/${id}/blocks`]: { kind: "quiz", pass_percent: 50, questions: Array.from({ length: 200 }, () => question) },
  "/deliveries": { name: "a", items: Array.from({ length: 3000 }, () => ({ kind: "course", id })) },
  "/webhook-endpoints": { url: "https://a.example", event_types: Array.from({ length: 9000 }, () => "webhook.test") }
}

const texts = {
  "accents": "é\u0301".repeat(100_000),
  "one sign that is many": "\ufdfa".repeat(100_000),
  "emoji": "👩‍👩‍👧‍👦".repeat(20_000),
  "mentions": "@a ".repeat(100_000),
  "links": "http://a.b/[".repeat(50_000),
  "an address": `a@${"a.".repeat(100_000)}`
}

const platforms = ["generic", "hotmart", "kiwify", "eduzz", "hubla", "stripe"]

const signatures = {
  "webhook-id": "a",
  "webhook-timestamp": "1".repeat(1000),
  "webhook-signature": "v1,aaaa ".repeat(500),
  "stripe-signature": `t=1,${"v1=a,".repeat(500)}`
}

const LoopLayer = WatchedLayer.pipe(Layer.provideMerge(AppLayer), Layer.provideMerge(NodeServices.layer))

layer(LoopLayer, { excludeTestServices: true, timeout: "60 seconds" })(
  "The event loop is held for a moment only by",
  (it) => {
    type Club = Effect.Success<ReturnType<typeof foundClub>>

    const driven = (what: string, requests: (club: Club) => Effect.Effect<Record<string, Sent>, never, Watched>) =>
      it.effect(what, () =>
        Effect.gen(function*() {
          const club = yield* foundClub()
          const found: Record<string, number> = {}
          for (const [name, { headers, ...sent }] of Object.entries(yield* requests(club))) {
            const { held: long, status } = yield* held({
              ...sent,
              headers: { authorization: `Bearer ${club.token}`, ...headers }
            })
            assert.isBelow(status, 500, name)
            if (long > most) found[name] = long
          }
          assert.deepStrictEqual(found, {})
        }), 600_000)

    const each = <Value>(cases: Record<string, Value>, request: (value: Value, name: string) => Sent) =>
      Effect.succeed(Object.fromEntries(Object.entries(cases).map(([name, value]) => [name, request(value, name)])))

    const toPath = (path: string, headers: Record<string, string> = {}) => (body: string): Sent => ({
      path,
      body,
      headers
    })

    driven("JSON of 1 MiB", () => each({ ...shapes(mebibyte - 12), ...readShapes }, toPath("/v1/clubs")))

    driven(
      "JSON of 1 MiB with an Idempotency-Key",
      () => each(readShapes, toPath("/v1/clubs", { "idempotency-key": "a" }))
    )

    driven("JSON of 16 KiB at the doors", () => each(shapes(16 * kibibyte - 12), toPath("/v1/auth/admin/sign-in")))

    driven(
      "lists in ordinary bodies",
      ({ path }) => each(lists, (body, name) => ({ path: `${path}${name}`, body: JSON.stringify(body) }))
    )

    driven(
      "texts in ordinary bodies",
      ({ path }) =>
        each(texts, (body) => ({ path: `${path}/students`, body: JSON.stringify({ name: body, email: body }) }))
    )

    driven("texts in a query", ({ path }) =>
      each({ ...texts, cursor: "[".repeat(9000) }, (text, name) => {
        const value = encodeURIComponent([...text].slice(0, 1000).join(""))
        return { path: `${path}/students?${name === "cursor" ? name : "search"}=${value}` }
      }))

    driven(
      "an import as CSV",
      ({ path }) => each(csvFiles, toPath(`${path}/students/imports?dry_run=true`, { "content-type": "text/csv" }))
    )

    driven("an import as JSON", ({ path }) => each(jsonFiles, toPath(`${path}/students/imports?dry_run=true`)))

    driven("a sales platform's notice", ({ path, token }) =>
      Effect.gen(function*() {
        const { url } = yield* Watched
        const requests: Record<string, Sent> = {}
        for (const platform of platforms) {
          const made = yield* post(`${url}${path}/inbound-webhooks`, { platform, token_only: true }, token)
          const hook = new URL(String(at(made.json, "data", "url"))).pathname
          for (const [name, body] of Object.entries(shapes(256 * kibibyte - 12))) {
            requests[`${platform} ${name}`] = { path: hook, body, headers: signatures }
          }
        }
        return requests
      }))
  }
)
