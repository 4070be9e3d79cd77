import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { eventually } from "../harness/Eventually.ts"
import { killPostmaster } from "../harness/Postmaster.ts"
import { ask } from "../harness/Turma.ts"
import { mebibyte } from "../platform/storage/Club.ts"
import { startEmbedded } from "./Service.ts"
import { mountFailingDisk } from "./SmallDisk.ts"

// Takes long: requests wait for their limits on real time.

interface Timed {
  readonly status: number
  readonly millis: number
}

const timed = Effect.fnUntraced(function*(request: Effect.Effect<number>) {
  const from = yield* Clock.currentTimeMillis
  const status = yield* request
  return { status, millis: (yield* Clock.currentTimeMillis) - from } satisfies Timed
})

/** Repeats a request for as long as the scope lives. The result collects the answers. */
const load = Effect.fnUntraced(function*(request: Effect.Effect<number>, atOnce: number) {
  const answers: Array<Timed> = []
  const one = Effect.map(timed(request), (answer) => void answers.push(answer))
  yield* Effect
    .forkScoped(Effect.replicateEffect(Effect.forever(Effect.delay(one, "100 millis")), atOnce, {
      concurrency: atOnce
    }))
  return answers
})

const statuses = (answers: ReadonlyArray<Timed>) => [...new Set(answers.map(({ status }) => status))].toSorted()

/** Milliseconds for which the disk accepts no writes, each time. */
const stall = 3000

/** Milliseconds. A slower request has waited for the disk. */
const late = 2000

layer(Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto), { concurrent: true, excludeTestServices: true })(
  "On a disk with the embedded PostgreSQL that takes what is written late, and then nothing any more",
  (it) => {
    it.effect("reads are answered, writes later or with 503, and what was confirmed outlives kill -9 and the fault", (context) =>
      Effect.gen(function*() {
        const disk = yield* mountFailingDisk(320 * mebibyte)
        if (disk.unmounted !== undefined) return context.skip(disk.unmounted)
        const { api, club, startAgain } = yield* startEmbedded(disk.folder)
        assert.strictEqual(yield* club.add, 201)
        const health = Effect.map(ask(`${api.url}/v1/health`), ({ status }) => status)
        const readiness = Effect.map(ask(`${api.url}/v1/health/ready`), ({ status }) => status)
        const slowly = Effect.forever(Effect.andThen(disk.stalled(Effect.sleep(stall)), Effect.sleep("200 millis")))

        yield* Effect.scoped(Effect.gen(function*() {
          const slow = yield* Effect.forkScoped(slowly)
          const writes = yield* load(club.add, 6)
          const others = [yield* load(club.read, 1), yield* load(health, 1), yield* load(readiness, 1)]
          const waited = () => writes.filter(({ millis, status }) => status === 201 && millis > late)
          yield* eventually(Effect.delay(Effect.sync(waited), "100 millis"), ({ length }) => length >= 12)
          for (const answers of others) assert.deepStrictEqual(statuses(answers), [200])
          assert.deepStrictEqual(statuses(writes), [201])
          yield* Fiber.interrupt(slow)
        }))

        // The disk accepts no writes until all writers have an answer, and other requests many answers.
        yield* disk.stalled(Effect.gen(function*() {
          const adding = yield* Effect.forkChild(Effect.replicateEffect(timed(club.add), 4, { concurrency: 4 }))
          const others = [yield* load(club.read, 1), yield* load(health, 1), yield* load(readiness, 1)]
          const refused = yield* Fiber.join(adding)
          assert.deepStrictEqual(statuses(refused), [503])
          for (const answers of others) {
            yield* eventually(
              Effect.delay(Effect.sync(() => answers.length), "50 millis"),
              (length) => length > 5
            )
            assert.deepStrictEqual(statuses(answers), [200])
          }
        }).pipe(Effect.scoped))
        yield* eventually(Effect.delay(club.add, "100 millis"), (status) => status === 201)

        // All processes are killed while the disk is slow.
        const before = club.confirmed.length
        yield* Effect.scoped(Effect.gen(function*() {
          yield* Effect.forkScoped(slowly)
          yield* load(club.add, 6)
          yield* eventually(
            Effect.delay(Effect.sync(() => club.confirmed.length), "50 millis"),
            (now) => now > before + 12
          )
          yield* api.kill("SIGKILL")
          yield* killPostmaster(`${disk.folder}/postgres`)
        }))
        yield* api.ended
        const again = yield* startAgain
        assert.deepStrictEqual(yield* club.lost, [])
        assert.strictEqual(yield* club.add, 201)

        // The disk becomes read-only while the service runs.
        yield* disk.fail
        const refused = yield* eventually(Effect.delay(club.add, "100 millis"), (status) => status !== 201)
        assert.strictEqual(refused, 503)
        assert.strictEqual(yield* health, 200)
        assert.strictEqual((yield* again.end()).code, 0)
        yield* disk.repair
        const mended = yield* startAgain
        assert.deepStrictEqual(yield* club.lost, [])
        assert.strictEqual(yield* club.add, 201)
        assert.strictEqual((yield* mended.end()).code, 0)
      }))
  }
)
