import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { Notification, type NotificationId } from "./Notification.ts"
import { shownNotifications } from "./shownNotifications.ts"

const decodeRows = rows(Notification)

/** The notifications of a student, for that student. */
export class OwnNotifications extends Context.Service<OwnNotifications, {
  /** The newest first, of one state or of both. One statement. */
  list(
    club_id: ClubId,
    student_id: StudentId,
    request: PageRequest & { readonly unread?: boolean | undefined }
  ): Effect.Effect<PageAnswer<Notification>, InvalidCursor>
  /** Marks these as read, or all. Ids of others are passed over, and those that were read stay as they are. */
  read(club_id: ClubId, student_id: StudentId, ids?: ReadonlyArray<NotificationId>): Effect.Effect<void>
}>()("turma/membership/notifications/OwnNotifications") {
  static readonly layer = Layer.effect(
    OwnNotifications,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const inState = (unread: boolean | undefined) =>
        unread === undefined ? sql`true` : unread ? sql`n.read_at is null` : sql`n.read_at is not null`

      const list = Effect.fn("OwnNotifications.list")(function*(
        club_id: ClubId,
        student_id: StudentId,
        { cursor, limit, unread }: PageRequest & { readonly unread?: boolean | undefined }
      ) {
        const before = yield* afterCursor(cursor)
        const older = Option.match(before, { onNone: () => sql`true`, onSome: (id) => sql`n.id < ${id}` })
        const found = yield* sql`
            ${shownNotifications(sql)}
            where n.club_id = ${club_id} and n.student_id = ${student_id} and ${inState(unread)} and ${older}
            order by n.id desc limit ${limit + 1}`.pipe(decodeRows)
        return pageOf(found, limit)
      })

      // Locked in one order, as wherever several notifications of a student change.
      const read = Effect.fn("OwnNotifications.read")(function*(
        club_id: ClubId,
        student_id: StudentId,
        ids?: ReadonlyArray<NotificationId>
      ) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        yield* sql`
          update notifications n set read_at = ${now}
          from (
            select id from notifications
            where club_id = ${club_id} and student_id = ${student_id} and read_at is null
              and ${ids === undefined ? sql`true` : sql`id = any(${uuids(ids)})`}
            order by id for no key update
          ) unread
          where n.club_id = ${club_id} and n.student_id = ${student_id} and n.id = unread.id`
      }, Effect.orDie)

      return OwnNotifications.of({ list, read })
    })
  )
}
