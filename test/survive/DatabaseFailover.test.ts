import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { startTarget, type Target } from "../chaos/Target.ts"
import { at } from "../harness/App.ts"
import { eventually } from "../harness/Eventually.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { caFile, testCa } from "../harness/Tls.ts"
import { startApi, startTurma } from "../harness/Turma.ts"
import { foundClub } from "./Club.ts"
import { startPair } from "./Failover.ts"
import { startWay } from "./Way.ts"

const TestLayer = Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto)

const started = Effect.gen(function*() {
  const pair = yield* startPair
  const way = yield* startWay(pair.primary.port)
  const smtp = yield* startSmtp()
  const ca = testCa()
  const target = yield* startTarget(ca, 1)
  yield* target.accept(() => 0)
  const env = {
    DATABASE_URL: pair.urlAt(way.port),
    APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    SMTP_URL: Redacted.value(smtp.url),
    RATE_LIMIT_WRITES: "1000000",
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    WEBHOOK_ASSEMBLE_DELAY: "50 millis",
    WEBHOOK_EXTRA_CA_FILE: yield* caFile(ca)
  }
  const api = yield* startApi({ env: { ...env, ROLE: "api" } })
  const worker = yield* startTurma({ env: { ...env, ROLE: "worker" } })
  yield* worker.until("worker is ready")
  const club = yield* foundClub(api.url, smtp.received)
  yield* club.listenAt(target, "/hook")
  return { pair, way, target, api, worker, club }
})

/** Adds students until one is confirmed: how many milliseconds that took, and which other answers there were. */
const untilConfirmed = Effect.fnUntraced(function*(add: Effect.Effect<number>) {
  const from = yield* Clock.currentTimeMillis
  const others = new Set<number>()
  while (true) {
    const status = yield* add
    if (status === 201) return { millis: (yield* Clock.currentTimeMillis) - from, others: [...others] }
    others.add(status)
    yield* Effect.sleep("50 millis")
  }
})

/** Which events told of which student. */
const toldOf = ({ posts }: Target) => {
  const told = new Map<string, Set<string>>()
  for (const { body, event, status } of posts) {
    if (status !== 200) continue
    const student = String(at(JSON.parse(body), "data", "student", "id"))
    told.set(student, new Set([...told.get(student) ?? [], event]))
  }
  return told
}

layer(TestLayer, { concurrent: true, excludeTestServices: true, timeout: "120 seconds" })(
  "When the database's primary is gone and its replica is promoted",
  (it) => {
    it.effect("the service goes on at the new one, though its connections to the old one hang for ever", () =>
      Effect.gen(function*() {
        const { api, club, pair, target, way, worker } = yield* started
        const untilTold = eventually(
          Effect.delay(Effect.sync(() => club.confirmed.filter((id) => !toldOf(target).has(id))), "50 millis"),
          (missing) => missing.length === 0
        )
        for (let count = 0; count < 20; count++) assert.strictEqual(yield* club.add, 201)
        yield* untilTold

        yield* way.lose
        yield* way.moveTo(pair.replica.port)
        yield* pair.primary.kill
        // The address is there before the replica is promoted: it reads, and refuses to write.
        const first = yield* club.add
        const [second, read] = [yield* club.add, yield* club.read]
        assert.deepStrictEqual([first, second, read], [503, 503, 200])
        yield* pair.replica.promote
        const { millis, others } = yield* untilConfirmed(club.add)
        assert.isBelow(millis, 15_000)
        assert.deepStrictEqual(others.filter((status) => status !== 503), [])
        for (let count = 0; count < 20; count++) assert.strictEqual(yield* club.add, 201)

        // Whatever was confirmed is there, since the replica had confirmed it too, and is told of under one id.
        yield* untilTold
        assert.deepStrictEqual([...toldOf(target).values()].filter(({ size }) => size > 1), [])
        assert.deepStrictEqual([(yield* api.end()).code, (yield* worker.end()).code], [0, 0])
      }))
  }
)
