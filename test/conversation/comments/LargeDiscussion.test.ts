import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AssistantComments } from "../../../src/conversation/comments/AssistantComments.ts"
import { CommentState } from "../../../src/conversation/comments/CommentInput.ts"
import { commentsEraser } from "../../../src/conversation/comments/CommentsEraser.ts"
import { Discussions } from "../../../src/conversation/comments/Discussions.ts"
import { StaffComments } from "../../../src/conversation/comments/StaffComments.ts"
import { SpaceId } from "../../../src/conversation/community/Community.ts"
import { PostId } from "../../../src/conversation/community/Post.ts"
import { Posts } from "../../../src/conversation/community/Posts.ts"
import { AppLayer, at } from "../../harness/App.ts"
import { makeEnrollment, makeLiveLesson } from "../../harness/Makers.ts"
import { readingMuch } from "../../harness/RowsRead.ts"
import { vacuumed } from "../../harness/Vacuumed.ts"
import { openCommunity } from "../community/OpenCommunity.ts"

/** The number of comments on the post. The lesson has five times as many. */
const many = 8000

/** The most rows of a table that a page of 25 may read, including those that belong to its comments. */
const bound = 200

const makeLarge = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const club = yield* openCommunity
  const { delivery, lesson } = yield* makeLiveLesson(club)
  yield* makeEnrollment(club, club.ana, delivery)
  const post = PostId.make(String(at((yield* club.post(club, club.general, "Bem-vindos")).json, "data", "id")))
  const gone = String(at((yield* club.post(club, club.general, "Engano")).json, "data", "id"))
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`update posts set deleted_at = ${now} where id = ${gone}`
  // One comment in a hundred waits for the staff. Others are spam, deleted or reported. All of them mention a student.
  yield* sql`
    insert into comments (club_id, id, lesson_id, post_id, author, student_id, body, created_at, pending, spam, deleted_at)
    select ${club.id}::uuid, gen_random_uuid(), place.lesson_id, place.post_id, 'student', ${club.bia.id}::uuid, 'Um acorde',
      ${now}, n % 100 = 1, n % 300 = 2, case when n % 300 = 3 then ${now}::timestamptz end
    from (values (${lesson.id}::uuid, null::uuid, 5), (null, ${post}::uuid, 1)) place (lesson_id, post_id, times)
    cross join lateral generate_series(1, ${many}::int * times) n`
  yield* sql`
    insert into comment_mentions (club_id, comment_id, position, student_id)
    select club_id, id, 1, student_id from comments where club_id = ${club.id}`
  yield* sql`
    insert into comment_reports (club_id, comment_id, student_id, created_at)
    select club_id, id, ${club.ana.id}::uuid, ${now} from comments
    where club_id = ${club.id} and lesson_id is not null limit 50`
  // The newest comment of each place is a tombstone too, so the first page contains one.
  yield* sql`
    update comments set deleted_at = ${now} where (club_id, id) in (
      select distinct on (lesson_id, post_id) club_id, id from comments where club_id = ${club.id}
      order by lesson_id, post_id, id desc
    )`
  yield* sql`
    update comments set pinned = true where (club_id, id) in (
      select club_id, id from comments where club_id = ${club.id} and not pending and not spam and deleted_at is null
      order by id limit 20
    )`
  yield* vacuumed("comments", "comment_mentions", "comment_reports")
  return { club, lesson, post, now }
})

/** A lesson with 40 000 comments and a post with 8000. */
class Large extends Context.Service<Large, Effect.Success<typeof makeLarge>>()("test/LargeDiscussion") {
  static readonly layer = Layer.effect(Large, makeLarge).pipe(Layer.provideMerge(AppLayer))
}

layer(Large.layer)("In a large discussion", (it) => {
  it.effect("a page of comments reads its own rows, on a lesson and on a post, for students and the staff", () =>
    Effect.gen(function*() {
      const { club, lesson, now, post } = yield* Large
      const discussions = yield* Discussions
      const student = { role: "student", club_id: club.id, student_id: club.ana.id, now } as const
      const staff = { role: "staff", club_id: club.id, user_id: club.owner.id } as const
      const pages = [
        discussions.listOfLesson(student, lesson.public_id, { limit: 25 }),
        discussions.listOfLesson(student, lesson.public_id, { limit: 25, pinned: true }),
        discussions.listOfPost(student, post, { limit: 25 }),
        discussions.listOfPost(student, post, { limit: 25, pinned: true }),
        discussions.listOfPost(staff, post, { limit: 25 })
      ]
      const isPinned: Array<boolean> = []
      for (const page of pages) {
        const read = Effect.map(page, ({ data }) => void isPinned.push(data.every(({ pinned }) => pinned)))
        assert.deepStrictEqual(yield* readingMuch(read, bound), [])
      }
      assert.deepStrictEqual(isPinned, [false, true, false, true, false])
    }))

  it.effect("comments are counted by an index, without reading them", () =>
    Effect.gen(function*() {
      const { club, now, post } = yield* Large
      const sql = yield* SqlClient.SqlClient
      const posts = yield* Posts
      const viewers = [
        { role: "student", club_id: club.id, student_id: club.ana.id, now },
        { role: "staff", club_id: club.id, user_id: club.owner.id }
      ] as const
      const counts: Array<number> = []
      for (const viewer of viewers) {
        const read = Effect.map(posts.get(viewer, post), ({ comments_count }) => void counts.push(comments_count))
        // Reads only the few comments that are hidden.
        assert.deepStrictEqual(yield* readingMuch(read, many / 20), [])
      }
      const shown = yield* sql`
        select 1 from comments where post_id = ${post} and not pending and not spam and deleted_at is null`
      assert.deepStrictEqual(counts, [shown.length, many])
    }))

  it.effect("a page of posts with a deleted one does not look through what others are commented with", () =>
    Effect.gen(function*() {
      const { club, now, post } = yield* Large
      const posts = yield* Posts
      const viewers = [
        { role: "student", club_id: club.id, student_id: club.ana.id, now },
        { role: "staff", club_id: club.id, user_id: club.owner.id }
      ] as const
      for (const viewer of viewers) {
        const page = Effect.map(
          posts.list(viewer, SpaceId.make(club.general), { limit: 25, pinned: false }),
          ({ data }) => assert.deepStrictEqual(data.map(({ id }) => id), [post])
        )
        assert.deepStrictEqual(yield* readingMuch(page, many / 20), [])
      }
    }))

  it.effect("the staff's inbox reads no more than what is in a state", () =>
    Effect.gen(function*() {
      const { club, lesson, post } = yield* Large
      const inbox = yield* StaffComments
      const staff = { role: "staff", club_id: club.id, user_id: club.owner.id } as const
      for (const state of CommentState.literals) {
        for (const place of [{}, { lesson_id: lesson.id }, { post_id: post }]) {
          const list = inbox.list(staff, { limit: 25, state, ...place })
          assert.deepStrictEqual(yield* readingMuch(list, 10 * many / 100), [], `${state} ${JSON.stringify(place)}`)
        }
      }
    }))

  it.effect("a removal does not read what others wrote", () =>
    Effect.gen(function*() {
      const { club } = yield* Large
      const { erase } = yield* commentsEraser
      const { email, id: student_id } = club.ana
      assert.deepStrictEqual(yield* readingMuch(erase({ club_id: club.id, student_id, email }), bound), [])
    }))

  it.effect("the assistant's answers of some days are counted without those of before", () =>
    Effect.gen(function*() {
      const { club, now, post } = yield* Large
      const sql = yield* SqlClient.SqlClient
      const { countByDay } = yield* AssistantComments
      const today = new Date(now.getTime() + 86_400_000)
      yield* sql`
        insert into comments (club_id, id, post_id, parent_id, author, body, created_at)
        select club_id, gen_random_uuid(), post_id, id, 'assistant', 'Um acorde é…',
          case when row_number() over (order by id) <= 3 then ${today}::timestamptz else timestamptz 'epoch' end
        from comments where club_id = ${club.id} and post_id = ${post} and parent_id is null`
      yield* vacuumed("comments")
      const count = Effect.map(countByDay(club.id, [DateTime.fromDateUnsafe(today)]), (days) =>
        assert.deepStrictEqual([...days], [[1, 3]]))
      assert.deepStrictEqual(yield* readingMuch(count, bound), [])
    }))
})
