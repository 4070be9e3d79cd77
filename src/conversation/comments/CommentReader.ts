import { Context, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { Attachments } from "../../learning/media/Attachments.ts"
import { MediaId, type ShownMedia } from "../../learning/media/Media.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { authorOf, isMine } from "../authors/Authorship.ts"
import { mentionsOf } from "../authors/Mentions.ts"
import type { Viewer } from "../authors/Viewer.ts"
import { replyIsVisible } from "../visibility/CommentVisibility.ts"
import { isContentWithheld } from "../visibility/Visibility.ts"
import { Comment, type CommentId } from "./Comment.ts"
import { commentMentions } from "./CommentMentions.ts"

/** Number of oldest replies embedded in their first comment. */
const embeddedReplies = 3

// As the JSON of the statement has it, with the ids of the images.
const rowFields = {
  ...Struct.omit(Comment.fields, ["images", "replies"]),
  created_at: Schema.DateTimeUtcFromString,
  edited_at: Schema.NullOr(Schema.DateTimeUtcFromString),
  media_ids: Schema.Array(MediaId)
}
const ReplyRow = Schema.Struct(rowFields)
type ReplyRow = typeof ReplyRow.Type
const CommentRow = Schema.Struct({ ...rowFields, replies: Schema.Array(ReplyRow) })
type CommentRow = typeof CommentRow.Type
const decodeRows = rows(Schema.Struct({ comment: CommentRow }))

type Images = ReadonlyMap<MediaId, ShownMedia>

const withoutContent = { body: "", mentions: [], media_ids: [] } as const

/** The part of a row that the viewer may see. Omits withheld content, and the reactions of a tombstone. */
const visiblePart = <Row extends ReplyRow>(row: Row, { role }: Viewer): Row => ({
  ...row,
  ...(isContentWithheld(row, role) ? withoutContent : {}),
  ...(row.deleted ? { reactions: [] } : {})
})

const withImages = ({ media_ids, ...row }: ReplyRow, images: Images, replies: ReadonlyArray<Comment>): Comment => ({
  ...row,
  images: media_ids.flatMap((id) => images.get(id) ?? []),
  replies
})

/**
 * Reads comments as viewers are shown them. One statement for however many, and one more of `Attachments` if there are
 * images.
 */
export class CommentReader extends Context.Service<CommentReader, {
  /** The comments for which `where` holds, a condition on the row `c`. The newest first. */
  newest(viewer: Viewer, where: Fragment, page: PageRequest): Effect.Effect<PageAnswer<Comment>, InvalidCursor>
  /** The replies to a first comment that the viewer is shown. The oldest first. */
  replies(viewer: Viewer, first: CommentId, page: PageRequest): Effect.Effect<PageAnswer<Comment>, InvalidCursor>
  /** By their ids, without those that do not exist. Does not check whether the viewer may see them. */
  some(viewer: Viewer, ids: ReadonlyArray<CommentId>): Effect.Effect<ReadonlyMap<CommentId, Comment>>
  /** Does not check whether the viewer may see it. */
  one(viewer: Viewer, id: CommentId): Effect.Effect<Comment, NotFound>
}>()("turma/conversation/comments/CommentReader") {
  static readonly layer = Layer.effect(
    CommentReader,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const attachments = yield* Attachments

      const reactionsOf = (viewer: Viewer, c: Fragment) => {
        const mine = viewer.role === "student"
          ? sql`coalesce(bool_or(r.student_id = ${viewer.student_id}), false)`
          : sql`false`
        return sql`
          coalesce((
            select jsonb_agg(
              jsonb_build_object('reaction', given.reaction, 'count', given.count, 'mine', given.mine)
              order by given.count desc, given.reaction
            )
            from (
              select r.reaction, count(*) as count, ${mine} as mine
              from comment_reactions r where r.club_id = ${c}.club_id and r.comment_id = ${c}.id
              group by r.reaction
            ) given
          ), '[]')`
      }

      const savedBy = (viewer: Viewer, c: Fragment) =>
        viewer.role === "staff" ? sql`false` : sql`
          (
            select true from comment_saves kept
            where kept.club_id = ${c}.club_id and kept.student_id = ${viewer.student_id} and kept.comment_id = ${c}.id
            limit 1
          ) is true`

      const columnsOf = (viewer: Viewer, c: Fragment) =>
        sql`
          ${c}.id, ${c}.body, ${c}.hidden, ${c}.pinned, ${c}.answered, ${c}.pending, ${c}.spam, ${c}.parent_id,
          ${c}.created_at, ${c}.edited_at, ${c}.deleted_at is not null as deleted,
          ${authorOf(sql, c)} as author, ${isMine(sql, viewer, c)} as mine, ${reactionsOf(viewer, c)} as reactions,
          ${savedBy(viewer, c)} as saved, ${mentionsOf(sql, commentMentions, c)} as mentions,
          (
            select count(*) from comments below
            where below.club_id = ${c}.club_id and below.parent_id = ${c}.id
              and ${replyIsVisible(sql, viewer, sql`below`)}
          ) as replies_count,
          coalesce((
            select jsonb_agg(i.media_id order by i.position) from comment_images i
            where i.club_id = ${c}.club_id and i.comment_id = ${c}.id
          ), '[]') as media_ids`

      const repliesOf = (viewer: Viewer) =>
        sql`
          coalesce((
            select jsonb_agg(to_jsonb(said) order by said.id)
            from (
              select ${columnsOf(viewer, sql`reply`)} from comments reply
              where reply.club_id = c.club_id and reply.parent_id = c.id and ${replyIsVisible(sql, viewer, sql`reply`)}
              order by reply.id limit ${embeddedReplies}
            ) said
          ), '[]') as replies`

      /** `condition` is the part of the statement after `where`: it selects rows `c`, their order and their number. */
      const read = Effect.fnUntraced(function*(viewer: Viewer, condition: Fragment, direction: "asc" | "desc") {
        const rows = yield* sql`
          select to_jsonb(shown) as comment
          from (
            select ${columnsOf(viewer, sql`c`)}, ${repliesOf(viewer)} from comments c
            where c.club_id = ${viewer.club_id} and ${condition}
          ) shown
          order by shown.id ${sql.literal(direction)}`.pipe(decodeRows)
        return rows.map(({ comment }) => comment)
      })

      const imagesOf = (club_id: Viewer["club_id"], rows: ReadonlyArray<ReplyRow>) => {
        const ids = rows.flatMap(({ media_ids }) => media_ids)
        return ids.length === 0 ? Effect.succeed<Images>(new Map()) : attachments.shown(club_id, [...new Set(ids)])
      }

      const toComments = Effect.fnUntraced(function*(viewer: Viewer, rows: ReadonlyArray<CommentRow>) {
        const visible = rows.map((row) => ({
          row: visiblePart(row, viewer),
          replies: row.replies.map((reply) => visiblePart(reply, viewer))
        }))
        const images = yield* imagesOf(viewer.club_id, visible.flatMap(({ replies, row }) => [row, ...replies]))
        return visible.map(({ replies, row }) =>
          withImages(row, images, replies.map((reply) => withImages(reply, images, [])))
        )
      })

      const newest = Effect.fn("CommentReader.newest")(function*(
        viewer: Viewer,
        where: Fragment,
        { cursor, limit }: PageRequest
      ) {
        const before = yield* afterCursor(cursor)
        const older = Option.match(before, { onNone: () => sql`true`, onSome: (id) => sql`c.id < ${id}` })
        const condition = sql`${where} and ${older} order by c.id desc limit ${limit + 1}`
        const { data, next_cursor } = pageOf(yield* read(viewer, condition, "desc"), limit)
        return { data: yield* toComments(viewer, data), next_cursor }
      })

      const replies = Effect.fn("CommentReader.replies")(function*(
        viewer: Viewer,
        first: CommentId,
        { cursor, limit }: PageRequest
      ) {
        const after = yield* afterCursor(cursor)
        const younger = Option.match(after, { onNone: () => sql`true`, onSome: (id) => sql`c.id > ${id}` })
        const condition = sql`
            c.parent_id = ${first} and ${replyIsVisible(sql, viewer, sql`c`)} and ${younger}
            order by c.id limit ${limit + 1}`
        const { data, next_cursor } = pageOf(yield* read(viewer, condition, "asc"), limit)
        return { data: yield* toComments(viewer, data), next_cursor }
      })

      const some = Effect.fn("CommentReader.some")(function*(viewer: Viewer, ids: ReadonlyArray<CommentId>) {
        const found = yield* toComments(viewer, yield* read(viewer, sql`c.id = any (${uuids(ids)})`, "asc"))
        return new Map(found.map((comment) => [comment.id, comment]))
      })

      const one = Effect.fn("CommentReader.one")(function*(viewer: Viewer, id: CommentId) {
        const [comment] = yield* toComments(viewer, yield* read(viewer, sql`c.id = ${id}`, "asc"))
        return comment ?? (yield* new NotFound())
      })

      return CommentReader.of({ newest, replies, some, one })
    })
  )
}
