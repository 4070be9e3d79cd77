import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { booleans, texts, uuids } from "../../platform/sql/Arrays.ts"
import { PooledRandomLayer } from "../../platform/sql/PooledRandom.ts"
import { dailyTime, soonAfter } from "./DueTimes.ts"
import { excerptOf } from "./excerptOf.ts"
import type { NotificationKind, NotificationTarget } from "./Notification.ts"

/** Something that happened, for one student. */
export interface NewNotification {
  readonly student_id: StudentId
  readonly kind: NotificationKind
  /** The person who did it. */
  readonly actor?: { readonly student_id: StudentId } | { readonly user_id: UserId } | undefined
  /** At most 200 characters. */
  readonly title: string
  /** The student who wrote the title, if one did: it is forgotten with them. */
  readonly titled_by?: StudentId | null | undefined
  /** The words. Their beginning is kept. */
  readonly text: string | null
  readonly target: Partial<NotificationTarget>
  /** True if a mail of its own says it, so that no digest does. */
  readonly mailed?: boolean
}

/** A thing that somebody deleted, or that students no longer see. */
type Withdrawn = { readonly comment_id: string } | { readonly post_id: string } | { readonly live_id: string }

const columnOf = (gone: Withdrawn) =>
  "comment_id" in gone
    ? ["comment_id", gone.comment_id] as const
    : "post_id" in gone
    ? ["post_id", gone.post_id] as const
    : ["live_id", gone.live_id] as const

/**
 * Writes notifications for the features above, in the transaction of the fact. Call it late there, once with all
 * notifications: it locks their students in the order of their ids.
 */
export class Notifications extends Context.Service<Notifications, {
  /**
   * A student who was removed gets no notification. It leaves out a notification with the title of a removed student. Of one live a student
   * gets one, however often it is added.
   */
  add(club_id: ClubId, notifications: ReadonlyArray<NewNotification>): Effect.Effect<void>
  /** Deletes the notifications about this, at most so many; answers how many. */
  withdraw(club_id: ClubId, gone: Withdrawn, most?: number): Effect.Effect<number>
  /** The student has read this conversation: so they have its notifications. */
  seen(club_id: ClubId, student_id: StudentId, conversation_id: string): Effect.Effect<void>
  /** The notifications about a comment get its new words. */
  reword(club_id: ClubId, comment_id: string, text: string): Effect.Effect<void>
}>()("turma/membership/notifications/Notifications") {
  static readonly layer = Layer.effect(
    Notifications,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      // The lock orders this with removals, as for mentions: a student who is being removed counts as removed.
      const add = Effect.fn("Notifications.add")(
        function*(club_id: ClubId, all: ReadonlyArray<NewNotification>) {
          if (all.length === 0) return
          const ids = yield* Effect.forEach(all, () => random.uuidV7())
          const now = yield* DateTime.now
          const at = DateTime.toDateUtc(now)
          const column = (read: (one: NewNotification) => string | null | undefined) =>
            all.map((one) => read(one) ?? null)
          const target = (name: keyof NotificationTarget) => column((one) => one.target[name])
          const actors = {
            students: column(({ actor }) => actor && "student_id" in actor ? actor.student_id : null),
            users: column(({ actor }) => actor && "user_id" in actor ? actor.user_id : null)
          }
          yield* sql`
            with given as materialized (
              select * from unnest(
                ${uuids(ids)}, ${uuids(column(({ student_id }) => student_id))}, ${texts(column(({ kind }) => kind))},
                ${uuids(actors.students)}, ${uuids(actors.users)},
                ${texts(column(({ title }) => title))}, ${uuids(column(({ titled_by }) => titled_by))},
                ${texts(column(({ text }) => excerptOf(text)))}, ${texts(target("lesson_public_id"))},
                ${uuids(target("comment_id"))}, ${uuids(target("post_id"))}, ${uuids(target("conversation_id"))},
                ${uuids(target("live_id"))}, ${booleans(all.map(({ mailed = false }) => mailed))}
              ) as given (id, student_id, kind, actor_student_id, actor_user_id, title, titled_by, excerpt,
                lesson_public_id, comment_id, post_id, conversation_id, live_id, mailed)
            ), present as materialized (
              select s.id from students s
              where s.club_id = ${club_id} and s.removed_at is null
                and s.id = any (array(select student_id from given union select titled_by from given))
              order by s.id for key share
            ), added as (
              insert into notifications (club_id, id, student_id, kind, actor_student_id, actor_user_id, title, titled_by,
                excerpt, lesson_public_id, comment_id, post_id, conversation_id, live_id, created_at, mailed_at)
              select ${club_id}::uuid, id, student_id, kind, actor_student_id, actor_user_id, title, titled_by, excerpt,
                lesson_public_id, comment_id, post_id, conversation_id, live_id, ${at}::timestamptz,
                case when mailed then ${at}::timestamptz end
              from given
              where student_id in (select id from present)
                and (titled_by is null or titled_by in (select id from present))
              order by student_id
              on conflict do nothing
              returning student_id, mailed_at
            )
            insert into notification_settings as s (club_id, student_id, due_at)
            select ${club_id}::uuid, waiting.student_id, ${dailyTime(sql, sql`c`, at)}
            from (select distinct student_id from added where mailed_at is null) waiting
            join clubs c on c.id = ${club_id}
            order by waiting.student_id
            on conflict (club_id, student_id) do update
              set due_at = case s.mail when 'at_once' then ${soonAfter(now)}::timestamptz else excluded.due_at end
              where s.due_at is null and s.mail <> 'never'`
        },
        Effect.orDie
      )

      const withdraw = Effect.fn("Notifications.withdraw")(function*(
        club_id: ClubId,
        gone: Withdrawn,
        most: number | null = null
      ) {
        const [column, id] = columnOf(gone)
        const deleted = yield* sql`
          delete from notifications n using (
            select student_id, id from notifications where club_id = ${club_id} and ${sql(column)} = ${id}
            order by student_id, id limit ${most}::int for update
          ) found
          where n.club_id = ${club_id} and n.student_id = found.student_id and n.id = found.id returning 1`
        return deleted.length
      }, Effect.orDie)

      const seen = Effect.fn("Notifications.seen")(
        function*(club_id: ClubId, student_id: StudentId, conversation_id: string) {
          const now = DateTime.toDateUtc(yield* DateTime.now)
          yield* sql`
            update notifications n set read_at = ${now}
            from (
              select id from notifications
              where club_id = ${club_id} and student_id = ${student_id} and read_at is null
                and conversation_id = ${conversation_id}
              order by id for no key update
            ) unread
            where n.club_id = ${club_id} and n.student_id = ${student_id} and n.id = unread.id`
        },
        Effect.orDie
      )

      const reword = Effect.fn("Notifications.reword")(function*(club_id: ClubId, comment_id: string, text: string) {
        yield* sql`
          update notifications n set excerpt = ${excerptOf(text)}
          from (
            select student_id, id from notifications where club_id = ${club_id} and comment_id = ${comment_id}
            order by student_id, id for no key update
          ) found
          where n.club_id = ${club_id} and n.student_id = found.student_id and n.id = found.id`
      }, Effect.orDie)

      return Notifications.of({ add, withdraw, seen, reword })
    })
  ).pipe(Layer.provide(PooledRandomLayer))
}
