import { Array as Arr, Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { blobs, instants } from "../../platform/sql/Arrays.ts"
import { capSettings } from "./CapSettings.ts"
import { earliest } from "./earliest.ts"

/** What a mail is for. Each kind has its own count, so that one does not use up another. */
export type MailKind =
  | "access"
  | "account_exists"
  | "address_changed"
  | "forgot"
  | "member_invitation"
  | "password_changed"
  | "resend"
  | "student_invitation"

/**
 * There is no room before then, so long as nobody gives back what they took: the end of the hour, or of the club's day.
 * Where mails that wait have taken the next hours of an address, it is up to days away.
 */
export class MailCapReached extends Schema.TaggedError<MailCapReached>()("MailCapReached", {
  until: Schema.DateTimeUtc
}) {}

const hour = Duration.hours(1)

/** A mail that nobody can be told of waits for an hour and a day with room, at most until so many days later. */
const postponedDays = 3

const Instant = Schema.DateTimeUtcFromDate
const decodeHeld = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ times: Schema.Array(Instant) })))
const decodeDay = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ counted: Schema.Boolean, is_too_late: Schema.Boolean, ends: Instant })])
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
  /** One mail to each of these addresses, at least one. It has to fail with this: part of it may be counted then. */
  take(club_id: ClubId, kind: MailKind, addresses: ReadonlyArray<string>): Effect.Effect<void, MailCapReached>
  /**
   * For a mail that nobody can be refused: when it may leave, now or as soon as the address and the club have room. It is
   * counted at that time, so nobody takes its place. None if that is more than 3 days away.
   */
  takeLater(club_id: ClubId, kind: MailKind, address: string): Effect.Effect<Option.Option<DateTime.Utc>>
  /**
   * Mails that waited and will not leave count no more at the address, of each of these times one. They still count for
   * the day of their club, which nobody else shares.
   */
  giveBack(kind: MailKind, address: string, times: ReadonlyArray<DateTime.Utc>): Effect.Effect<void>
  /** For what somebody does about their own address in one place: whether it may be mailed. Counts for no club. */
  takeAsked(kind: MailKind, place: string, address: string): Effect.Effect<boolean>
}>()("turma/clubs/MailCaps") {
  static readonly layer = Layer.effect(
    MailCaps,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const perAddress = yield* capSettings.MAILS_PER_ADDRESS.read
      const perClub = yield* capSettings.MAILS_PER_CLUB.read

      /** When mails to these addresses leave, of each; they are held until the transaction ends. */
      const hold = Effect.fnUntraced(function*(keys: ReadonlyArray<Uint8Array>) {
        const rows = yield* sql`
          insert into address_mails as a (key, times, closes_at)
          select key, '{}', ${DateTime.toDateUtc(yield* DateTime.now)}::timestamptz
          from unnest(${blobs(keys)}) as given (key)
          on conflict (key) do update set closes_at = a.closes_at
          returning times`
        return yield* decodeHeld(rows)
      }, Effect.orDie)

      const count = Effect.fnUntraced(function*(keys: ReadonlyArray<Uint8Array>, at: DateTime.Utc) {
        const over = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, hour))
        const closes_at = DateTime.toDateUtc(DateTime.addDuration(at, hour))
        yield* sql`
          update address_mails set
            times = array(select t from unnest(times) t where t > ${over}) || ${DateTime.toDateUtc(at)}::timestamptz,
            closes_at = greatest(closes_at, ${closes_at})
          where key = any(${blobs(keys)})`
      }, Effect.orDie)

      const takeAddresses = Effect.fnUntraced(
        function*(keys: ReadonlyArray<Uint8Array>) {
          const held = yield* hold(keys)
          const now = yield* DateTime.now
          const free = Arr.map(held, ({ times }) => earliest(times, now, perAddress))
          const until = Arr.max(free, DateTime.Order)
          if (DateTime.isGreaterThan(until, now)) return yield* new MailCapReached({ until })
          yield* count(keys, now)
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      /** Whether there was room on the day of this moment, if that is not too late, and when it ends. */
      const takeDay = Effect.fnUntraced(function*(club_id: ClubId, mails: number, at: DateTime.Utc) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const [day] = yield* sql`
          with that as (
            select id, time_zone, (${DateTime.toDateUtc(at)}::timestamptz at time zone time_zone)::date as day,
              (${now}::timestamptz at time zone time_zone)::date + ${postponedDays}::int as last
            from clubs where id = ${club_id}
          ), counted as (
            insert into club_mails (club_id, day, used)
            select id, day, ${mails}::int from that where ${mails}::int <= ${perClub}::int and day <= last
            on conflict (club_id, day) do update set used = club_mails.used + excluded.used
            where club_mails.used + excluded.used <= ${perClub}::int
            returning 1
          )
          select exists (select from counted) as counted, day > last as is_too_late,
            (day + 1)::timestamp at time zone time_zone as ends
          from that`.pipe(Effect.flatMap(decodeDay))
        return day
      }, Effect.orDie)

      const take = Effect.fn("MailCaps.take")(
        function*(club_id: ClubId, kind: MailKind, addresses: ReadonlyArray<string>) {
          yield* takeAddresses(keysOf(kind, addresses.map((address) => [address])))
          const { counted, ends } = yield* takeDay(club_id, addresses.length, yield* DateTime.now)
          if (!counted) return yield* new MailCapReached({ until: ends })
        }
      )

      const takeSomeTime = Effect.fnUntraced(function*(club_id: ClubId, kind: MailKind, address: string) {
        const keys = keysOf(kind, [[address]])
        const [{ times }] = yield* hold(keys)
        for (let from = yield* DateTime.now;;) {
          const at = earliest(times, from, perAddress)
          const { counted, ends, is_too_late } = yield* takeDay(club_id, 1, at)
          if (is_too_late) return yield* new MailCapReached({ until: ends })
          if (counted) return yield* Effect.as(count(keys, at), at)
          from = ends
        }
      }, sql.withTransaction)

      const takeLater = Effect.fn("MailCaps.takeLater")((club_id: ClubId, kind: MailKind, address: string) =>
        takeSomeTime(club_id, kind, address).pipe(
          Effect.map(Option.some),
          Effect.catchTags({ MailCapReached: () => Effect.succeed(Option.none()), SqlError: Effect.die })
        )
      )

      const giveBack = Effect.fn("MailCaps.giveBack")(
        function*(kind: MailKind, address: string, times: ReadonlyArray<DateTime.Utc>) {
          if (times.length === 0) return
          yield* sql`
            update address_mails set times = array(
              select t from (select t, row_number() over (partition by t) as nth from unnest(times) t) counted
              where nth > (select count(*) from unnest(${instants(times)}) as given (at) where at = t)
            )
            where key = any(${blobs(keysOf(kind, [[address]]))})`
        },
        Effect.orDie
      )

      const takeAsked = Effect.fn("MailCaps.takeAsked")((kind: MailKind, place: string, address: string) =>
        takeAddresses(keysOf(kind, [[place, address]])).pipe(
          Effect.as(true),
          Effect.catchTag("MailCapReached", () => Effect.succeed(false))
        )
      )

      return MailCaps.of({ take, takeLater, giveBack, takeAsked })
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
