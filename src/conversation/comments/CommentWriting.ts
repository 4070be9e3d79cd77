import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { LessonId } from "../../learning/content/Lesson.ts"
import type { MediaId } from "../../learning/media/Media.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { PostId } from "../community/Post.ts"
import { CommentId } from "./Comment.ts"
import { MentionUnknown } from "./CommentInput.ts"

/** Where a comment is. */
export const CommentPlace = Schema.Union([
  Schema.Struct({ lesson_id: LessonId, post_id: Schema.Null }),
  Schema.Struct({ lesson_id: Schema.Null, post_id: PostId })
])
export type CommentPlace = typeof CommentPlace.Type

/** Who writes it. */
export type Signature =
  | { readonly author: "student"; readonly student_id: StudentId }
  | { readonly author: "staff"; readonly user_id: UserId }
  /** `answers_id`: the comment in the thread that it answers. */
  | { readonly author: "assistant"; readonly answers_id: CommentId }

/** A comment to be. */
export interface NewComment {
  readonly club_id: ClubId
  readonly place: CommentPlace
  /** The first comment of its thread. */
  readonly parent_id: CommentId | null
  readonly signature: Signature
  readonly body: string
  readonly pending: boolean
  readonly mentions: ReadonlyArray<string>
  readonly media_ids: ReadonlyArray<MediaId>
}

/** How comments come into their tables, in the caller's transaction, which holds a student who writes. */
export class CommentWriting extends Context.Service<CommentWriting, {
  insert(comment: NewComment): Effect.Effect<CommentId, MentionUnknown>
  /**
   * Leaves a tombstone: the words go, and whom and what they show. What the assistant had answered with it is no longer
   * answered, unless the staff has said something since. A second time nothing happens.
   */
  entomb(club_id: ClubId, id: CommentId): Effect.Effect<void>
}>()("turma/comments/CommentWriting") {
  static readonly layerNoDeps = Layer.effect(
    CommentWriting,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      const rowOf = Effect.fnUntraced(function*({ body, club_id, parent_id, pending, place, signature }: NewComment) {
        const id = CommentId.make(yield* random.uuidV7())
        const created_at = DateTime.toDateUtc(yield* DateTime.now)
        const nobody = { student_id: null, user_id: null }
        return { ...nobody, ...signature, ...place, id, club_id, parent_id, body, pending, created_at }
      })

      // Whoever is removed at this moment is either named before, and then forgotten here too, or not named any more.
      const mention = Effect.fnUntraced(function*(club_id: ClubId, id: CommentId, people: ReadonlyArray<string>) {
        if (people.length === 0) return
        yield* sql`
          select 1 from students where club_id = ${club_id} and id = any(${uuids(people)}) order by id for key share`
        const named = yield* sql`
          insert into comment_mentions (club_id, comment_id, position, student_id, user_id)
          select ${club_id}::uuid, ${id}::uuid, asked.position, s.id, m.user_id
          from unnest(${uuids(people)}) with ordinality as asked (id, position)
          left join students s on s.club_id = ${club_id} and s.id = asked.id and s.removed_at is null
          left join members m on m.club_id = ${club_id} and m.user_id = asked.id
          where num_nonnulls(s.id, m.user_id) = 1
          returning 1`
        if (named.length < people.length) return yield* new MentionUnknown()
      })

      const illustrate = (club_id: ClubId, id: CommentId, media: ReadonlyArray<MediaId>) =>
        media.length === 0 ? Effect.void : sql`
          insert into comment_images (club_id, comment_id, media_id, position)
          select ${club_id}::uuid, ${id}::uuid, asked.id, asked.position
          from unnest(${uuids(media)}) with ordinality as asked (id, position)`

      const insert = Effect.fn("CommentWriting.insert")(
        function*(comment: NewComment) {
          const row = yield* rowOf(comment)
          yield* sql`insert into comments ${sql.insert(row)}`
          yield* mention(comment.club_id, row.id, comment.mentions)
          yield* illustrate(comment.club_id, row.id, comment.media_ids)
          return row.id
        },
        Effect.catchTag("SqlError", Effect.die)
      )

      // Replies from before it was kept which comment they answer, answer the first of their thread.
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

      const entomb = Effect.fn("CommentWriting.entomb")(function*(club_id: ClubId, id: CommentId) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const gone = yield* sql`
          update comments set body = '', deleted_at = ${now}
          where club_id = ${club_id} and id = ${id} and deleted_at is null returning 1`
        if (gone.length === 0) return
        yield* reopen(club_id, id)
        yield* sql`delete from comment_mentions where club_id = ${club_id} and comment_id = ${id}`
        yield* sql`delete from comment_images where club_id = ${club_id} and comment_id = ${id}`
      }, Effect.orDie)

      return CommentWriting.of({ insert, entomb })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
