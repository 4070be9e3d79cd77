import * as NodeServices from "@effect/platform-node/NodeServices"
import { DateTime, Duration, Effect, Exit, Layer, Option, PubSub, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { hostname } from "node:os"
import { repeatedly } from "../jobs/Repeatedly.ts"
import { sweepOf } from "../jobs/Sweep.ts"
import { askForReplacement } from "../processes/Replacement.ts"
import { Supervisor } from "../processes/Supervisor.ts"
import { Instant, InstantOrNull } from "../schema/Instant.ts"
import { DatabaseTime } from "../sql/DatabaseTime.ts"
import { ResealAsked } from "../sql/ResealAsked.ts"
import { one, rows } from "../sql/Rows.ts"
import { keyIdsOf, Sealing } from "../sql/Sealing.ts"
import { keysFile, readKeysFile } from "./KeySource.ts"

/** How often a process says that it is there. */
const beat = Duration.minutes(1)

/** How long a beat may take, and how soon it is repeated after a failure. */
const longestBeat = Duration.seconds(10)
const nextTry = Duration.seconds(5)

/** A process that runs has said so within this time, unless the database was away. */
const promptly = Duration.sum(beat, nextTry)

/** Once the database answers, every process that runs has said so within this time: a try that hangs, then another one. */
export const heartbeatGrace = Duration.seconds(30)

/** How often it looks whether its file of keys has changed or a seal did not open, which costs no statement. */
const glance = Duration.seconds(5)

/** How long a seal that did not open counts. */
const brokenFor = Duration.minutes(5)

/** A process without a beat for this long, twice over, has ended: it was killed, or its machine is down. */
export const longestSilence = Duration.seconds(130)

const KeyHolder = Schema.Struct({
  machine: Schema.String,
  pid: Schema.Int,
  role: Schema.Literals(["api", "worker", "all"]),
  keys: Schema.NonEmptyArray(Schema.String),
  follows: Schema.Boolean,
  started_at: Instant,
  seen_at: Instant
})

/** A process that runs, and the ids of the keys that it holds. `follows`: a changed file replaces it by itself. */
export type KeyHolder = typeof KeyHolder.Type

const decodeHolders = rows(KeyHolder)
const decodeBeat = one(Schema.Struct({ sealed_at: InstantOrNull }))

/**
 * Every process with a recent beat, or with one of a clock that is ahead. An ended process among them only delays a
 * change.
 */
export const keyHolders = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const since = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, longestSilence))
  return yield* sql`
    select machine, pid, role, keys, follows, started_at, seen_at from key_holders
    where seen_at > ${since} order by machine, started_at, pid`.pipe(decodeHolders)
})

/** True if this process, or another that runs, could not open what is sealed, within the last five minutes. */
export const sealsAreBroken = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { lastBroken } = yield* Sealing
  const now = yield* DateTime.now
  const own = yield* lastBroken
  if (Option.exists(own, (at) => DateTime.isGreaterThan(at, DateTime.subtractDuration(now, brokenFor)))) return true
  const since = (duration: Duration.Duration) => DateTime.toDateUtc(DateTime.subtractDuration(now, duration))
  const found = yield* sql`
    select 1 from key_holders
    where seen_at > ${since(longestSilence)} and seal_broken_at > ${since(brokenFor)} limit 1`
  return found.length > 0
})

/**
 * Ends once every late process has sent a beat, or could have and did not: such a process has ended. After an outage of
 * the database all are late, and would count as ended. `tell` gets the awaited processes, once.
 */
export const untilHeard = Effect.fnUntraced(function*<E, R>(
  tell: (late: ReadonlyArray<KeyHolder>) => Effect.Effect<unknown, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const clock = yield* DatabaseTime
  const ago = (duration: Duration.Duration) =>
    Effect.map(clock.ask(sql), (now) => DateTime.toDateUtc(DateTime.subtractDuration(now, duration)))
  const late = Effect.flatMap(ago(promptly), (at) =>
    sql`
        select machine, pid, role, keys, follows, started_at, seen_at from key_holders
        where seen_at <= ${at} order by machine, started_at, pid`.pipe(decodeHolders))
  const first = yield* late
  if (first.length === 0) return
  yield* tell(first)
  const heard = Effect.repeat(Effect.delay(late, "1 second"), { until: ({ length }) => length === 0 })
  if (Option.isSome(yield* Effect.timeoutOption(heard, heartbeatGrace))) return
  // The next caller need not wait for them again.
  yield* Effect.orDie(sql`delete from key_holders where seen_at <= ${yield* ago(longestSilence)}`)
})

/** Deletes what processes that were killed have left. */
export const sweepKeyHolders = sweepOf(
  "KeyHolders.sweep",
  "processes that are gone",
  (sql, at) => sql`delete from key_holders where seen_at <= ${DateTime.toDateUtc(DateTime.subtract(at, { days: 1 }))}`
)

/** Has this process replaced once its file has other keys than it holds; where nobody can, the log says so, once. */
const makeFollow = Effect.fnUntraced(function*(file: string, loaded: string) {
  const supervisor = yield* Supervisor
  let reported = loaded
  return Effect.gen(function*() {
    const keys = Option.map(yield* readKeysFile(file), (keys) => keyIdsOf(keys).join(" "))
    if (Option.isNone(keys) || keys.value === reported) return
    if (supervisor !== undefined) {
      return yield* Effect.catchTag(
        askForReplacement(supervisor, loaded, keys.value),
        "SupervisorSilent",
        ({ message }) =>
          Effect.logWarning("The file of keys has changed, and nobody replaces this process", { message })
      )
    }
    reported = keys.value
    yield* Effect.logWarning("The file of keys has changed: restart this process, which still holds those before", {
      file
    })
  })
})

/**
 * Records in the database which keys this process holds, for as long as it runs. Asks for its replacement when its file
 * of keys changes. Has its workers move sealed rows when every process seals with a new key.
 */
export const keyHolderLayer = (role: KeyHolder["role"]) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const asked = yield* ResealAsked
    const { keyIds, lastBroken } = yield* Sealing
    const id = yield* Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV4())
    const started_at = DateTime.toDateUtc(yield* DateTime.now)
    const file = yield* keysFile
    const supervisor = yield* Supervisor
    const fromFile = Option.isSome(file) ? yield* readKeysFile(file.value) : Option.none()
    const loaded = Option.match(fromFile, {
      onNone: () => keyIds.join(" "),
      onSome: (keys) => keyIdsOf(keys).join(" ")
    })
    const follow = Option.isSome(file) ? yield* makeFollow(file.value, loaded) : undefined
    const row = {
      id,
      machine: hostname().slice(0, 255),
      pid: process.pid,
      role,
      keys: sql`array[${sql.csv(keyIds.map((key) => sql`${key}`))}]::text[]`,
      follows: Option.isSome(file) && supervisor !== undefined,
      started_at
    }

    // By a clock that is behind it would count as ended, and its keys would be ignored while it runs.
    const clock = yield* DatabaseTime
    const seenAt = Effect.gen(function*() {
      const now = yield* DateTime.now
      return DateTime.toDateUtc(clock.isOurs ? now : DateTime.max(now, yield* clock.ask(sql)))
    })

    let known: string | undefined
    let reportedBroken = Option.none<DateTime.Utc>()
    const sayIt = Effect.gen(function*() {
      const seen_at = yield* seenAt
      const broken = yield* lastBroken
      const seal_broken_at = Option.getOrNull(Option.map(broken, DateTime.toDateUtc))
      const { sealed_at } = yield* sql`
        insert into key_holders (id, machine, pid, role, keys, follows, started_at, seen_at, seal_broken_at)
        values (${row.id}, ${row.machine}, ${row.pid}, ${row.role}, ${row.keys}, ${row.follows}, ${row.started_at},
          ${seen_at}, ${seal_broken_at})
        on conflict (id) do update set seen_at = excluded.seen_at, seal_broken_at = excluded.seal_broken_at
        returning (select sealed_at from key_rotations) as sealed_at`.pipe(decodeBeat)
      reportedBroken = broken
      const latest = sealed_at === null ? "" : DateTime.formatIso(sealed_at)
      // The workers do requests from before this process began at their start.
      if (known !== undefined && latest !== known && latest !== "") yield* PubSub.publish(asked, undefined)
      known = latest
    })
    const onFailure = "Which keys this process holds was not said"
    const attempt = Effect.exit(Effect.timeout(sayIt, longestBeat))
    // After an outage, commands that read these rows wait only until the next try.
    const round = Effect.gen(function*() {
      const said = yield* attempt
      if (Exit.isSuccess(said)) return
      yield* Effect.logWarning(onFailure, said.cause)
      yield* Effect.repeat(Effect.delay(attempt, nextTry), { until: Exit.isSuccess })
    })
    // Before all beats, so that it runs after them: a beat under way would write the row again.
    yield* Effect.addFinalizer(() =>
      Effect.ignore(Effect.timeout(sql`delete from key_holders where id = ${id}`, "1 second"))
    )
    const first = yield* attempt
    if (Exit.isFailure(first)) yield* Effect.logWarning(onFailure, first.cause)
    yield* repeatedly(round, { every: beat, startAfter: Exit.isSuccess(first) ? beat : nextTry, onFailure })
    // Within seconds of the first, and then with each beat.
    const reportBroken = Effect.flatMap(
      lastBroken,
      (broken) => Option.isNone(reportedBroken) && Option.isSome(broken) ? Effect.ignore(attempt) : Effect.void
    )
    yield* repeatedly(reportBroken, { every: glance, startAfter: glance, onFailure })
    if (follow !== undefined) {
      yield* repeatedly(follow, {
        every: glance,
        startAfter: glance,
        onFailure: "A changed file of keys was not taken up"
      })
    }
  })).pipe(Layer.provide([NodeServices.layer, SecureRandom.layerWebCrypto]))
