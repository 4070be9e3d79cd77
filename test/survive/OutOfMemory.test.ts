import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { startTarget } from "../chaos/Target.ts"
import { eventually } from "../harness/Eventually.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { startArguments } from "../harness/ScriptArguments.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { tell } from "../harness/tell.ts"
import { caFile, testCa } from "../harness/Tls.ts"
import { ask, startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { foundClub } from "./Club.ts"
import { toldOf, toldTwice } from "./Service.ts"

const TestLayer = Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto)

const preload = fileURLToPath(new URL("../harness/outOfMemory.ts", import.meta.url))

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number)

/** The status of readiness; 0 if the connection breaks, as when a process ends. */
const asked = (url: string) =>
  ask(`${url}/v1/health/ready`).pipe(
    Effect.map(({ status }) => status),
    Effect.timeoutOrElse({ duration: "5 seconds", orElse: () => Effect.succeed(0) }),
    Effect.catchCause(() => Effect.succeed(0))
  )

const count = 40

/** Milliseconds that the receiver takes to answer. */
const answersAfter = 700

layer(TestLayer, { concurrent: true, excludeTestServices: true })(
  "When processes run out of memory while they send webhooks",
  (it) => {
    it.effect("their supervisor starts them again, and every webhook arrives, under its one id", () =>
      Effect.gen(function*() {
        const smtp = yield* startSmtp()
        const url = yield* freshDatabaseUrl
        const ca = testCa()
        const target = yield* startTarget(ca, 1)
        yield* target.accept(() => answersAfter)
        const api = yield* startApi({
          args: startArguments,
          env: {
            DATABASE_URL: Redacted.value(url),
            DATA_DIR: yield* postgresFolder(),
            APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
            SMTP_URL: Redacted.value(smtp.url),
            LOG_FORMAT: "json",
            PROCESSES: "2",
            NODE_OPTIONS: `--max-old-space-size=200 --import ${preload}`,
            RATE_LIMIT_WRITES: "1000000",
            WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
            WEBHOOK_ASSEMBLE_DELAY: "50 millis",
            WEBHOOK_LEASE: "6 seconds",
            WEBHOOK_EXTRA_CA_FILE: yield* caFile(ca)
          }
        })
        yield* api.until("processes are ready")
        const club = yield* foundClub(api.url, smtp.received)
        yield* club.listenAt(target, "/hook")
        const before = childrenOf(api.pid)
        assert.lengthOf(before, 2)
        const recorded = Effect.map(
          tell(url, "select count(*)::int as count from webhook_attempts"),
          ({ rows }) => Number(rows[0]?.["count"])
        )
        // One process after the other. The process that sends is among them, and dies during its work.
        let inFlight = 0
        const ready = new Set<number>()
        for (const pid of before) {
          const from = target.posts.length
          for (let added = 0; added < count; added++) assert.strictEqual(yield* club.add, 201)
          yield* eventually(
            Effect.delay(Effect.sync(() => target.posts.length), "10 millis"),
            (posts) => posts > from
          )
          process.kill(pid, "SIGUSR2")
          yield* eventually(
            Effect.delay(asked(api.url), "100 millis").pipe(
              Effect.tap((status) => Effect.sync(() => ready.add(status))),
              Effect.map(() => childrenOf(api.pid))
            ),
            (pids) => !pids.includes(pid)
          )
          // After the lease of 3 seconds, webhooks that it sent and did not record are sent again.
          inFlight += target.posts.length - (yield* recorded)
          yield* eventually(
            Effect.delay(Effect.sync(() => childrenOf(api.pid)), "100 millis"),
            (pids) => pids.length === before.length
          )
        }
        yield* eventually(
          Effect.delay(Effect.sync(() => club.confirmed.filter((id) => !toldOf(target).has(id))), "50 millis"),
          (missing) => missing.length === 0
        )
        const ends = api.said.stdout.split("\n").filter((line) => line.includes("(SIGABRT) and is started again"))
        assert.lengthOf(ends, 2)
        assert.include(api.said.stderr, "JavaScript heap out of memory")
        // The other process answers meanwhile.
        assert.include([...ready], 200)
        assert.deepStrictEqual(toldTwice(target), [])
        assert.isAtMost(target.posts.length - club.confirmed.length, inFlight)
        assert.strictEqual(yield* club.add, 201)
        assert.strictEqual((yield* api.end()).code, 0)
      }))
  }
)
