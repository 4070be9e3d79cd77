import * as NodeServices from "@effect/platform-node/NodeServices"
import { Duration, Effect, Layer, Metric, Option, Schedule } from "effect"
import { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { repeatedly } from "../../platform/jobs/Repeatedly.ts"
import { PooledRandomLayer } from "../../platform/sql/PooledRandom.ts"
import { type BackupError, refuse } from "./archive/BackupError.ts"
import { BackupRuns, type Claim, lease, type RunState } from "./BackupRuns.ts"
import { deleteOlder, makeKept, secondsOf, verifyKept } from "./KeptBackup.ts"
import { backupSettings, configuredPassphrase, configuredPlace } from "./place/BackupSettings.ts"
import type { Place } from "./place/Place.ts"
import { Quiet } from "./Progress.ts"

const gauges = {
  success: Metric.gauge("turma_backup_last_success_timestamp_seconds", {
    description: "When the last verified backup began, in seconds since 1970; 0 without one"
  }),
  bytes: Metric.gauge("turma_backup_last_bytes", { description: "How large the last verified backup is" }),
  seconds: Metric.gauge("turma_backup_last_seconds", {
    description: "How long the last verified backup took, verification included"
  }),
  failures: Metric.gauge("turma_backup_failures", {
    description: "How often a backup was not made or not verified since the last that was"
  }),
  every: Metric.gauge("turma_backup_every_seconds", {
    description: "From one backup to the next, as BACKUP_EVERY says"
  })
}

const show = (every: Duration.Input, { began_at, bytes, failures, seconds }: RunState) =>
  Effect.all([
    Metric.update(gauges.every, Duration.toSeconds(Duration.fromInputUnsafe(every))),
    Metric.update(
      gauges.success,
      Option.match(began_at, { onNone: () => 0, onSome: (at) => at.epochMilliseconds / 1000 })
    ),
    Metric.update(gauges.bytes, bytes),
    Metric.update(gauges.seconds, seconds),
    Metric.update(gauges.failures, failures)
  ], { discard: true })

/** The backups of a worker: their content, place and interval. */
interface Plan {
  readonly place: Place
  readonly every: Duration.Input
  readonly keep: number
  readonly passphrase: Effect.Success<typeof configuredPassphrase>
}

const makeAndVerify = Effect.fnUntraced(function*({ keep, passphrase, place }: Plan) {
  const guard = yield* ClockGuard
  const options = { place, passphrase }
  const made = yield* makeKept(options)
  const { name, bytes } = made
  const { took } = yield* Effect.mapError(
    verifyKept(options, made),
    ({ message }) =>
      refuse(`${place.name}/${name} was made, but is not good: ${message}. It stays, and so do older ones`)
  )
  const old = Option.getOrElse(
    yield* guard.sweep("older backups", () => deleteOlder(place, made, keep)),
    (): ReadonlyArray<string> => []
  )
  const total = Duration.sum(made.took, took)
  yield* Effect.logInfo("A backup was written, and verified by restoring it", {
    place: place.name,
    name,
    bytes,
    seconds: secondsOf(total),
    verified_in: secondsOf(took),
    rows: made.manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: made.manifest.files.count,
    deleted: old.length
  })
  return { began_at: made.began_at, bytes, took: total }
})

/**
 * Extends a claim for as long as it is ours, and then fails. A database that does not answer is asked again until
 * another worker may have it.
 */
export const untilLost = (runs: Pick<BackupRuns["Service"], "extend">, claim: Claim) =>
  Effect.suspend(() => runs.extend(claim)).pipe(
    Effect.tapError((error) =>
      Effect.logWarning("The claim on a backup could not be extended: it is tried again", error)
    ),
    Effect.retry(Schedule.spaced(Duration.times(lease, 1 / 30))),
    Effect.timeoutOrElse({ duration: Duration.times(lease, 2 / 3), orElse: () => Effect.succeed(false) }),
    Effect.delay(Duration.times(lease, 1 / 3)),
    Effect.repeat({ while: (isOurs) => isOurs }),
    Effect.andThen(Effect.fail(refuse("Another worker has taken it over, since this one did not answer for too long")))
  )

/** A run that takes longer hangs, be it in a place that never answers; unless a whole `BACKUP_EVERY` is longer still. */
const longestRun = Duration.days(1)

/** Fails what takes longer than a run may, so that it counts as failed and is tried again. */
export const inTime =
  (every: Duration.Duration) => <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E | BackupError, R> => {
    const duration = Duration.max(every, longestRun)
    return Effect.timeoutOrElse(run, {
      duration,
      orElse: () => Effect.fail(refuse(`It took longer than ${Duration.format(duration)} and was stopped`))
    })
  }

/**
 * Makes the next backup if it is due and no other worker makes it. The log has any fault, and the backup is tried again
 * later.
 */
export const backUpIfDue = Effect.fn("BackupWorker.backUpIfDue")(function*(plan: Plan) {
  const runs = yield* BackupRuns
  const guard = yield* ClockGuard
  const every = Duration.fromInputUnsafe(plan.every)
  // A worker whose clock differs from the database's would make a backup of another time.
  const claimed = (yield* guard.agrees) ? yield* runs.claim(every) : Option.none()
  if (Option.isNone(claimed)) return
  const claim = claimed.value
  yield* Effect.raceFirst(inTime(every)(makeAndVerify(plan)), untilLost(runs, claim)).pipe(
    Effect.flatMap((run) => runs.succeed(claim, run)),
    Effect.onInterrupt(() => runs.release(claim)),
    Effect.catchCause((cause) =>
      Effect.andThen(Effect.logError("No good backup was written", cause), runs.fail(claim, every))
    )
  )
})

/** Makes the next backup where it is due, and has the metrics say how backups stand, also for as long as it takes. */
export const lookForBackup = Effect.fnUntraced(function*(plan: Plan) {
  const runs = yield* BackupRuns
  const showState = Effect.flatMap(runs.state, (state) => show(plan.every, state))
  yield* showState
  yield* backUpIfDue(plan)
  yield* showState
})

/** How often a worker looks whether one is due. */
const pollEvery = Duration.minutes(1)

/**
 * Makes a backup whenever one is due, verifies it by restoring it and then deletes those that are too many, where `BACKUP_URL`
 * names a place. Any number of processes may run it: one of them has the claim.
 */
export const BackupWorkerLayer = Layer.effectDiscard(Effect.gen(function*() {
  const place = yield* configuredPlace
  if (Option.isNone(place)) return
  const passphrase = yield* configuredPassphrase
  const plan = {
    place: place.value,
    every: yield* backupSettings.BACKUP_EVERY.read,
    keep: yield* backupSettings.BACKUP_KEEP.read,
    passphrase
  }
  if (passphrase === undefined) {
    yield* Effect.logInfo("Backups are not sealed: who has one with a generated key in it has everything", {
      place: place.value.name,
      variable: "BACKUP_PASSPHRASE"
    })
  }
  // Not while everything else starts.
  yield* repeatedly(Effect.provideService(lookForBackup(plan), Quiet, true), {
    every: pollEvery,
    startAfter: pollEvery,
    onFailure: "Could not find out if a backup is due"
  })
})).pipe(Layer.provide([NodeServices.layer, PooledRandomLayer]))
