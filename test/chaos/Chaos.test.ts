import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Events } from "../../src/events/Events.ts"
import { freePort } from "../harness/FreePort.ts"
import { isRefused } from "../harness/HalfRequest.ts"
import { foundClub } from "./Clubs.ts"
import { crowdedDisk } from "./CrowdedDisk.ts"
import { embeddedKills } from "./EmbeddedKills.ts"
import { nothingLeft, readBusy, readLedger, settled } from "./Ledger.ts"
import { recovery } from "./Recovery.ts"
import { chaos } from "./Run.ts"
import { driverLayer, makeStand, PlatformLayer, startReadyWorker, startStandApi } from "./Stand.ts"

// The tests use real time and real processes. On a busy machine each takes a minute.
const timeout = 600_000

const seed = 4

/** Milliseconds that recording a result may take on a busy machine. */
const recording = 5000

/** In seconds. Long enough that a worker with little processor time still extends it. */
const lease = 6

layer(PlatformLayer, { excludeTestServices: true })("Workers on one database", (it) => {
  it.effect(
    "lose nothing, repeat only what was in flight and leave nothing behind, whatever dies",
    () =>
      Effect.gen(function*() {
        const stand = yield* makeStand({ lease, seed })
        const outcome = yield* Effect.provide(
          chaos(stand, { seconds: 12, seed, recording, leastKills: 5 }),
          driverLayer(stand)
        )
        assert.isAbove(outcome.facts, 0)
        assert.isAbove(outcome.tests, 0)
        assert.isAtLeast(outcome.kills, 5)
        assert.isAbove(outcome.clockJumps, 0)
        assert.deepStrictEqual(outcome.left, nothingLeft)
        assert.deepStrictEqual(outcome.lost, [])
        assert.deepStrictEqual(outcome.misplaced, [])
        assert.deepStrictEqual(outcome.stuck, [])
        assert.deepStrictEqual(outcome.gaps, [])
        assert.deepStrictEqual(outcome.unphased, [])
        assert.deepStrictEqual(outcome.misrecovered, [])
        assert.deepStrictEqual(outcome.misgraded, [])
        assert.isAbove(outcome.gradings, 0)
        assert.deepStrictEqual(outcome.misread, [])
        assert.deepStrictEqual(outcome.misplayed, [])
        assert.isAbove(outcome.recoveries, 0)
        assert.isAbove(outcome.drains, 0)
        assert.isAbove(outcome.feedPages, 0)
        assert.isAbove(outcome.feedWaits, 0)
        assert.isAbove(outcome.played, 0)
        assert.deepStrictEqual(outcome.distrusted, [])
        assert.deepStrictEqual(outcome.swept, [])
        assert.deepStrictEqual(outcome.unexplained, [])
        assert.deepStrictEqual(outcome.missold, [])
        assert.deepStrictEqual(outcome.misimported, [])
        assert.deepStrictEqual(outcome.mistold, [])
        assert.deepStrictEqual(outcome.miscompleted, [])
        assert.deepStrictEqual(outcome.missaid, [])
        assert.deepStrictEqual(outcome.misplacedFiles, [])
        assert.deepStrictEqual(outcome.misanswered, [])
        assert.isAbove(outcome.completed, 0)
        assert.isAbove(outcome.said, 0)
        assert.isAbove(outcome.asked, 0)
        assert.isAbove(outcome.uploaded, 0)
        assert.isAbove(outcome.soldSurely, 0)
        assert.isAbove(outcome.imports, 0)
        assert.isAtMost(outcome.duplicates, outcome.inFlightAtKills + outcome.inFlightAtOutages)
        assert.deepStrictEqual(outcome.ends, [])
        assert.deepStrictEqual(outcome.api, { code: 0, stderr: "" })
      }),
    timeout
  )

  it.effect(
    "lose nobody when the PostgreSQL that they share and start themselves is killed, and are all there",
    () =>
      Effect.gen(function*() {
        const { away, confirmed, ends, lost } = yield* embeddedKills(2)
        assert.strictEqual(away.length, 2)
        assert.isAbove(confirmed, 2)
        assert.deepStrictEqual(lost, [])
        assert.deepStrictEqual(ends, [])
      }),
    timeout
  )

  it.effect(
    "refuse uploads while the disk is full, keep what was stored and serve everything else",
    () =>
      Effect.gen(function*() {
        const { disturbed, left, lost, refused, stored, strange, unmounted } = yield* crowdedDisk({ long: false })
        assert.deepStrictEqual([lost, strange, disturbed, left], [[], [], [], 0])
        // Without the right to mount a disk, no disk fills up.
        if (unmounted === undefined) assert.deepStrictEqual([stored > 5, refused > 0], [true, true])
      }),
    timeout
  )

  it.effect(
    "finish what is in flight when they end, open no port, and leave their lanes to others, also if they are killed",
    () =>
      Effect.gen(function*() {
        const stand = yield* makeStand({ lease: 600 })
        const { target } = stand
        yield* Effect.gen(function*() {
          const events = yield* Events
          const api = yield* startStandApi(stand)
          const club = yield* foundClub({ stand, api: api.url }, "graceful")
          yield* target.accept(() => 1500)
          const PORT = yield* freePort
          const patient = { WEBHOOK_ATTEMPT_TIMEOUT: "15 seconds" }
          const worker = yield* startReadyWorker(stand, { ...patient, PORT: `${PORT}` })
          assert.isTrue(yield* isRefused(PORT))
          // More than its two lanes send at a time, so the next worker has something to send.
          yield* events.recordAll(
            club.id,
            Array.from({ length: 10 }, () => ({
              type: "student.created" as const,
              student_id: club.student_id,
              origin: "registration_link" as const
            }))
          )
          yield* Effect.sync(() => target.posts.length).pipe(
            Effect.delay("20 millis"),
            Effect.repeat({ until: (count) => count > 0 })
          )
          yield* worker.kill("SIGTERM")
          // Another code means that the process had to be killed before 20 seconds were over.
          assert.strictEqual(yield* worker.ended, 0, worker.said())
          const sent = target.posts.length
          const ledger = yield* readLedger
          assert.strictEqual(ledger.filter(({ status }) => status === "succeeded").length, sent)
          assert.strictEqual((yield* readBusy).leased, 0)
          assert.isAbove((yield* readBusy).owed, 0)

          // The lease is longer than this test waits: the new worker gets the lanes only if the old one released them.
          const next = yield* startReadyWorker(stand, patient)
          assert.deepStrictEqual(yield* settled(60), nothingLeft)
          assert.strictEqual(target.posts.length, 20)
          assert.isTrue((yield* readLedger).every(({ attempts_count }) => attempts_count === 1))

          // A worker that is killed during an attempt gives nothing back: the next one waits for the end of its lease.
          yield* next.kill("SIGTERM")
          assert.strictEqual(yield* next.ended, 0, next.said())
          const hasty = { ...stand, env: { ...stand.env, WEBHOOK_LEASE: "6 seconds" } }
          assert.isAbove(yield* recovery(hasty, api.url), 0)
        }).pipe(Effect.provide(driverLayer(stand)))
      }),
    timeout
  )
})
