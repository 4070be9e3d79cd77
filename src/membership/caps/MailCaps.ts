import { Array as Arr, Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { sweepOf } from "../../platform/jobs/Sweep.ts"
import { blobs, instants } from "../../platform/sql/Arrays.ts"
import { faultsDie, one } from "../../platform/sql/Rows.ts"
import { capSettings } from "./CapSettings.ts"
import { nextSendTime } from "./nextSendTime.ts"

/** What a mail is for. Each kind has a count of its own. */
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
 * The cap is used up until then: the end of the hour, or of the club's day. Where waiting mails have used the next hours of
 * an address, that may be days away. It may end earlier if counted mails are given back.
 */
export class MailCapReached extends Schema.TaggedError<MailCapReached>()("MailCapReached", {
  until: Schema.DateTimeUtc
}) {}

const hour = Duration.hours(1)

/** How many days at most a mail is postponed whose sender cannot be refused. */
const postponedDays = 3

const Instant = Schema.DateTimeUtcFromDate
const decodeTimes = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ times: Schema.Array(Instant) })))
const decodeDay = one(Schema.Struct({ counted: Schema.Boolean, is_too_late: Schema.Boolean, ends: Instant }))

// Always sorted, so that two transactions that count the same addresses do not deadlock.
const keysOf = (kind: MailKind, addresses: ReadonlyArray<ReadonlyArray<string>>) =>
  addresses.map((whose) => createHash("sha256").update(JSON.stringify([kind, ...whose])).digest())
    .toSorted((a, b) => a.compare(b))

/**
 * Limits mails: of one kind to one address in an hour, and of one club on a day of its time zone. Counts in the caller's
 * transaction, so the limit is exact across processes and a rollback counts nothing. To be called late in a transaction:
 * others that mail the same address, or from the same club, wait for its end.
 */
export class MailCaps extends Context.Service<MailCaps, {
  /**
   * Counts one mail to each of these addresses, at least one. The transaction has to fail with the error: some may be
   * counted.
   */
  take(club_id: ClubId, kind: MailKind, addresses: ReadonlyArray<string>): Effect.Effect<void, MailCapReached>
  /**
   * For a mail that cannot be refused: when it may leave, now or as soon as the caps of address and club allow. It is
   * counted at that time. None if that is more than 3 days away.
   */
  takeLater(club_id: ClubId, kind: MailKind, address: string): Effect.Effect<Option.Option<DateTime.Utc>>
  /**
   * Takes back waiting mails that will not leave from the count of the address, one for each of these times. They still
   * count for the day of their club.
   */
  giveBack(kind: MailKind, address: string, times: ReadonlyArray<DateTime.Utc>): Effect.Effect<void>
  /**
   * For mails that people ask for about their own address, by club or none (`place`): whether one may leave. Counts for
   * no club.
   */
  takeAsked(kind: MailKind, place: string, address: string): Effect.Effect<boolean>
}>()("turma/membership/caps/MailCaps") {
  static readonly layer = Layer.effect(
    MailCaps,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const perAddress = yield* capSettings.MAILS_PER_ADDRESS.read
      const perClub = yield* capSettings.MAILS_PER_CLUB.read

      /** The times of counted mails of each address, locked until the transaction ends. */
      const lockCounts = Effect.fnUntraced(function*(keys: ReadonlyArray<Uint8Array>) {
        const rows = yield* sql`
          insert into address_mails as a (key, times, closes_at)
          select key, '{}', ${DateTime.toDateUtc(yield* DateTime.now)}::timestamptz
          from unnest(${blobs(keys)}) as given (key)
          on conflict (key) do update set closes_at = a.closes_at
          returning times`
        return yield* decodeTimes(rows)
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
          const counts = yield* lockCounts(keys)
          const now = yield* DateTime.now
          const free = Arr.map(counts, ({ times }) => nextSendTime(times, now, perAddress))
          const until = Arr.max(free, DateTime.Order)
          if (DateTime.isGreaterThan(until, now)) return yield* new MailCapReached({ until })
          yield* count(keys, now)
        },
        sql.withTransaction,
        faultsDie
      )

      /**
       * Counts for the club on the day of this time: whether it was below the cap and not too late, and when the day
       * ends.
       */
      const takeDay = Effect.fnUntraced(function*(club_id: ClubId, mails: number, at: DateTime.Utc) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return yield* sql`
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
          from that`.pipe(decodeDay)
      })

      const take = Effect.fn("MailCaps.take")(
        function*(club_id: ClubId, kind: MailKind, addresses: ReadonlyArray<string>) {
          yield* takeAddresses(keysOf(kind, addresses.map((address) => [address])))
          const { counted, ends } = yield* takeDay(club_id, addresses.length, yield* DateTime.now)
          if (!counted) return yield* new MailCapReached({ until: ends })
        }
      )

      const takeNextFree = Effect.fnUntraced(function*(club_id: ClubId, kind: MailKind, address: string) {
        const keys = keysOf(kind, [[address]])
        const [{ times }] = yield* lockCounts(keys)
        for (let from = yield* DateTime.now;;) {
          const at = nextSendTime(times, from, perAddress)
          const { counted, ends, is_too_late } = yield* takeDay(club_id, 1, at)
          if (is_too_late) return yield* new MailCapReached({ until: ends })
          if (counted) return yield* Effect.as(count(keys, at), at)
          from = ends
        }
      }, sql.withTransaction)

      const takeLater = Effect.fn("MailCaps.takeLater")((club_id: ClubId, kind: MailKind, address: string) =>
        takeNextFree(club_id, kind, address).pipe(
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

/** Deletes the counts of past hours and days. */
export const sweepMailCounts = sweepOf("MailCaps.sweepMailCounts", "counts of mails", (sql, at) => {
  const addresses = sql`
    delete from address_mails where key in (
      select key from address_mails where closes_at <= ${DateTime.toDateUtc(at)} for update skip locked
    )`
  // No time zone is more than a day behind.
  const gone = DateTime.formatIsoDateUtc(DateTime.subtract(at, { days: 2 }))
  return Effect.andThen(addresses, sql`delete from club_mails where day < ${gone}::date`)
})
