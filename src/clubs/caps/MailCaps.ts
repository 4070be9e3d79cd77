import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { blobs } from "../../sql/Arrays.ts"
import { ClockGuard } from "../../workers/ClockGuard.ts"
import type { ClubId } from "../Club.ts"
import { capSettings } from "./CapSettings.ts"

/** What a mail is for. Each kind has its own count, so that one does not use up another. */
export type MailKind = "access" | "address_changed" | "forgot" | "member_invitation" | "resend" | "student_invitation"

/** A count is used up until then. */
export class MailCapReached extends Schema.TaggedError<MailCapReached>()("MailCapReached", {
  until: Schema.DateTimeUtc
}) {}

const hour = Duration.hours(1)

/** A mail that nobody can be told of waits for a day with room, at most this many days. */
const postponedDays = 3

const Instant = Schema.DateTimeUtcFromDate
const decodeUntil = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ until: Instant })]))
const decodeDay = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ counted: Schema.Boolean, begins: Instant, ends: Instant })])
)

// In one order, whoever counts: two that write to the same addresses wait for each other at the first.
const keysOf = (kind: MailKind, addresses: ReadonlyArray<ReadonlyArray<string>>) =>
  addresses.map((whose) => createHash("sha256").update(JSON.stringify([kind, ...whose])).digest())
    .toSorted((a, b) => a.compare(b))

/**
 * How many mails may be caused: of one kind to one address in an hour, and of one club on a day of its time zone. Counted in
 * the caller's transaction, so of any number at once, in any process, none is too many, and what is rolled back does not
 * count. To be asked late in a transaction: whoever writes to the same address, or from the same club, waits for its end.
 */
export class MailCaps extends Context.Service<MailCaps, {
  /** One mail to each of these addresses. It has to fail with this: part of it may be counted then. */
  take(club_id: ClubId, kind: MailKind, addresses: ReadonlyArray<string>): Effect.Effect<void, MailCapReached>
  /**
   * For a mail that nobody can be refused: when it may leave, now or when one of the next days begins. None if the address
   * has had its mails of the hour, or if no day has room.
   */
  takeLater(club_id: ClubId, kind: MailKind, address: string): Effect.Effect<Option.Option<DateTime.Utc>>
  /** For what somebody asks about their own address in one place: whether it may be mailed. Counts for no club. */
  takeAsked(kind: MailKind, place: string, address: string): Effect.Effect<boolean>
}>()("turma/clubs/MailCaps") {
  static readonly layer = Layer.effect(
    MailCaps,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const perAddress = yield* capSettings.MAILS_PER_ADDRESS.read
      const perClub = yield* capSettings.MAILS_PER_CLUB.read

      const untilOf = (keys: ReadonlyArray<Uint8Array>) =>
        sql`select max(closes_at) as until from address_mails where key = any(${blobs(keys)}) and used >= ${perAddress}`
          .pipe(Effect.flatMap(decodeUntil), Effect.map(([{ until }]) => until))

      const takeAddresses = Effect.fnUntraced(
        function*(keys: ReadonlyArray<Uint8Array>) {
          const now = yield* DateTime.now
          const at = DateTime.toDateUtc(now)
          const closes_at = DateTime.toDateUtc(DateTime.addDuration(now, hour))
          const counted = yield* sql`
            insert into address_mails (key, used, closes_at)
            select key, 1, ${closes_at}::timestamptz from unnest(${blobs(keys)}) as given (key)
            on conflict (key) do update set
              used = case when address_mails.closes_at > ${at} then address_mails.used + 1 else 1 end,
              closes_at = case when address_mails.closes_at > ${at} then address_mails.closes_at else excluded.closes_at end
            where address_mails.closes_at <= ${at} or address_mails.used < ${perAddress}
            returning 1`
          if (counted.length < keys.length) return yield* new MailCapReached({ until: yield* untilOf(keys) })
        },
        Effect.catchTags({ SchemaError: Effect.die, SqlError: Effect.die })
      )

      /** Whether there was room on this day, `later` days from today, and when it begins and ends. */
      const takeDay = Effect.fnUntraced(function*(club_id: ClubId, mails: number, later: number) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const [day] = yield* sql`
          with that as (
            select id, time_zone, (${now}::timestamptz at time zone time_zone)::date + ${later}::int as day
            from clubs where id = ${club_id}
          ), counted as (
            insert into club_mails (club_id, day, used)
            select id, day, ${mails}::int from that where ${mails}::int <= ${perClub}::int
            on conflict (club_id, day) do update set used = club_mails.used + excluded.used
            where club_mails.used + excluded.used <= ${perClub}::int
            returning 1
          )
          select exists (select from counted) as counted, day::timestamp at time zone time_zone as begins,
            (day + 1)::timestamp at time zone time_zone as ends
          from that`.pipe(Effect.flatMap(decodeDay))
        return day
      }, Effect.orDie)

      const take = Effect.fn("MailCaps.take")(
        function*(club_id: ClubId, kind: MailKind, addresses: ReadonlyArray<string>) {
          yield* takeAddresses(keysOf(kind, addresses.map((address) => [address])))
          const { counted, ends } = yield* takeDay(club_id, addresses.length, 0)
          if (!counted) return yield* new MailCapReached({ until: ends })
        }
      )

      const takeSomeDay = Effect.fnUntraced(function*(club_id: ClubId, kind: MailKind, address: string) {
        yield* takeAddresses(keysOf(kind, [[address]]))
        const today = yield* takeDay(club_id, 1, 0)
        if (today.counted) return yield* DateTime.now
        for (let later = 1; later <= postponedDays; later++) {
          const { begins, counted } = yield* takeDay(club_id, 1, later)
          if (counted) return begins
        }
        return yield* new MailCapReached({ until: today.ends })
      }, sql.withTransaction)

      const takeLater = Effect.fn("MailCaps.takeLater")((club_id: ClubId, kind: MailKind, address: string) =>
        takeSomeDay(club_id, kind, address).pipe(
          Effect.map(Option.some),
          Effect.catchTags({ MailCapReached: () => Effect.succeed(Option.none()), SqlError: Effect.die })
        )
      )

      const takeAsked = Effect.fn("MailCaps.takeAsked")((kind: MailKind, place: string, address: string) =>
        takeAddresses(keysOf(kind, [[place, address]])).pipe(
          Effect.as(true),
          Effect.catchTag("MailCapReached", () => Effect.succeed(false))
        )
      )

      return MailCaps.of({ take, takeLater, takeAsked })
    })
  )
}

/** Deletes the counts that are over. */
export const sweepMailCounts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const guard = yield* ClockGuard
  const sweepUntil = Effect.fnUntraced(function*(now: DateTime.Utc) {
    yield* sql`
      delete from address_mails where key in (
        select key from address_mails where closes_at <= ${DateTime.toDateUtc(now)} for update skip locked
      )`
    // No time zone is more than a day behind.
    const gone = DateTime.formatIsoDateUtc(DateTime.subtract(now, { days: 2 }))
    yield* sql`delete from club_mails where day < ${gone}::date`
  })
  yield* guard.sweep("counts of mails", sweepUntil)
}).pipe(Effect.orDie, Effect.withSpan("MailCaps.sweepMailCounts"))
