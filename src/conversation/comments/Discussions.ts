import { Context, Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { StudentRows } from "../../identity/students/StudentRows.ts"
import { LessonPlaces } from "../../learning/content/LessonPlaces.ts"
import { Awards } from "../../learning/gamification/Awards.ts"
import { Attachments, type MediaUnknown } from "../../learning/media/Attachments.ts"
import type { MediaId } from "../../learning/media/Media.ts"
import { answersAbout } from "../../platform/http/AnswerSubject.ts"
import { NotFound } from "../../platform/http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../../platform/http/Page.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import type { PostId } from "../community/Post.ts"
import { Posts } from "../community/Posts.ts"
import type { Comment, CommentId } from "./Comment.ts"
import { type CreateComment, type CreateReply, type MentionUnknown, ParentUnknown } from "./CommentInput.ts"
import { type CommentPlace, CommentWriting, type Signature } from "./CommentWriting.ts"
import { type FoundComment, FoundComments } from "./FoundComments.ts"
import { hasManyLinks } from "./Pending.ts"
import { showsFirst } from "./SeenComments.ts"
import { ShownComments } from "./ShownComments.ts"
import type { StaffWriter, StudentViewer, Viewer, Writer } from "./Viewer.ts"

/** Why a comment is not written. */
export type Unwritten = MediaUnknown | MentionUnknown | NotFound | StudentRemoved

const signatureOf = (writer: Writer): Signature =>
  writer.onlooker === "student"
    ? { author: "student", student_id: writer.student_id }
    : { author: "staff", user_id: writer.user_id }

/** What is said on lessons and posts, by threads. `NotFound`: there is no such place, or this person does not see it. */
export class Discussions extends Context.Service<Discussions, {
  /** The first comments, the newest first. */
  listOfLesson(
    viewer: StudentViewer,
    public_id: string,
    page: PageRequest
  ): Effect.Effect<PageAnswer<Comment>, InvalidCursor | NotFound>
  listOfPost(
    viewer: Viewer,
    post_id: PostId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<Comment>, InvalidCursor | NotFound>
  /** The replies to a first comment, the oldest first; a reply has none. */
  replies(
    viewer: Viewer,
    id: CommentId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<Comment>, InvalidCursor | NotFound>
  /** Pays `comment_posted`, unless it waits for the staff. */
  addToLesson(
    writer: StudentViewer,
    public_id: string,
    comment: CreateComment
  ): Effect.Effect<Comment, ParentUnknown | Unwritten>
  addToPost(
    writer: Writer,
    post_id: PostId,
    comment: CreateComment
  ): Effect.Effect<Comment, ParentUnknown | Unwritten>
  /** Answers a comment that the writer sees: it and its thread are `answered`. */
  answer(writer: StaffWriter, asked: FoundComment, reply: CreateReply): Effect.Effect<Comment, Unwritten>
}>()("turma/comments/Discussions") {
  static readonly layer = Layer.effect(
    Discussions,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const attachments = yield* Attachments
      const awards = yield* Awards
      const comments = yield* ShownComments
      const found = yield* FoundComments
      const lessons = yield* LessonPlaces
      const posts = yield* Posts
      const students = yield* StudentRows
      const writing = yield* CommentWriting

      const listOfLesson = Effect.fn("Discussions.listOfLesson")(
        function*(viewer: StudentViewer, public_id: string, page: PageRequest) {
          const { lesson_id } = yield* lessons.find(viewer.club_id, viewer.student_id, public_id)
          const where = sql`c.lesson_id = ${lesson_id} and c.parent_id is null and ${showsFirst(sql, viewer, sql`c`)}`
          return yield* comments.newest(viewer, where, page)
        }
      )

      const listOfPost = Effect.fn("Discussions.listOfPost")(
        function*(viewer: Viewer, post_id: PostId, page: PageRequest) {
          yield* posts.isTombstone(viewer, post_id)
          const where = sql`c.post_id = ${post_id} and c.parent_id is null and ${showsFirst(sql, viewer, sql`c`)}`
          return yield* comments.newest(viewer, where, page)
        }
      )

      const replies = Effect.fn("Discussions.replies")(function*(viewer: Viewer, id: CommentId, page: PageRequest) {
        yield* found.find(viewer, id)
        return yield* comments.replies(viewer, id, page)
      })

      const parentOf = Effect.fnUntraced(function*(
        viewer: Viewer,
        place: CommentPlace,
        { parent_id }: CreateComment
      ) {
        if (parent_id === undefined || parent_id === null) return null
        const parent = yield* found.findLiving(viewer, parent_id)
        const isHere = parent.place.lesson_id === place.lesson_id && parent.place.post_id === place.post_id
        return isHere ? parent : yield* new NotFound()
      }, Effect.catchTag("NotFound", () => Effect.fail(new ParentUnknown())))

      const markAnswered = ({ club_id }: Viewer, asked: FoundComment) =>
        sql`
          update comments set answered = true
          where club_id = ${club_id} and id = any(${uuids([asked.id, asked.first?.id ?? asked.id])}) and not answered`

      /** Whoever writes is held, or whom they answer. */
      const hold = (writer: Writer, asked: FoundComment | null) => {
        if (writer.onlooker === "student") return students.hold(writer.club_id, writer.student_id)
        return asked === null || asked.student_id === null
          ? Effect.void
          : students.hold(writer.club_id, asked.student_id)
      }

      // In the transaction that attaches them.
      const checkImages = (writer: Writer, ids: ReadonlyArray<MediaId>) =>
        ids.length === 0
          ? Effect.void
          : attachments.check(writer.club_id, {
            ...(writer.onlooker === "student"
              ? { student_id: writer.student_id, purpose: "comment" }
              : { student_id: null, purpose: "library" }),
            ids,
            images: true
          })

      const write = Effect.fnUntraced(
        function*(
          writer: Writer,
          place: CommentPlace,
          asked: FoundComment | null,
          { body, media_ids, mentions }: CreateReply
        ) {
          const { club_id } = writer
          yield* hold(writer, asked)
          yield* checkImages(writer, media_ids)
          const pending = writer.onlooker === "student" && hasManyLinks(body)
          const parent_id = asked === null ? null : asked.first?.id ?? asked.id
          const comment = {
            club_id,
            place,
            parent_id,
            signature: signatureOf(writer),
            body,
            pending,
            mentions,
            media_ids
          }
          const id = yield* writing.insert(comment)
          if (writer.onlooker === "staff" && asked !== null) yield* markAnswered(writer, asked)
          if (writer.onlooker === "student" && place.lesson_id !== null && !pending) {
            yield* awards.award(club_id, writer.student_id, { action: "comment_posted", origin_id: id })
          }
          return id
        },
        sql.withTransaction,
        Effect.catchIf(SqlError.isSqlError, Effect.die)
      )

      const say = Effect.fnUntraced(function*(
        writer: Writer,
        place: CommentPlace,
        asked: FoundComment | null,
        said: CreateReply
      ) {
        const id = yield* write(writer, place, asked, said)
        if (writer.onlooker === "student") yield* answersAbout(writer.student_id)
        const comment = yield* comments.one(writer, id)
        yield* answersAbout(...comment.mentions.filter(({ role }) => role === "student").map(({ id }) => id))
        return comment
      })

      const addToLesson = Effect.fn("Discussions.addToLesson")(
        function*(writer: StudentViewer, public_id: string, comment: CreateComment) {
          const { lesson_id } = yield* lessons.find(writer.club_id, writer.student_id, public_id)
          const place: CommentPlace = { lesson_id, post_id: null }
          return yield* say(writer, place, yield* parentOf(writer, place, comment), comment)
        }
      )

      const addToPost = Effect.fn("Discussions.addToPost")(
        function*(writer: Writer, post_id: PostId, comment: CreateComment) {
          if (yield* posts.isTombstone(writer, post_id)) return yield* new NotFound()
          const place: CommentPlace = { lesson_id: null, post_id }
          return yield* say(writer, place, yield* parentOf(writer, place, comment), comment)
        }
      )

      const answer = Effect.fn("Discussions.answer")((writer: StaffWriter, asked: FoundComment, reply: CreateReply) =>
        say(writer, asked.place, asked, reply)
      )

      return Discussions.of({ listOfLesson, listOfPost, replies, addToLesson, addToPost, answer })
    })
  )
}
