import { Context, DateTime, Duration, Effect, Layer, Metric, Option, Schedule, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { batchWorker } from "../../../platform/jobs/BatchWorker.ts"
import { sweepOf } from "../../../platform/jobs/Sweep.ts"
import { untilDue } from "../../../platform/jobs/UntilDue.ts"
import type { WorkQueue } from "../../../platform/jobs/WorkQueue.ts"
import { PooledRandomLayer } from "../../../platform/sql/PooledRandom.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { bindingOfSecret, bindingOfSigningKey, type EndpointId } from "../../model/EndpointId.ts"
import { WebhookRules } from "../../model/WebhookSettings.ts"
import { openHeaders } from "../../send/SealedHeaders.ts"
import { Sender } from "../../send/Sender.ts"
import { keyOfSeed } from "../../send/SigningKey.ts"
import { bindingOfReport, gradingsKept } from "./Grading.ts"
import { GradingsRepo, type Leased, type Target } from "./GradingsRepo.ts"
import { judge } from "./judge.ts"
import type { Probe } from "./Probe.ts"
import { type Grade, Report } from "./Report.ts"
import { runProbes } from "./runProbes.ts"

/** The time of a lease beyond the longest probe. The lease is extended before each probe. */
const beyondProbe = Duration.seconds(45)

/** While a receiver's address is full, a probe asks again so often, a second apart, and its lease is extended each time. */
const mostWaits = 30

/** After this many tries a grading ends without a grade. */
const mostTries = 3

const graded = (grade: Grade) =>
  Metric.counter("turma_webhook_gradings_total", {
    description: "Gradings of receivers that have ended, by grade",
    incremental: true,
    attributes: { grade }
  })

const encodeReport = Schema.encodeEffect(Schema.fromJsonString(Schema.toCodecJson(Report)))

/** Another worker has the grading, or its endpoint is not what it was. */
class Stopped extends Schema.TaggedError<Stopped>()("Stopped", {}) {}

/** Makes the gradings that were asked for. */
export class GradingWorker extends Context.Service<GradingWorker, {
  /** Runs one due grading. True if there was one. If its worker dies, another worker takes it after its lease. */
  readonly makeOne: Effect.Effect<boolean>
}>()("turma/webhooks/workbench/grader/GradingWorker") {
  static readonly layerNoDeps = Layer.effect(
    GradingWorker,
    Effect.gen(function*() {
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* GradingsRepo
      const sealing = yield* Sealing
      const sender = yield* Sender
      const { attempt_timeout } = yield* WebhookRules
      const lease = Duration.sum(attempt_timeout, beyondProbe)

      const opened = (sealed: ReadonlyArray<Uint8Array | null>, binding: string) =>
        Effect.orDie(Effect.forEach(sealed.filter((one) => one !== null), (one) => sealing.open(one, binding)))

      const signersOf = Effect.fnUntraced(function*(endpoint_id: EndpointId, found: ReadonlyArray<Target>) {
        const seeds = yield* opened(found.map(({ signing_key }) => signing_key), bindingOfSigningKey(endpoint_id))
        return {
          secrets: yield* opened(found.map(({ secret }) => secret), bindingOfSecret(endpoint_id)),
          keys: seeds.map(keyOfSeed)
        }
      })

      const report = Effect.fnUntraced(function*(leased: Leased, target: Target, found: ReadonlyArray<Target>) {
        const { club_id, endpoint_id, id, organization_id } = leased
        const own = yield* openHeaders(sealing, endpoint_id, target.headers)
        const signers = yield* signersOf(endpoint_id, found)
        const ground = { grading_id: id, club_id: organization_id, endpoint_id, signers }
        const extend = Effect.gen(function*() {
          const at = yield* DateTime.now
          const until = DateTime.addDuration(at, lease)
          if (!(yield* repo.extend(leased, target, { at, until }))) return yield* new Stopped()
        })
        const send = ({ body, headers }: Probe) =>
          Effect.map(
            sender.send({ url: target.url, headers: { ...own, ...headers }, body, club_id, is_probe: true }).pipe(
              Effect.tapErrorTag("TargetsFull", () => extend),
              Effect.retry({
                schedule: Schedule.spaced("1 second"),
                times: mostWaits,
                while: ({ _tag }) => _tag === "TargetsFull"
              })
            ),
            ({ connection_reused, error, response_body, seen, status_code }) => ({
              connection_reused,
              error,
              response_body,
              seen: seen ?? null,
              status_code
            })
          )
        const { max_per_second } = target
        const between = max_per_second === null
          ? extend
          : Effect.delay(extend, Duration.seconds(1 / max_per_second))
        return judge(yield* runProbes(ground, send, between))
      }, Effect.provideService(SecureRandom.SecureRandom, random))

      const make = Effect.fnUntraced(function*(leased: Leased) {
        const now = yield* DateTime.now
        if (leased.tries > mostTries) return yield* repo.end(leased, { status: "failed", failure: "interrupted" }, now)
        const found = yield* repo.target(leased, now)
        const [target] = found
        if (target === undefined) return yield* new Stopped()
        const shown = yield* report(leased, target, found)
        const text = yield* Effect.orDie(encodeReport(shown))
        const sealed = yield* sealing.seal(Buffer.from(text), bindingOfReport(leased.id))
        const { grade, newest_secret } = shown
        const proof = newest_secret === "unknown" ? null : { target, newest_proved: newest_secret === "proved" }
        yield* repo.end(leased, { status: "done", grade, report: sealed, proof }, yield* DateTime.now)
        yield* Metric.update(graded(grade), 1)
      }, (making, leased) =>
        making.pipe(
          // Without the lease this changes nothing.
          Effect.catchTag("Stopped", () => Effect.flatMap(DateTime.now, (now) => repo.stop(leased, now))),
          // The grading starts anew, as if its worker had died.
          Effect.catchTag("TargetsFull", () => Effect.flatMap(DateTime.now, (now) => repo.giveBack(leased, now))),
          Effect.onInterrupt(() => Effect.flatMap(DateTime.now, (now) => repo.giveBack(leased, now)))
        ))

      const makeOne = Effect.fn("GradingWorker.makeOne")(function*() {
        const lease_id = yield* Effect.orDie(random.uuidV4())
        const at = yield* DateTime.now
        const leased = yield* repo.claim(at, DateTime.addDuration(at, lease), lease_id)
        if (Option.isNone(leased)) return false
        yield* make(leased.value)
        return true
      })

      return GradingWorker.of({ makeOne: makeOne() })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([GradingsRepo.layer, PooledRandomLayer]))
}

/** Deletes gradings that are past their age. */
export const sweepGradings = sweepOf("sweepGradings", "webhook gradings", (sql, at) =>
  sql`
    delete from webhook_gradings
    where created_at <= ${DateTime.toDateUtc(DateTime.subtractDuration(at, gradingsKept))} and finished_at is not null`)

/** Gradings for a worker: requested ones, and those with an expired lease. */
export const waitingGradings: WorkQueue = {
  name: "webhook_gradings",
  waiting: (sql) => sql`from webhook_gradings where due_at is not null`,
  nextDue: (sql) => sql`(select min(due_at) from webhook_gradings where due_at is not null)`
}

/** Gradings that a process makes at a time. */
const atOnce = 2

/** How long a grading in hand may delay a shutdown. A grading that ends early goes back to the queue. */
const shutdownGrace = Duration.seconds(10)

/** Makes gradings that were asked for, for as long as the layer lives, in any number of processes. */
export const gradingWorkerLayer = ({ pollEvery }: { readonly pollEvery: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { makeOne } = yield* GradingWorker
    const worker = Effect.gen(function*() {
      yield* batchWorker({
        tick: Effect.map(makeOne, Number),
        full: 1,
        idle: yield* untilDue(waitingGradings, { pollEvery }),
        shutdownGrace,
        onFailure: "A grading broke off; it starts again when its lease is over",
        onCutOff: "Another process continues a grading"
      })
    })
    yield* Effect.forEach(Array.from({ length: atOnce }), () => worker, { discard: true })
  }))
