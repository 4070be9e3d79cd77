import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Schema, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import { gzipSync } from "node:zlib"
import { Diagnoses } from "../../../../src/webhooks/endpoint/Diagnoses.ts"
import type { AttemptError } from "../../../../src/webhooks/model/AttemptError.ts"
import { AttemptPhases, type PhaseName, phaseNames } from "../../../../src/webhooks/model/AttemptPhases.ts"
import { configLayer } from "../../../harness/App.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { type Answering, startRawReceiver, startReceiver, startTcpReceiver } from "../../../harness/Receiver.ts"
import { selfSigned } from "../../../harness/Tls.ts"
import { type MadeEndpoint, makeEndpoint } from "../../../harness/Webhooks.ts"
import { countHeads } from "../../send/Wire.ts"
import { ca, deliver, RealSenderLayer, silentAsked } from "./RealSender.ts"

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

interface Hostility {
  readonly url: string
  /** Runs during the attempt. */
  readonly meanwhile?: Effect.Effect<void>
}

const passing = (begun: Promise<unknown>, seconds: number) =>
  Effect.andThen(Effect.promise(() => begun), TestClock.adjust(Duration.seconds(seconds)))

const says = (bytes: string) => startRawReceiver((socket) => void socket.on("data", () => socket.write(bytes)), { ca })
const answers = (answer: Answering) => startReceiver({ ca, answer })
const tcp = (handle: (socket: Socket) => void) => startTcpReceiver(handle)

const flood = (socket: TLSSocket) => {
  const chunk = Buffer.alloc(65_536, "a")
  const pour = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.once("data", () => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n")
    socket.on("drain", pour)
    pour()
  })
}

type Outcome = readonly [error: AttemptError | null, status: number | null, response?: string | null]
const cases: ReadonlyArray<
  readonly [name: string, outcome: Outcome, open: Effect.Effect<Hostility, never, Scope.Scope>]
> = [
  [
    "1: a gzip bomb",
    [null, 200],
    answers({ status: 200, headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(50 * 2 ** 20)) })
  ],
  [
    "2: a body without an end, slowly",
    [null, 200, null],
    Effect.gen(function*() {
      const heads = yield* countHeads
      const { url } = yield* says("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")
      return { url, meanwhile: Effect.andThen(heads.reached(1), TestClock.adjust("15 seconds")) }
    })
  ],
  [
    "3: a head without an end, slowly",
    ["timeout", null],
    Effect.gen(function*() {
      const heard = Promise.withResolvers<void>()
      const { url } = yield* startRawReceiver((socket) =>
        void socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\nx-slow: ")
          heard.resolve()
        }), { ca })
      return { url, meanwhile: passing(heard.promise, 15) }
    })
  ],
  ["4: a redirect", ["redirect", 307], answers({ status: 307, headers: { location: "https://169.254.169.254/" } })],
  ["5: another protocol", ["protocol", null], says("HTTP/1.1 101 Switching Protocols\r\n\r\n")],
  ["6: interim answers", ["protocol", null], says("HTTP/1.1 100 Continue\r\n\r\n".repeat(50_000) + ok)],
  ["6: an interim answer that nobody asked for", [null, 200, "ok"], says(`HTTP/1.1 100 Continue\r\n\r\n${ok}`)],
  ["7: 20 KB of headers", ["protocol", null], says(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(20_480)}\r\n\r\n`)],
  ["8: a body without an end, at full speed", [null, 200, "a".repeat(2048)], startRawReceiver(flood, { ca })],
  [
    "9: silence instead of TLS",
    ["timeout", null],
    Effect.gen(function*() {
      const heard = Promise.withResolvers<void>()
      const { url } = yield* tcp((socket) => void socket.once("data", () => heard.resolve()))
      return { url, meanwhile: passing(heard.promise, 15) }
    })
  ],
  ["10: a TLS alert", ["tls", null], tcp((socket) => void socket.write(Buffer.from([21, 3, 3, 0, 2, 2, 40])))],
  ["10: a certificate of its own", ["tls", null], startReceiver({ ca, server: selfSigned() })],
  ["10: TLS 1.1", [
    "tls",
    null
  ], startReceiver({ ca, server: { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } })],
  [
    "11: a connection lost before the head",
    ["connection", null],
    startRawReceiver((socket) => void socket.once("data", () => socket.destroy()), { ca })
  ],
  [
    "11: a connection lost after the head of a 2xx",
    [null, 200],
    startRawReceiver(
      (socket) => void socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab")),
      { ca }
    )
  ],
  ["13: Retry-After in 2099", [
    "http_status",
    503
  ], answers({ status: 503, headers: { "retry-after": "Thu, 01 Jan 2099 00:00:00 GMT" } })],
  ["13: Retry-After of 1e9", ["http_status", 429], answers({ status: 429, headers: { "retry-after": "1e9" } })],
  ["14: NUL bytes", [null, 200, "ab"], answers({ status: 200, body: "a\0b\0" })],
  ["14: nothing but NUL bytes", ["http_status", 500, null], answers({ status: 500, body: "\0\0" })],
  ["14: no UTF-8", [null, 200, "a\u00ffb"], answers({ status: 200, body: Buffer.from([0x61, 0xff, 0x62]) })],
  [
    "14: 2 KB of no UTF-8",
    [null, 200, "\u00ff".repeat(1024)],
    answers({ status: 200, body: Buffer.alloc(2048, 0xff) })
  ],
  ["14: a code point cut off", [null, 200, "a".repeat(2047)], answers({ status: 200, body: `${"a".repeat(2047)}ç` })],
  ...[204, 205, 299].map((status) => [`15: ${status}`, [null, status], answers({ status })] as const),
  ...[300, 304].map((status) => [`15: ${status}`, ["redirect", status], answers({ status })] as const),
  ...[400, 410, 500, 599, 999].map((status) =>
    [`15: ${status}`, ["http_status", status], answers({ status })] as const
  ),
  ["17: a name with 500 answers", ["dns", null], Effect.succeed({ url: "https://many.example.com/" })],
  ["17: a name whose server fails", ["dns", null], Effect.succeed({ url: "https://broken.example.com/" })],
  [
    "17: a name whose server is silent",
    ["dns", null],
    Effect.succeed({
      url: "https://silent.example.com/",
      meanwhile: passing(silentAsked.promise, 5)
    })
  ]
]

/** A worker, and the service that tells the state of an endpoint. */
const DiagnosingLayer = Diagnoses.layer.pipe(
  Layer.provideMerge(RealSenderLayer),
  Layer.provide(configLayer())
)

const decodeStored = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({
  ...AttemptPhases.fields,
  connection_reused: Schema.NullOr(Schema.Boolean),
  peer_address: Schema.NullOr(Schema.String),
  tls_version: Schema.NullOr(Schema.String),
  certificate_ends_at: Schema.NullOr(Schema.DateTimeUtcFromDate),
  duration_ms: Schema.Int
})]))

type Stored = Effect.Success<ReturnType<typeof decodeStored>>[0]

/** The stored fields of the endpoint's one attempt, without its answer. */
const storedOf = Effect.fnUntraced(function*({ club_id, endpoint_id }: MadeEndpoint) {
  const sql = yield* SqlClient.SqlClient
  const [stored] = yield* decodeStored(yield* sql`
      select a.* from webhook_attempts a join webhook_deliveries d on d.club_id = a.club_id and d.id = a.delivery_id
      where d.club_id = ${club_id} and d.endpoint_id = ${endpoint_id}`)
  return stored
})

/**
 * The phases in which an attempt may end, if this is not the last phase. A byte of the answer may still be on its way.
 * Interim answers do not count: an attempt with nothing else ends in its wait.
 */
const endsIn: Readonly<Record<string, ReadonlyArray<PhaseName>>> = {
  "3: a head without an end, slowly": ["wait_ms", "read_ms"],
  "5: another protocol": ["wait_ms"],
  "6: interim answers": ["wait_ms"],
  "9: silence instead of TLS": ["tls_ms"],
  "10: a TLS alert": ["tls_ms"],
  "10: a certificate of its own": ["tls_ms"],
  "10: TLS 1.1": ["tls_ms"],
  "11: a connection lost before the head": ["wait_ms"],
  "17: a name with 500 answers": ["lookup_ms"],
  "17: a name whose server fails": ["lookup_ms"],
  "17: a name whose server is silent": ["lookup_ms"]
}

/** Checks that every phase up to the last one has its duration, and that the peer has the fields known by then. */
const assertPhases = Effect.fnUntraced(function*(stored: Stored, ends: ReadonlyArray<PhaseName>) {
  const taken = phaseNames.filter((name) => stored[name] !== null)
  const last = taken.at(-1) ?? assert.fail("There is no phase")
  assert.include(ends, last)
  const first = last === "lookup_ms" ? "lookup_ms" : "connect_ms"
  assert.deepStrictEqual(taken, phaseNames.slice(phaseNames.indexOf(first), phaseNames.indexOf(last) + 1))
  assert.strictEqual(phaseNames.reduce((sum, name) => sum + (stored[name] ?? 0), 0), stored.duration_ms)
  const wasSent = taken.includes("send_ms")
  assert.deepStrictEqual([stored.peer_address, stored.tls_version, stored.connection_reused], [
    last === "lookup_ms" ? null : "127.0.0.1",
    wasSent ? "TLSv1.3" : null,
    wasSent ? false : null
  ])
  assert.strictEqual(stored.certificate_ends_at !== null, wasSent)
})

/** Checks that the diagnosis of a failure names its cause and the next step. */
const assertDiagnosed = Effect.fnUntraced(function*(
  { club_id, endpoint_id }: MadeEndpoint,
  { error, status_code }: { readonly error: string | null; readonly status_code: number | null }
) {
  const { last_failure } = yield* Diagnoses.use((diagnoses) => diagnoses.of(club_id, endpoint_id))
  if (error === null) return assert.isNull(last_failure)
  assert.deepStrictEqual<unknown>([last_failure?.cause, last_failure?.status_code], [error, status_code])
  for (const words of [last_failure?.sentence, last_failure?.next_step]) assert.match(words ?? "", /^[A-Z].{9,}\.$/)
})

layer(DiagnosingLayer)("a worker", (it) => {
  it.effect.each(cases)(
    "records one attempt at a hostile receiver and goes on: %s",
    ([name, outcome, open]) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { meanwhile, url } = yield* open
        const endpoint = yield* makeEndpoint(yield* makeClub(), { url })
        const { error, response_body, status_code } = yield* deliver(endpoint, meanwhile)
        const [expectedError, expectedStatus, response = response_body] = outcome
        assert.deepStrictEqual([error, status_code, response_body], [expectedError, expectedStatus, response])
        yield* assertPhases(yield* storedOf(endpoint), endsIn[name] ?? ["read_ms"])
        yield* assertDiagnosed(endpoint, { error, status_code })
        const kind = yield* startReceiver({ ca })
        yield* sql`update webhook_endpoints set url = ${kind.url} where id = ${endpoint.id}`
        assert.strictEqual((yield* deliver(endpoint)).status_code, 204)
      })
  )

  it.effect("tells to delete the endpoint of a receiver that answers 410, for as long as it does", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver({ ca, answer: { status: 410 } })
      const endpoint = yield* makeEndpoint(yield* makeClub(), { url: receiver.url })
      const advised = Diagnoses.use((diagnoses) => diagnoses.of(endpoint.club_id, endpoint.endpoint_id))
        .pipe(Effect.map(({ advice }) => advice.map(({ about, sentence }) => [about, sentence.split(":", 1)[0]])))
      assert.deepStrictEqual(yield* advised, [])
      assert.strictEqual((yield* deliver(endpoint)).status_code, 410)
      assert.deepStrictEqual(yield* advised, [["gone", "The receiver answers 410"]])
      receiver.answerWith({ status: 204 })
      assert.isNull((yield* deliver(endpoint)).error)
      assert.deepStrictEqual(yield* advised, [])
    }))

  it.effect("12: records one attempt where the connection is lost between two requests or as the second is written", () =>
    Effect.gen(function*() {
      const heard: Array<number> = []
      const receiver = yield* startRawReceiver((socket, number) => {
        let count = 0
        socket.on("data", () => {
          heard.push(number)
          if (++count === 1) socket.write(ok)
          else socket.destroy()
        })
      }, { ca })
      const endpoint = yield* makeEndpoint(yield* makeClub(), { url: receiver.url })
      assert.isNull((yield* deliver(endpoint)).error)
      assert.isNull((yield* deliver(endpoint)).error)
      assert.deepStrictEqual(heard, [1, 1, 2])
      for (const socket of receiver.sockets) socket.destroy()
      assert.isNull((yield* deliver(endpoint)).error)
    }))

  it.effect("16: records one attempt at a name that leads inside on its next connection", () =>
    Effect.gen(function*() {
      const host = "moving.example.com"
      const receiver = yield* startReceiver({ ca, names: [host], answer: { headers: { connection: "close" } } })
      const endpoint = yield* makeEndpoint(yield* makeClub(), { url: `https://${host}:${receiver.port}/` })
      assert.isNull((yield* deliver(endpoint)).error)
      assert.strictEqual((yield* deliver(endpoint)).error, "address_not_allowed")
      assert.strictEqual(receiver.requests.length, 1)
    }))
})
