import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { TemporarilyUnavailable } from "../http/errors.ts"
import { Instant } from "../schema/Instant.ts"
import { DatabaseTime } from "../sql/DatabaseTime.ts"
import { rows } from "../sql/Rows.ts"
import { judge, type Verdict } from "./ClockRule.ts"

/** For so long an answer is believed where it need not be of this moment. */
const believed = Duration.toMillis("15 seconds")

/** Unless our clock has moved by this much against the one that only counts on: then the database is asked again. */
const drift = Duration.toMillis("5 seconds")

/** How often the log says the same, and how often a moment is recorded. */
const seldom = Duration.toMillis("1 minute")

const decodeSwept = rows(Schema.Struct({ swept_at: Instant }))

/** Milliseconds: what the clock says, and what a clock says that nobody sets. */
const readClocks = Clock.clockWith((clock) =>
  Effect.sync(() => ({
    wall: clock.currentTimeMillisUnsafe(),
    counted: Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  }))
)
type Clocks = Effect.Success<typeof readClocks>

/** True if our clock was set between the two. */
const wasSet = (before: Clocks, after: Clocks): boolean =>
  Math.abs(after.wall - before.wall - (after.counted - before.counted)) >= drift

/** Our clock as it is at this moment, carried on by the one that nobody sets. */
const steadyClock = Clock.clockWith((clock) =>
  Effect.map(readClocks, ({ counted, wall }): Clock.Clock => {
    const ahead = BigInt(wall) * 1_000_000n - BigInt(counted) * 1_000_000n
    const currentTimeNanosUnsafe = () => clock.monotonicTimeNanosUnsafe() + ahead
    const currentTimeMillisUnsafe = () => Number(currentTimeNanosUnsafe() / 1_000_000n)
    return {
      currentTimeMillisUnsafe,
      currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
      currentTimeNanosUnsafe,
      currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => clock.sleep(duration)
    }
  })
)

const warningOf = (verdict: Verdict): readonly [string, Record<string, string>] | undefined => {
  switch (verdict._tag) {
    case "Differs":
      return [
        "This process' clock and the database's differ: it deletes, expires and sends nothing until they agree",
        { own: DateTime.formatIso(verdict.own), database: DateTime.formatIso(verdict.database) }
      ]
    case "Jumped":
      return [
        "The clock is more than a day beyond the newest moment of a sweep: nothing is deleted and nothing expires " +
        "until it comes back or somebody says by `npx turma clock confirm` that it is right",
        { own: DateTime.formatIso(verdict.own), swept: DateTime.formatIso(verdict.swept) }
      ]
    case "Right":
      return undefined
  }
}

/** The amount of work of a sweep, for sweeps that count. Zero while the clock is doubtful. */
export const orZero = <E, R>(swept: Effect.Effect<Option.Option<number>, E, R>): Effect.Effect<number, E, R> =>
  Effect.map(swept, Option.getOrElse(() => 0))

/** Logs the verdict on the clock: each change at once, and otherwise seldom. */
const makeReporter = () => {
  let warned: { readonly tag: Verdict["_tag"]; readonly counted: number } | undefined
  return Effect.fnUntraced(function*(verdict: Verdict, { counted }: Clocks) {
    const warning = warningOf(verdict)
    if (warning === undefined) {
      if (warned !== undefined) yield* Effect.logInfo("The clock is right again")
      warned = undefined
      return
    }
    if (warned?.tag === verdict._tag && counted - warned.counted < seldom) return
    warned = { tag: verdict._tag, counted }
    yield* Effect.logWarning(...warning)
  })
}

/** The newest moment of a sweep, which is recorded only in a database of our own. */
const makeRecord = (sql: SqlClient.SqlClient, isOurs: boolean) => {
  let recorded = -Infinity
  const newest = Effect.gen(function*() {
    if (!isOurs) return null
    const rows = yield* sql`select swept_at from clock_sweeps`.pipe(decodeSwept)
    return rows[0]?.swept_at ?? null
  })

  const write = (at: DateTime.Utc) =>
    sql`
      insert into clock_sweeps as s (swept_at) values (${DateTime.toDateUtc(at)})
      on conflict (id) do update set swept_at = greatest(s.swept_at, excluded.swept_at)`

  const writeSeldom = Effect.fnUntraced(function*(at: DateTime.Utc) {
    const { counted } = yield* readClocks
    if (!isOurs || counted - recorded < seldom) return
    yield* write(at)
    recorded = counted
  }, Effect.orDie)
  return { newest, write, writeSeldom }
}

/**
 * Stands before everything that the time makes happen and that cannot be undone. A clock that is wrong by a month would
 * otherwise delete what a month keeps.
 */
export class ClockGuard extends Context.Service<ClockGuard, {
  /** Asks the database now. */
  readonly judge: Effect.Effect<Verdict>
  /** True if what is past its age may be ended now. Asks the database. */
  readonly isRight: Effect.Effect<boolean>
  /** Now, for a request that ends by age what nobody undoes: refused while the clock is doubtful. Asks the database. */
  readonly rightNow: Effect.Effect<DateTime.Utc, TemporarilyUnavailable>
  /**
   * Now, for a request that charges or replaces by the clock: refused while it is not the database's. A database of our own
   * that has rested refuses nothing, as nobody would know why. Asks the database.
   */
  readonly agreedNow: Effect.Effect<DateTime.Utc, TemporarilyUnavailable>
  /**
   * For tasks that delete, expire or end by age. Runs the step with the moment from which ages count. While the clock
   * is doubtful it runs nothing and answers `None`. Costs a statement.
   */
  sweep<A, E, R>(
    what: string,
    step: (at: DateTime.Utc) => Effect.Effect<A, E, R>
  ): Effect.Effect<Option.Option<A>, E, R>
  /**
   * True if our clock agrees with the database's, as of some seconds ago or of its last change. If it does not, a
   * worker takes no work, since leases, waits and signatures go by the clock. Free, except a statement every 15
   * seconds.
   */
  readonly agrees: Effect.Effect<boolean>
  /**
   * Runs work on a clock that nobody can set before its end. While our clock differs from the database's, it runs
   * nothing and answers `otherwise`. As free as `agrees`.
   */
  work<A, E, R>(task: Effect.Effect<A, E, R>, otherwise: A): Effect.Effect<A, E, R>
  /** Accepts our clock although it has jumped; answers the verdict from before. */
  readonly confirm: Effect.Effect<Verdict>
  /**
   * The present. After a jump it is the newest moment of a sweep, by which work can be too old to be sent. As free as
   * `agrees`.
   */
  readonly ageing: Effect.Effect<DateTime.Utc>
}>()("turma/platform/jobs/ClockGuard") {
  static readonly layer = Layer.effect(
    ClockGuard,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const database = yield* DatabaseTime
      const oneAtATime = yield* Semaphore.make(1)
      let known: { readonly verdict: Verdict; readonly clocks: Clocks; readonly until: number } | undefined
      const report = makeReporter()
      const record = makeRecord(sql, database.isOurs)

      const question = Effect.gen(function*() {
        const swept = yield* record.newest
        const asked = yield* readClocks
        const at = yield* database.ask(sql)
        const clocks = yield* readClocks
        const [before, after] = [DateTime.makeUnsafe(asked.wall), DateTime.makeUnsafe(clocks.wall)]
        return { verdict: judge({ before, after, database: at, swept }), clocks, isSettled: !wasSet(asked, clocks) }
      })

      // An answer says nothing of a clock that was set while it was awaited: any lies between such a before and after.
      const ask = Effect.repeat(question, { until: ({ isSettled }) => isSettled })

      const freshVerdict = Effect.gen(function*() {
        const { clocks, verdict } = yield* ask
        known = { verdict, clocks, until: clocks.counted + believed }
        yield* report(verdict, clocks)
        return verdict
      }).pipe(Effect.orDie)

      /** The known verdict, unless our clock was set since. */
      const unmoved = (clocks: Clocks) => known === undefined || wasSet(known.clocks, clocks) ? undefined : known

      const current = Effect.map(readClocks, (clocks) => {
        const holds = unmoved(clocks)
        return holds !== undefined && clocks.counted < holds.until ? holds.verdict : undefined
      })

      // While the database is away nobody waits for it in turn: what was known of a clock that nobody set holds on.
      const freshOrKnown = Effect.catchCause(freshVerdict, (cause) =>
        Effect.flatMap(readClocks, (clocks) => {
          const holds = unmoved(clocks)
          if (holds === undefined) return Effect.failCause(cause)
          known = { ...holds, until: clocks.counted + believed }
          return Effect.succeed(holds.verdict)
        }))

      // When many ask at once, one of them asks the database.
      const cachedVerdict = Effect.flatMap(current, (verdict) =>
        verdict === undefined
          ? oneAtATime.withPermit(Effect.flatMap(current, (found) =>
            found === undefined ? freshOrKnown : Effect.succeed(found)))
          : Effect.succeed(verdict))

      const confirm = Effect.gen(function*() {
        const { verdict } = yield* ask
        if (verdict._tag === "Jumped") yield* record.write(verdict.own)
        return verdict
      }).pipe(Effect.orDie)

      const sweep = Effect.fnUntraced(function*<A, E, R>(
        what: string,
        step: (at: DateTime.Utc) => Effect.Effect<A, E, R>
      ) {
        const verdict = yield* freshVerdict
        if (verdict._tag !== "Right") {
          yield* Effect.logDebug("Not swept, since the clock is doubtful", { what })
          return Option.none()
        }
        yield* record.writeSeldom(verdict.at)
        return Option.some(yield* step(verdict.at))
      })

      const nowUnless = (tags: ReadonlyArray<Verdict["_tag"]>) =>
        Effect.flatMap(freshVerdict, ({ _tag }) =>
          tags.includes(_tag)
            ? Effect.fail(new TemporarilyUnavailable({
              error: { message: "The clock of the service is doubtful: try again later" }
            }))
            : DateTime.now)
      const rightNow = nowUnless(["Differs", "Jumped"])
      const agreedNow = nowUnless(["Differs"])

      const agrees = Effect.map(cachedVerdict, ({ _tag }) => _tag !== "Differs")

      const work = <A, E, R>(task: Effect.Effect<A, E, R>, otherwise: A) =>
        Effect.flatMap(agrees, (may) =>
          may
            ? Effect.flatMap(steadyClock, (clock) => Effect.provideService(task, Clock.Clock, clock))
            : Effect.succeed(otherwise))

      return ClockGuard.of({
        judge: freshVerdict,
        isRight: Effect.map(freshVerdict, ({ _tag }) => _tag === "Right"),
        rightNow,
        agreedNow,
        sweep,
        confirm,
        agrees,
        work,
        ageing: Effect.flatMap(
          cachedVerdict,
          (verdict) => verdict._tag === "Jumped" ? Effect.succeed(verdict.swept) : DateTime.now
        )
      })
    })
  )
}
