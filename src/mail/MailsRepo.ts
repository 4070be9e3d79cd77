import { Context, DateTime, Duration, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { uuids } from "../sql/Arrays.ts"
import { MailId } from "./Mail.ts"

const Instant = Schema.DateTimeUtcFromDate

/** A mail that this process holds until its lease runs out. `attempts` counts this one and names the lease. */
export const Claimed = Schema.Struct({
  id: MailId,
  content: Schema.Uint8Array,
  attempts: Schema.Int,
  created_at: Instant
})
export type Claimed = typeof Claimed.Type

/** The `mails` table. What a claim decides counts only while its lease is the latest. */
export class MailsRepo extends Context.Service<MailsRepo, {
  /** Due at once, in the caller's transaction if there is one. */
  insert(id: MailId, content: Uint8Array, about: string | null): Effect.Effect<void>
  /** Whatever is about one of these, sent at this moment or not; says how many. */
  removeAbout(ids: ReadonlyArray<string>): Effect.Effect<number>
  claim(limit: number): Effect.Effect<ReadonlyArray<Claimed>>
  remove(claimed: Claimed): Effect.Effect<void>
  retryAfter(claimed: Claimed, delay: Duration.Duration, reason: string): Effect.Effect<void>
  /** Since when the oldest due mail has been due. */
  readonly oldestDue: Effect.Effect<Option.Option<DateTime.Utc>>
}>()("turma/mail/MailsRepo") {
  /** More than twice as long as a transport may take, so that no mail is sent by two processes at once. */
  static readonly lease = Duration.minutes(2)

  static readonly layer = Layer.effect(
    MailsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const insert = Effect.fn("MailsRepo.insert")(function*(id: MailId, content: Uint8Array, about: string | null) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        yield* sql`
          insert into mails (id, content, about, attempts, next_attempt_at, created_at)
          values (${id}, ${content}, ${about}, 0, ${now}, ${now})`
      }, Effect.orDie)

      const removeAbout = Effect.fn("MailsRepo.removeAbout")(function*(ids: ReadonlyArray<string>) {
        return (yield* sql`delete from mails where about = any(${uuids(ids)}) returning 1`).length
      }, Effect.orDie)

      // Locked rows are skipped, so processes share the table without waiting for each other.
      const claimDue = SqlSchema.findAll({
        Request: Schema.Struct({ limit: Schema.Int, now: Instant, leaseEnd: Instant }),
        Result: Claimed,
        execute: ({ leaseEnd, limit, now }) =>
          sql`
            with due as materialized (
              select id from mails
              where next_attempt_at <= ${now}
              order by next_attempt_at
              limit ${limit}
              for update skip locked
            )
            update mails
            set next_attempt_at = ${leaseEnd}, attempts = mails.attempts + 1
            from due
            where mails.id = due.id
            returning mails.id, mails.content, mails.attempts, mails.created_at`
      })

      const claim = Effect.fnUntraced(function*(limit: number) {
        const now = yield* DateTime.now
        return yield* claimDue({ limit, now, leaseEnd: DateTime.addDuration(now, MailsRepo.lease) })
      }, Effect.orDie)

      const held = ({ attempts, id }: Claimed) => sql`id = ${id} and attempts = ${attempts}`

      const remove = Effect.fn("MailsRepo.remove")(function*(claimed: Claimed) {
        yield* sql`delete from mails where ${held(claimed)}`
      }, Effect.orDie)

      const retryAfter = Effect.fn("MailsRepo.retryAfter")(function*(
        claimed: Claimed,
        delay: Duration.Duration,
        reason: string
      ) {
        const at = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, delay))
        yield* sql`update mails set next_attempt_at = ${at}, last_error = ${reason} where ${held(claimed)}`
      }, Effect.orDie)

      const selectOldest = SqlSchema.findOne({
        Request: Instant,
        Result: Schema.Struct({ oldest: Schema.OptionFromNullOr(Instant) }),
        execute: (now) => sql`select min(next_attempt_at) as oldest from mails where next_attempt_at <= ${now}`
      })

      const oldestDue = DateTime.now.pipe(
        Effect.flatMap(selectOldest),
        Effect.map(({ oldest }) => oldest),
        Effect.orDie
      )

      return MailsRepo.of({ insert, removeAbout, claim, remove, retryAfter, oldestDue })
    })
  )
}
