import { Context, DateTime, Duration, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Instant } from "../schema/Instant.ts"
import { blobs, booleans, instants, uuids } from "../sql/Arrays.ts"
import { one, rows } from "../sql/Rows.ts"
import { MailId } from "./Mail.ts"

/** A mail as it is written down, due at this moment. */
export interface NewMail {
  readonly id: MailId
  readonly content: Uint8Array
  readonly about: string | null
  readonly urgent: boolean
  readonly due: DateTime.Utc
}

/** A mail that this process holds until its lease runs out. `attempts` counts this one and names the lease. */
export const Claimed = Schema.Struct({
  id: MailId,
  content: Schema.Uint8Array,
  about: Schema.NullOr(Schema.String),
  attempts: Schema.Int,
  created_at: Instant
})
export type Claimed = typeof Claimed.Type

const decodeClaimed = rows(Claimed)
const decodeRemoved = rows(Schema.Struct({ created_at: Instant }))
const decodeOldest = one(Schema.Struct({ oldest: Schema.OptionFromNullOr(Instant) }))

/** The `mails` table. The result of a claim counts only while its lease is the latest. */
export class MailsRepo extends Context.Service<MailsRepo, {
  /** In one statement, in the caller's transaction if there is one. */
  insert(mails: ReadonlyArray<NewMail>): Effect.Effect<void>
  /** Whatever is about one of these, sent at this moment or not; says how many. */
  removeAbout(ids: ReadonlyArray<string>): Effect.Effect<number>
  /** Whatever is about one of these and has never been due; says when each was to be. */
  removeWaiting(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<DateTime.Utc>>
  /** The due mails: urgent ones first, the longest due of each. */
  claim(limit: number): Effect.Effect<ReadonlyArray<Claimed>>
  remove(claimed: Claimed): Effect.Effect<void>
  /** Makes it due again after this delay. */
  postpone(claimed: Claimed, delay: Duration.Duration, reason: string): Effect.Effect<void>
  /** Since when the oldest due mail has been due. */
  readonly oldestDue: Effect.Effect<Option.Option<DateTime.Utc>>
}>()("turma/platform/mail/MailsRepo") {
  /** More than twice as long as a transport may take, so that no mail is sent by two processes at once. */
  static readonly lease = Duration.minutes(2)

  static readonly layer = Layer.effect(
    MailsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      // One that leaves later is as old as that: its age is how long nobody took it.
      const insert = Effect.fn("MailsRepo.insert")(function*(mails: ReadonlyArray<NewMail>) {
        yield* sql`
          insert into mails (id, content, about, urgent, attempts, next_attempt_at, created_at)
          select id, content, about, urgent, 0, due, due
          from unnest(
            ${uuids(mails.map(({ id }) => id))}, ${blobs(mails.map(({ content }) => content))},
            ${uuids(mails.map(({ about }) => about))}, ${booleans(mails.map(({ urgent }) => urgent))},
            ${instants(mails.map(({ due }) => due))}
          ) as mail (id, content, about, urgent, due)`
      }, Effect.orDie)

      const removeAbout = Effect.fn("MailsRepo.removeAbout")(function*(ids: ReadonlyArray<string>) {
        return (yield* sql`delete from mails where about = any(${uuids(ids)}) returning 1`).length
      }, Effect.orDie)

      // By a clock that goes ahead one may have been sent: then it was attempted.
      const removeWaiting = Effect.fn("MailsRepo.removeWaiting")(function*(ids: ReadonlyArray<string>) {
        const mails = yield* sql`
          delete from mails where about = any(${uuids(ids)}) and created_at > ${yield* now} and attempts = 0
          returning created_at`.pipe(decodeRemoved)
        return mails.map(({ created_at }) => created_at)
      })

      // Locked rows are skipped, so processes share the table without waiting for each other.
      const claim = Effect.fnUntraced(function*(limit: number) {
        const claimedAt = yield* DateTime.now
        const at = DateTime.toDateUtc(claimedAt)
        const leaseEnd = DateTime.toDateUtc(DateTime.addDuration(claimedAt, MailsRepo.lease))
        return yield* sql`
          with urgent as materialized (
            select id from mails
            where urgent and next_attempt_at <= ${at}
            order by next_attempt_at
            limit ${limit}::int
            for update skip locked
          ), others as materialized (
            select id from mails
            where not urgent and next_attempt_at <= ${at}
            order by next_attempt_at
            limit ${limit}::int - (select count(*) from urgent)
            for update skip locked
          )
          update mails
          set next_attempt_at = ${leaseEnd}, attempts = mails.attempts + 1
          from (select id from urgent union all select id from others) due
          where mails.id = due.id
          returning mails.id, mails.content, mails.about, mails.attempts, mails.created_at`.pipe(decodeClaimed)
      })

      const isStillClaimed = ({ attempts, id }: Claimed) => sql`id = ${id} and attempts = ${attempts}`

      const remove = Effect.fn("MailsRepo.remove")(function*(claimed: Claimed) {
        yield* sql`delete from mails where ${isStillClaimed(claimed)}`
      }, Effect.orDie)

      const postpone = Effect.fn("MailsRepo.postpone")(function*(
        claimed: Claimed,
        delay: Duration.Duration,
        reason: string
      ) {
        const at = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, delay))
        yield* sql`update mails set next_attempt_at = ${at}, last_error = ${reason} where ${isStillClaimed(claimed)}`
      }, Effect.orDie)

      const oldestDue = Effect.gen(function*() {
        const at = yield* now
        const { oldest } = yield* sql`
          select least(
            (select min(next_attempt_at) from mails where urgent and next_attempt_at <= ${at}),
            (select min(next_attempt_at) from mails where not urgent and next_attempt_at <= ${at})
          ) as oldest`.pipe(decodeOldest)
        return oldest
      })

      return MailsRepo.of({ insert, removeAbout, removeWaiting, claim, remove, postpone, oldestDue })
    })
  )
}
