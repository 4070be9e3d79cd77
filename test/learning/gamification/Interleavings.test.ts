import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { StaffWriter, StudentViewer } from "../../../src/conversation/authors/Viewer.ts"
import type { CommentId } from "../../../src/conversation/comments/Comment.ts"
import { Discussions } from "../../../src/conversation/comments/Discussions.ts"
import { StaffComments } from "../../../src/conversation/comments/StaffComments.ts"
import { StudentComments } from "../../../src/conversation/comments/StudentComments.ts"
import { SpaceId } from "../../../src/conversation/community/Community.ts"
import { Posts } from "../../../src/conversation/community/Posts.ts"
import { Completions } from "../../../src/learning/classroom/Completions.ts"
import { Points } from "../../../src/learning/gamification/Points.ts"
import { AppLayer, foundClub } from "../../harness/App.ts"
import { makeEnrollment, makeStudent } from "../../harness/Makers.ts"
import { makeTaughtCourse } from "../classroom/OpenClassroom.ts"
import { rankingPage } from "./Classroom.ts"

const unbounded = { concurrency: "unbounded", discard: true } as const

const Step = Schema.Struct({
  who: Schema.Literals([0, 1]),
  does: Schema.Literals(["complete", "undo", "comment", "comment", "comment", "wait", "let stand", "delete", "post"]),
  lesson: Schema.Literals([0, 1, 2])
})
type Step = typeof Step.Type

/** The actions of one student, from which the rules of a new club give the expected points. */
interface Doings {
  readonly lessons: Set<string>
  finished: boolean
  readonly said: Array<CommentId>
  readonly waiting: Array<CommentId>
  /** Today's comments and posts, each counted once. */
  readonly published: Set<string>
  readonly posted: Set<string>
  /** Points for comments and posts of earlier days. */
  paid: number
}

const dailyCap = 5
const todays = ({ posted, published }: Doings) =>
  5 * Math.min(dailyCap, published.size) + 5 * Math.min(dailyCap, posted.size)
const due = (doings: Doings) => 10 * doings.lessons.size + (doings.finished ? 100 : 0) + doings.paid + todays(doings)

const openWorld = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const club = yield* foundClub({ locale: "en" })
  yield* sql`update communities set published_at = created_at where club_id = ${club.id}`
  const [space] = yield* sql`select id from spaces where club_id = ${club.id} and posting = 'members'`
  const { delivery, lessons } = yield* makeTaughtCourse(club, 3)
  const students = yield* Effect.replicateEffect(makeStudent(club), 2)
  for (const student of students) yield* makeEnrollment(club, student, delivery)
  const people = students.map(({ id, name }) => {
    const doings: Doings = {
      lessons: new Set(),
      finished: false,
      said: [],
      waiting: [],
      published: new Set(),
      posted: new Set(),
      paid: 0
    }
    return { id, name, doings }
  })
  const staff: StaffWriter = { role: "staff", club_id: club.id, user_id: club.owner.id }
  return { club, lessons, people, staff, space: SpaceId.make(String(space?.["id"])) }
})
type World = Effect.Success<typeof openWorld>

const links = "http://a.example http://b.example http://c.example http://d.example"
const said = (body: string) => ({ body, mentions: [], media_ids: [] })

/** Runs one action of a student, or of the staff for that student. */
const takeIn = Effect.fnUntraced(function*({ club, lessons, people, space, staff }: World) {
  const completions = yield* Completions
  const discussions = yield* Discussions
  const own = yield* StudentComments
  const moderation = yield* StaffComments
  const posts = yield* Posts
  return Effect.fnUntraced(function*({ does, lesson, who }: Step) {
    const [person, place] = [people[who], lessons[lesson]]
    if (person === undefined || place === undefined) return assert.fail("Nobody there")
    const { doings, id } = person
    const viewer: StudentViewer = {
      role: "student",
      club_id: club.id,
      student_id: id,
      now: DateTime.toDateUtc(yield* DateTime.now)
    }
    switch (does) {
      case "complete": {
        const { course, lesson } = yield* completions.complete(club.id, id, place.public_id)
        doings.lessons.add(lesson.id)
        doings.finished ||= course.progress.completed_at !== null
        return
      }
      case "undo":
        return yield* completions.undo(club.id, id, place.public_id)
      case "comment": {
        const comment = yield* discussions.addToLesson(viewer, place.public_id, said("Como assim?"))
        doings.published.add(comment.id)
        doings.said.push(comment.id)
        return
      }
      case "wait":
        doings.waiting.push((yield* discussions.addToLesson(viewer, place.public_id, said(links))).id)
        return
      case "let stand": {
        const [waiting] = doings.waiting
        if (waiting === undefined) return
        yield* moderation.patch(staff, waiting, { pending: false })
        doings.published.add(waiting)
        return
      }
      case "delete": {
        const comment = doings.said.shift()
        return comment === undefined ? undefined : yield* own.remove(viewer, comment)
      }
      case "post":
        doings.posted.add((yield* posts.create(viewer, space, { title: null, body: "Bom dia" })).id)
    }
  })
})

const endDay = ({ people }: World) => {
  for (const { doings } of people) {
    doings.paid += todays(doings)
    doings.waiting.splice(0, doings.waiting.length, ...doings.waiting.filter((id) => !doings.published.has(id)))
    doings.published.clear()
    doings.posted.clear()
  }
}

/** Checks that each student has exactly the points of the rules, and the level and the rank for them. */
const check = Effect.fnUntraced(function*({ club, people }: World) {
  const sql = yield* SqlClient.SqlClient
  const points = yield* Points
  const steps = [0, 100, 300, 700, 1500]
  for (const { doings, id } of people) {
    const standing = yield* points.standing(club.id, id)
    assert.strictEqual(standing.points, due(doings))
    assert.strictEqual(standing.level.min_points, steps.findLast((from) => from <= due(doings)))
    const twice = yield* sql`
      select action, origin_id from point_entries where student_id = ${id} group by 1, 2 having count(*) > 1`
    assert.isEmpty(twice)
  }
  const ranked = people.filter(({ doings }) => due(doings) > 0).map(({ doings, id }) => [id, due(doings)] as const)
    .toSorted(([one, less], [other, more]) => more - less || (one < other ? 1 : -1))
  for (const period of ["7d", "30d", "all"] as const) {
    const { data } = yield* rankingPage({ id: club.id, time_zone: "UTC" }, { period, limit: 25 })
    assert.deepStrictEqual<unknown>(data.map(({ points, student }) => [student.id, points]), ranked)
  }
})

layer(AppLayer)("Whatever students complete, undo, say and delete at once,", (it) => {
  it.effect.prop(
    "they are paid what the rules allow and no more, are at the ladder's level, and are ranked by it",
    { days: Schema.Array(Schema.Array(Step).check(Schema.isBetweenLength(4, 24))).check(Schema.isBetweenLength(1, 3)) },
    Effect.fnUntraced(function*({ days }) {
      const world = yield* openWorld
      const take = yield* takeIn(world)
      for (const steps of days) {
        yield* Effect.forEach(steps, take, unbounded)
        yield* check(world)
        endDay(world)
        yield* TestClock.adjust("24 hours")
      }
    }),
    { arbitrary: { runs: 25 } }
  )
})
