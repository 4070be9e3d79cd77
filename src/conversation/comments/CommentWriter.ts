import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import type { MediaId } from "../../learning/media/Media.ts"
import { Notifications } from "../../membership/notifications/Notifications.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import type { MentionUnknown } from "../authors/Mention.ts"
import { insertMentions } from "../authors/Mentions.ts"
import { CommentId } from "./Comment.ts"
import { commentMentions } from "./CommentMentions.ts"
import type { CommentPlace } from "./CommentPlace.ts"

/** Who writes a comment. */
export type CommentAuthor =
  | { readonly author: "student"; readonly student_id: StudentId }
  | { readonly author: "staff"; readonly user_id: UserId }
  /** `answers_id`: the comment of the thread that this one answers. */
  | { readonly author: "assistant"; readonly answers_id: CommentId }

/** A new comment. */
export interface NewComment {
  readonly club_id: ClubId
  readonly place: CommentPlace
  /** The first comment of its thread. */
  readonly parent_id: CommentId | null
  readonly written_by: CommentAuthor
  readonly body: string
  readonly pending: boolean
  readonly mentions: ReadonlyArray<string>
  readonly media_ids: ReadonlyArray<MediaId>
}

/** Writes comments, in the caller's transaction, which has locked the student who writes. */
export class CommentWriter extends Context.Service<CommentWriter, {
  insert(comment: NewComment): Effect.Effect<CommentId, MentionUnknown>
  /**
   * Leaves a tombstone: the words, mentions, images and notifications are deleted. If the assistant wrote it, the comment that it
   * answered is no longer answered, unless the staff has replied since. Repeating it changes nothing.
   */
  leaveTombstone(club_id: ClubId, id: CommentId): Effect.Effect<void>
}>()("turma/conversation/comments/CommentWriter") {
  static readonly layer = Layer.effect(
    CommentWriter,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const notifications = yield* Notifications

      const rowOf = Effect.fnUntraced(function*({ body, club_id, parent_id, pending, place, written_by }: NewComment) {
        const id = CommentId.make(yield* random.uuidV7())
        yield* creates(id)
        const created_at = DateTime.toDateUtc(yield* DateTime.now)
        const nobody = { student_id: null, user_id: null }
        return { ...nobody, ...written_by, ...place, id, club_id, parent_id, body, pending, created_at }
      })

      const insertImages = (club_id: ClubId, id: CommentId, media: ReadonlyArray<MediaId>) =>
        media.length === 0 ? Effect.void : sql`
          insert into comment_images (club_id, comment_id, media_id, position)
          select ${club_id}::uuid, ${id}::uuid, asked.id, asked.position
          from unnest(${uuids(media)}) with ordinality as asked (id, position)`

      const insert = Effect.fn("CommentWriter.insert")(
        function*(comment: NewComment) {
          const row = yield* rowOf(comment)
          yield* audited((audit) => sql`${audit.with} insert into comments ${sql.insert(row)}`)
          yield* insertMentions(sql, commentMentions, row, comment.mentions)
          yield* insertImages(comment.club_id, row.id, comment.media_ids)
          return row.id
        },
        faultsDie
      )

      // Older replies do not say which comment they answer. They count as answers to the first of their thread.
      const reopen = (club_id: ClubId, reply: CommentId) =>
        sql`
          update comments asked set answered = false
          from comments reply
          where reply.club_id = ${club_id} and reply.id = ${reply} and reply.author = 'assistant'
            and asked.club_id = reply.club_id and asked.id = coalesce(reply.answers_id, reply.parent_id)
            and not exists (
              select from comments said
              where said.club_id = reply.club_id and said.parent_id = reply.parent_id and said.author = 'staff'
                and said.deleted_at is null and said.id > asked.id
            )`

      const leaveTombstone = Effect.fn("CommentWriter.leaveTombstone")(function*(club_id: ClubId, id: CommentId) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const gone = yield* audited((audit) =>
          sql`
            ${audit.with}
            update comments set body = '', deleted_at = ${now}
            where club_id = ${club_id} and id = ${id} and deleted_at is null returning 1`
        )
        if (gone.length === 0) return
        yield* reopen(club_id, id)
        yield* sql`delete from comment_mentions where club_id = ${club_id} and comment_id = ${id}`
        yield* sql`delete from comment_images where club_id = ${club_id} and comment_id = ${id}`
        yield* notifications.withdraw(club_id, { comment_id: id })
      }, Effect.orDie)

      return CommentWriter.of({ insert, leaveTombstone })
    })
  ).pipe(Layer.provide([Notifications.layer, NodeCrypto.layerSecureRandom]))
}
