import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { dayZoneOf } from "../../identity/people/DayZone.ts"
import { currentSpelling } from "../../platform/http/Spelling.ts"
import { sweepOf } from "../../platform/jobs/Sweep.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { blobs, instants } from "../../platform/sql/Arrays.ts"
import { faultsDie, one, rows } from "../../platform/sql/Rows.ts"
import { capSettings } from "./CapSettings.ts"
import { nextSendTime } from "./nextSendTime.ts"

/** The purpose of a mail. Each kind has a count of its own. */
export type MailKind =
  | "access"
  | "account_exists"
  | "address_changed"
  | "forgot"
  | "member_invitation"
  | "notifications"
  | "password_changed"
  | "removal"
  | "resend"
  | "sign_up"
  | "student_invitation"
  | "support_answer"

/**
 * The cap is used up until then: the end of the hour, or of the club's day. If waiting mails have used the next hours
 * of an address, that may be days away. The cap may end earlier if a counted mail gives back its place.
 */
export class MailCapReached extends Schema.TaggedError<MailCapReached>()("MailCapReached", {
  until: Schema.DateTimeUtc
}) {}

const hour = Duration.hours(1)

/** The longest wait of a mail whose sender cannot be refused, in days. */
const postponedDays = 3

const decodeCounts = rows(Schema.Struct({ key: Schema.Uint8Array, times: Schema.Array(Instant) }))
const decodeRoom = one(Schema.Struct({ room: Schema.Int }))
const decodeDay = one(Schema.Struct({ counted: Schema.Boolean, is_too_late: Schema.Boolean, ends: Instant }))

/** Addresses among `whose` count in all their spellings. */
const keyOf = (kind: MailKind, ...whose: ReadonlyArray<string>) =>
  createHash("sha256").update(JSON.stringify([kind, ...whose.map(currentSpelling)])).digest()

/**
 * Mails to confirm a sign-up, to one address in an hour. Other kinds have fewer, but here each mail has its own
 * sign-up.
 */
const signUpMails = 30

const nameOf = (key: Uint8Array) => Buffer.from(key).toString("base64")

/**
 * Limits mails: of one kind to one address in an hour, and of one club on a day of its time zone. Counts in the
 * caller's transaction, so the limit is exact across processes and a rollback counts nothing. Call it late in a
 * transaction: other mails to the same address, or from the same club, wait for its end.
 */
export class MailCaps extends Context.Service<MailCaps, {
  /**
   * Counts one mail to each of these addresses, at least one; after the error it has counted nothing. Digests of
   * notifications leave half of the club's day to all other mails.
   */
  take(club_id: ClubId, kind: MailKind, addresses: ReadonlyArray<string>): Effect.Effect<void, MailCapReached>
  /**
   * For mails that cannot be refused, one to each of these addresses: the time at which each may leave. That is now, or
   * as soon as the caps of address and club allow. The mail counts at that time. Empty if the time is more than 3 days
   * away. In the order of the addresses; the mails of earlier ones leave first.
   */
  takeLater(
    club_id: ClubId,
    kind: MailKind,
    addresses: ReadonlyArray<string>
  ): Effect.Effect<ReadonlyArray<Option.Option<DateTime.Utc>>>
  /**
   * Takes back waiting mails that will not leave from the count of the address, one for each of these times. They still
   * count for the day of their club.
   */
  giveBack(kind: MailKind, address: string, times: ReadonlyArray<DateTime.Utc>): Effect.Effect<void>
  /**
   * For mails that people ask for about their own address: true if one may leave. `place` is the club, or empty. Counts
   * for no club. Mails that confirm a sign-up (`sign_up`) have a cap of 30, or `MAILS_PER_ADDRESS` if that is more.
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
      const lockCounts = Effect.fnUntraced(function*(keys: ReadonlyArray<Buffer>) {
        // Always sorted, so that two transactions that count the same addresses do not deadlock.
        const sorted = keys.toSorted((a, b) => a.compare(b))
        const counts = yield* sql`
          insert into address_mails as a (key, times, closes_at)
          select key, '{}', ${DateTime.toDateUtc(yield* DateTime.now)}::timestamptz
          from unnest(${blobs(sorted)}) as given (key)
          on conflict (key) do update set closes_at = a.closes_at
          returning key, times`.pipe(decodeCounts)
        const timesOf = new Map(counts.map(({ key, times }) => [nameOf(key), times]))
        return keys.map((key) => ({ key, times: timesOf.get(nameOf(key)) ?? [] }))
      })

      /** Counts a mail to each address at its time. */
      const count = Effect.fnUntraced(
        function*(mails: ReadonlyArray<{ readonly key: Uint8Array; readonly at: DateTime.Utc }>) {
          const over = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, hour))
          yield* sql`
            update address_mails a set
              times = array(select t from unnest(a.times) t where t > ${over}) || given.at,
              closes_at = greatest(a.closes_at, given.closes_at)
            from unnest(
              ${blobs(mails.map(({ key }) => key))}, ${instants(mails.map(({ at }) => at))},
              ${instants(mails.map(({ at }) => DateTime.addDuration(at, hour)))}
            ) as given (key, at, closes_at)
            where a.key = given.key`
        },
        Effect.orDie
      )

      /** Locks the counts of these addresses, and fails if one of them has no place now. */
      const lockFree = Effect.fnUntraced(
        function*(keys: ReadonlyArray<Buffer>, cap: number = perAddress) {
          const counts = yield* lockCounts(keys)
          const now = yield* DateTime.now
          const free = counts.map(({ times }) => nextSendTime(times, now, cap))
          const until = free.reduce((latest, at) => DateTime.max(latest, at), now)
          if (DateTime.isGreaterThan(until, now)) return yield* new MailCapReached({ until })
          return keys.map((key) => ({ key, at: now }))
        },
        faultsDie
      )

      /**
       * Counts for the club on the day of this time: whether it was below the cap and not too late, and when the day
       * ends.
       */
      const takeDay = Effect.fnUntraced(function*(
        club_id: ClubId,
        mails: number,
        at: DateTime.Utc,
        cap: number = perClub
      ) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return yield* sql`
          with that as (
            select id, zone, (${DateTime.toDateUtc(at)}::timestamptz at time zone zone)::date as day,
              (${now}::timestamptz at time zone zone)::date + ${postponedDays}::int as last
            from (select id, ${dayZoneOf(sql, sql`c`, now)} as zone from clubs c where id = ${club_id}) zoned
          ), counted as (
            insert into club_mails (club_id, day, used)
            select id, day, ${mails}::int from that where ${mails}::int <= ${cap}::int and day <= last
            on conflict (club_id, day) do update set used = club_mails.used + excluded.used
            where club_mails.used + excluded.used <= ${cap}::int
            returning 1
          )
          select exists (select from counted) as counted, day > last as is_too_late,
            (day + 1)::timestamp at time zone zone as ends
          from that`.pipe(decodeDay)
      })

      const take = Effect.fn("MailCaps.take")(function*(
        club_id: ClubId,
        kind: MailKind,
        addresses: ReadonlyArray<string>
      ) {
        const free = yield* lockFree(addresses.map((address) => keyOf(kind, address)))
        const { counted, ends } = yield* takeDay(
          club_id,
          addresses.length,
          yield* DateTime.now,
          kind === "notifications" ? Math.ceil(perClub / 2) : perClub
        )
        if (!counted) return yield* new MailCapReached({ until: ends })
        yield* count(free)
      })

      /** The number of further mails of the club that may leave on the day of this time. */
      const roomOn = Effect.fnUntraced(function*(club_id: ClubId, at: DateTime.Utc) {
        const zone = dayZoneOf(sql, sql`c`, DateTime.toDateUtc(yield* DateTime.now))
        return yield* sql`
          select greatest(0, ${perClub}::int - coalesce((
            select used from club_mails
            where club_id = c.id and day = (${DateTime.toDateUtc(at)}::timestamptz at time zone (${zone}))::date
          ), 0))::int as room
          from clubs c where c.id = ${club_id}`.pipe(decodeRoom)
      })

      /** Counts as many of these mails for the club on that day as still fit into it. */
      const takeOfDay = Effect.fnUntraced(function*(club_id: ClubId, mails: number, at: DateTime.Utc) {
        const { counted, ...day } = yield* takeDay(club_id, mails, at)
        if (counted || mails === 1 || day.is_too_late) return { ...day, taken: counted ? mails : 0 }
        const { room } = yield* roomOn(club_id, at)
        const isTaken = room > 0 && (yield* takeDay(club_id, room, at)).counted
        return { ...day, taken: isTaken ? room : 0 }
      })

      /** When a mail to this address leaves that cannot leave at `begin`. */
      const takeNextFree = Effect.fnUntraced(function*(
        club_id: ClubId,
        times: ReadonlyArray<DateTime.Utc>,
        begin: DateTime.Utc
      ) {
        for (let from = begin;;) {
          const at = nextSendTime(times, from, perAddress)
          const { ends, is_too_late, taken } = yield* takeOfDay(club_id, 1, at)
          if (taken > 0) return Option.some(at)
          if (is_too_late) return Option.none()
          from = ends
        }
      })

      // Nearly all leave at once and are counted together, day by day; an address that is mailed too often finds its
      // own time.
      const takeLater = Effect.fn("MailCaps.takeLater")(
        function*(club_id: ClubId, kind: MailKind, addresses: ReadonlyArray<string>) {
          const counts = yield* lockCounts(addresses.map((address) => keyOf(kind, address)))
          const leaving = new Map<Uint8Array, DateTime.Utc>()
          let [waiting, from] = [counts, yield* DateTime.now]
          while (waiting.length > 0) {
            const isFree = ({ times }: { readonly times: ReadonlyArray<DateTime.Utc> }) =>
              DateTime.Equivalence(nextSendTime(times, from, perAddress), from)
            const free = waiting.filter(isFree)
            for (const { key, times } of waiting.filter((mail) => !isFree(mail))) {
              const at = yield* takeNextFree(club_id, times, from)
              if (Option.isSome(at)) leaving.set(key, at.value)
            }
            if (free.length === 0) break
            const day = yield* takeOfDay(club_id, free.length, from)
            for (const { key } of free.slice(0, day.taken)) leaving.set(key, from)
            waiting = day.is_too_late ? [] : free.slice(day.taken)
            from = day.ends
          }
          if (leaving.size > 0) yield* count([...leaving].map(([key, at]) => ({ key, at })))
          return counts.map(({ key }) => Option.fromUndefinedOr(leaving.get(key)))
        },
        sql.withTransaction,
        faultsDie
      )

      const giveBack = Effect.fn("MailCaps.giveBack")(
        function*(kind: MailKind, address: string, times: ReadonlyArray<DateTime.Utc>) {
          if (times.length === 0) return
          yield* sql`
            update address_mails set times = array(
              select t from (select t, row_number() over (partition by t) as nth from unnest(times) t) counted
              where nth > (select count(*) from unnest(${instants(times)}) as given (at) where at = t)
            )
            where key = ${keyOf(kind, address)}`
        },
        Effect.orDie
      )

      const askedCap = (kind: MailKind) => kind === "sign_up" ? Math.max(signUpMails, perAddress) : perAddress

      const takeAsked = Effect.fn("MailCaps.takeAsked")((kind: MailKind, place: string, address: string) =>
        lockFree([keyOf(kind, place, address)], askedCap(kind)).pipe(
          Effect.andThen(count),
          Effect.as(true),
          sql.withTransaction,
          faultsDie,
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
