import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Queue, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomBytes } from "node:crypto"
import { at } from "../harness/App.ts"
import { eventually } from "../harness/Eventually.ts"
import { startReplicated } from "../harness/Replica.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { tell } from "../harness/tell.ts"
import { ask, post, runTurma, startApi } from "../harness/Turma.ts"
import { journey } from "./Journey.ts"
import { salesJourney } from "./SalesJourney.ts"

const APP_SECRET_KEY = Buffer.alloc(32, 7).toString("base64")

/** The number of reads of lists so far, at the replica and at the primary. */
const readsIn = (metrics: string) => {
  const of = (place: string) =>
    Number(new RegExp(`^turma_replica_reads_total\\{at="${place}"\\} (\\d+)$`, "m").exec(metrics)?.[1] ?? 0)
  return { replica: of("replica"), primary: of("primary") }
}

layer(Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto), { excludeTestServices: true })(
  "A service with a replica",
  (it) => {
    it.effect("reads lists and exports there, and answers what was just written also while that cannot", () =>
      Effect.gen(function*() {
        const { primary, stop, url } = yield* startReplicated
        const smtp = yield* startSmtp()
        const INTERNAL_SECRET = randomBytes(16).toString("hex")
        const env = {
          DATABASE_URL: Redacted.value(primary.url),
          DATABASE_READ_URL: Redacted.value(url),
          APP_SECRET_KEY
        }
        const service = yield* startApi({
          env: {
            ...env,
            INTERNAL_SECRET,
            SMTP_URL: Redacted.value(smtp.url),
            RATE_LIMIT_CREDENTIALS: "1000",
            RATE_LIMIT_WRITES: "1000"
          }
        })
        const { club, owner } = yield* journey({
          url: service.url,
          mails: smtp.received,
          internalSecret: INTERNAL_SECRET
        })
        yield* salesJourney({ url: service.url, club, mails: smtp.received, owner })
        const get = (path: string) => ask(`${club}${path}`, { headers: { authorization: `Bearer ${owner}` } })
        const reads = Effect.map(
          ask(`${service.url}/internal/metrics`, { headers: { authorization: `Bearer ${INTERNAL_SECRET}` } }),
          ({ text }) => readsIn(text)
        )
        let names = 0
        /** Makes a student and asserts that the list and the export have it at once. Counts each database's reads. */
        const writeAndRead = Effect.gen(function*() {
          const email = `student${names++}@people.example`
          const made = yield* post(`${club}/students`, { name: "Rui", email }, owner)
          assert.strictEqual(made.status, 201, made.text)
          const before = yield* reads
          const list = yield* get(`/students?search=${encodeURIComponent(email)}`)
          const csv = yield* get("/students/export.csv")
          assert.deepStrictEqual([at(list.json, "data", 0, "email"), csv.text.includes(email)], [email, true])
          const after = yield* reads
          return { replica: after.replica - before.replica, primary: after.primary - before.primary }
        })
        const replica = Effect.map(
          ask(`${service.url}/v1/health/ready`),
          ({ json, status }) => [status, at(json, "data", "status"), at(json, "data", "checks", "replica")]
        )
        const isThere = (state: ReadonlyArray<unknown>) => state[2] === "ok"
        const doctor = Effect.map(
          runTurma({ args: ["src/cli/main.ts", "doctor"], env }),
          ({ stdout }) => stdout.split("\n").find((line) => line.includes("Replica"))
        )

        yield* eventually(replica, isThere)
        yield* eventually(writeAndRead, (counts) => counts.replica >= 2 && counts.primary === 0)
        assert.match(String(yield* doctor), /has all that is committed/)

        yield* tell(url, "select pg_wal_replay_pause()")
        for (let n = 0; n < 3; n++) assert.strictEqual((yield* writeAndRead).replica, 0)
        assert.deepStrictEqual(yield* replica, [200, "degraded", "failing"])
        yield* service.until("lists and exports are read at the database: ")
        assert.match(String(yield* doctor), /it is \d+ bytes of the log behind/)
        yield* tell(url, "select pg_wal_replay_resume()")
        yield* eventually(replica, isThere)
        yield* eventually(writeAndRead, (counts) => counts.replica >= 2)

        yield* stop
        for (let n = 0; n < 3; n++) assert.strictEqual((yield* writeAndRead).replica, 0)
        assert.deepStrictEqual(yield* replica, [200, "degraded", "failing"])
        const { code, stderr } = yield* service.end()
        assert.deepStrictEqual([code, stderr], [0, ""])
        yield* Queue.shutdown(smtp.received)
      }))
  }
)
