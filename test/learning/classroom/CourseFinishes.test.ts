import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { StudentLocks } from "../../../src/identity/students/StudentLocks.ts"
import { CourseFinishes } from "../../../src/learning/classroom/CourseFinishes.ts"
import { AppLayer, at, enrolledStudent, listAt, send } from "../../harness/App.ts"
import { makeEnrollment, makeStudent } from "../../harness/Makers.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { complete, endAccess, paidTo, recordedEvents } from "./OpenClassroom.ts"
import { ask, openCourse } from "./OpenCourse.ts"

const TestLayer = Layer.merge(CourseFinishes.layer, StudentLocks.layer).pipe(Layer.provideMerge(AppLayer))

type OpenedClassroom = Effect.Success<ReturnType<typeof openCourse>>

/** Works as a worker does until no course is due. */
const work = Effect.flatMap(CourseFinishes, ({ tick }) => Effect.repeat(tick, { until: (courses) => courses === 0 }))

const unpublish = ({ club, lessons }: OpenedClassroom, n: number, published_at: string | null = null) =>
  send("PUT", `${club.path}/lessons/${lessons[n]?.id}/publication`, { token: club.token, body: { published_at } })

const remove = ({ club }: OpenedClassroom, path: string) => send("DELETE", `${club.path}${path}`, { token: club.token })

const typesTold = ({ club }: OpenedClassroom) => Effect.map(recordedEvents(club), (told) => told.map(([type]) => type))

/** When the student finished the course, as the classroom shows it. */
const finishedAt = (room: OpenedClassroom) =>
  Effect.map(ask(room, "GET"), ({ json }) => listAt(json, "data").map((one) => at(one, "progress", "completed_at")))

layer(TestLayer)("A course that loses the lesson that a student lacked", (it) => {
  it.effect("is finished with the moment of that, told once and paid once", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(3)
      yield* complete(room, 0)
      yield* complete(room, 2)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* unpublish(room, 1)).status, 200)
      yield* TestClock.adjust("5 seconds")
      yield* Effect.all([work, work, work], { concurrency: "unbounded" })
      const told = yield* recordedEvents(room.club)
      assert.deepStrictEqual<unknown>(told.filter(([type]) => type === "course.completed"), [[
        "course.completed",
        room.course.id
      ]])
      const sql = yield* SqlClient.SqlClient
      const events = yield* sql`
        select occurred_at, subject ->> 'completed_at' as completed_at from event_outbox
        where club_id = ${room.club.id} and type = 'course.completed'`
      const moment = "1970-01-01T01:00:00.000Z"
      assert.deepStrictEqual(events, [{ occurred_at: new Date(moment), completed_at: moment }])
      assert.deepStrictEqual(yield* finishedAt(room), [moment])
      const paid = (yield* paidTo(room.club, room.student)).filter(([action]) => action === "course_completed")
      assert.deepStrictEqual<unknown>(paid, [["course_completed", room.course.id, 100]])
      yield* unpublish(room, 2)
      yield* work
      assert.lengthOf((yield* typesTold(room)).filter((type) => type === "course.completed"), 1)
    }))

  it.effect.each([
    ["by its deletion", (room: OpenedClassroom) => remove(room, `/lessons/${room.lessons[2]?.id}`)],
    ["by its module's", (room: OpenedClassroom) => remove(room, `/modules/${room.modules[1]?.id}`)],
    ["by being put off", (room: OpenedClassroom) => unpublish(room, 2, "1970-02-01T00:00:00.000Z")]
  ] as const)("%s", ([, lose]) =>
    Effect.gen(function*() {
      const room = yield* openCourse(3)
      yield* complete(room, 0)
      yield* complete(room, 1)
      assert.notInclude(yield* typesTold(room), "course.completed")
      yield* lose(room)
      yield* work
      assert.include(yield* typesTold(room), "course.completed")
    }))

  it.effect("is finished by nobody who lacks another, has no access any more or was removed", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(3)
      const others = yield* Effect.forEach(
        ["lacks", "lapsed", "removed", "undid"],
        () => Effect.tap(enrolledStudent(room.club), (student) => makeEnrollment(room.club, student, room.delivery))
      )
      const [lacks, lapsed, removed, undid] = others.map((student) => ({ ...room, student }))
      if (lacks === undefined || lapsed === undefined || removed === undefined || undid === undefined) {
        return assert.fail()
      }
      yield* complete(lacks, 0)
      for (const one of [lapsed, removed, undid]) yield* Effect.andThen(complete(one, 0), complete(one, 1))
      yield* endAccess(room.club, lapsed.student)
      yield* remove(room, `/students/${removed.student.id}`)
      yield* send(
        "DELETE",
        `${room.club.path}/classroom/lessons/${room.lessons[0]?.public_id}/completion`,
        undid.student
      )
      yield* unpublish(room, 2)
      yield* work
      assert.notInclude(yield* typesTold(room), "course.completed")
    }))

  it.effect("is finished once, where the student completes another once more meanwhile", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(2)
      yield* complete(room, 0)
      yield* unpublish(room, 1)
      const { tick } = yield* CourseFinishes
      const completing = yield* whileHeld(
        tick,
        Effect.tap(Effect.forkChild(complete(room, 0)), () => untilBlocked())
      )
      const { course, points_awarded } = yield* Fiber.join(completing)
      assert.strictEqual(points_awarded, 0)
      assert.isNotNull(course.progress.completed_at)
      assert.sameMembers(yield* typesTold(room), ["lesson.completed", "course.completed"])
      const sql = yield* SqlClient.SqlClient
      const versions = yield* sql`select version from completion_versions where club_id = ${room.club.id}`
      assert.deepStrictEqual(versions, [{ version: 2 }])
    }))

  it.effect("is finished by whom it made wait, and whom a completion that was under way had left with that lesson", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { lock } = yield* StudentLocks
      const lockStudent = ({ club, student }: OpenedClassroom) => Effect.orDie(lock(club.id, student.id))
      // While another transaction holds one of these locks, a completion has read the course but not written.
      const lockVersion = ({ club }: OpenedClassroom) =>
        Effect.asVoid(Effect.orDie(sql`select from completion_versions where club_id = ${club.id} for update`))
      for (const hold of [lockStudent, lockVersion]) {
        const room = yield* openCourse(3)
        yield* complete(room, 0)
        const completing = yield* whileHeld(
          hold(room),
          Effect.gen(function*() {
            const completing = yield* Effect.forkChild(complete(room, 1))
            yield* untilBlocked()
            yield* unpublish(room, 2)
            yield* work
            return completing
          })
        )
        yield* Fiber.join(completing)
        yield* TestClock.adjust("1 minute")
        yield* work
        assert.sameMembers(yield* typesTold(room), ["lesson.completed", "lesson.completed", "course.completed"])
      }
    }))

  it.effect("is finished by nobody where no lesson is left, or it was a draft", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(2)
      yield* complete(room, 0)
      yield* unpublish(room, 0)
      yield* unpublish(room, 1)
      yield* work
      assert.notInclude(yield* typesTold(room), "course.completed")
      const sql = yield* SqlClient.SqlClient
      yield* unpublish(room, 1)
      yield* remove(room, `/lessons/${room.lessons[0]?.id}`)
      yield* TestClock.adjust("1 minute")
      yield* work
      assert.deepStrictEqual(yield* sql`select 1 from course_losses where club_id = ${room.club.id}`, [])
    }))
})

layer(TestLayer)("A student who cannot be settled", (it) => {
  it.effect("holds up no other of the course, on no page, and is looked at again, later each time", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(2)
      const sql = yield* SqlClient.SqlClient
      const many = yield* Effect.forEach(
        Array.from({ length: 120 }),
        () => Effect.tap(makeStudent(room.club), (student) => makeEnrollment(room.club, student, room.delivery))
      )
      yield* sql`
        insert into lesson_completions (club_id, student_id, lesson_id, first_completed_at, completed_at)
        select club_id, id, ${room.lessons[0]?.id ?? null}::uuid, ${new Date(0)}, ${new Date(0)} from students
        where club_id = ${room.club.id} and ${sql.in("id", many.map(({ id }) => id))}`
      const poisoned = many[0]?.id ?? assert.fail("No student")
      yield* sql`
        create function poison() returns trigger language plpgsql as $$ begin raise exception 'poisoned'; end $$`
      yield* sql`
        create trigger poison before insert on course_completions for each row
        when (new.student_id = ${sql.literal(`'${poisoned}'`)}) execute function poison()`
      const finished = Effect.map(
        sql`select student_id from course_completions where club_id = ${room.club.id}`,
        (rows) => rows.map(({ student_id }) => student_id)
      )
      yield* unpublish(room, 1)
      yield* work
      assert.sameMembers(yield* finished, many.slice(1).map(({ id }) => id))
      const { tick } = yield* CourseFinishes
      for (const minutes of [1, 2, 4]) {
        yield* TestClock.adjust(`${minutes * 60_000 - 1} millis`)
        assert.strictEqual(yield* tick, 0)
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(yield* tick, 1)
        yield* work
      }
      yield* sql`drop trigger poison on course_completions`
      yield* TestClock.adjust("8 minutes")
      yield* work
      assert.include(yield* finished, poisoned)
      assert.lengthOf((yield* typesTold(room)).filter((type) => type === "course.completed"), 120)
      assert.deepStrictEqual(yield* sql`select 1 from course_losses where club_id = ${room.club.id}`, [])
    }))
})

layer(TestLayer)("A course of many students that loses a lesson", (it) => {
  it.effect("is finished by each of them, a hundred at a time, whatever was cut off between", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(2)
      const sql = yield* SqlClient.SqlClient
      const many = yield* Effect.forEach(
        Array.from({ length: 230 }),
        () => Effect.tap(makeStudent(room.club), (student) => makeEnrollment(room.club, student, room.delivery))
      )
      const first = room.lessons[0]?.id
      yield* sql`
        insert into lesson_completions (club_id, student_id, lesson_id, first_completed_at, completed_at)
        select club_id, id, ${first}::uuid, ${new Date(0)}, ${new Date(0)} from students
        where club_id = ${room.club.id} and id = any(${
        sql.literal(`'{${many.map(({ id }) => id).join(",")}}'::uuid[]`)
      })`
      yield* unpublish(room, 1)
      const { tick } = yield* CourseFinishes
      const finished = Effect.map(
        sql`select student_id from course_completions where club_id = ${room.club.id}`,
        (rows) => rows.length
      )
      yield* tick
      assert.strictEqual(yield* finished, 100)
      // A process dies during its batch. Its results stay, and another process repeats the batch after the lease.
      yield* sql`update course_losses set after_student_id = null where club_id = ${room.club.id}`
      yield* Effect.flatMap(CourseFinishes, ({ tick }) => Effect.raceFirst(tick, Effect.yieldNow))
      yield* TestClock.adjust("1 minute")
      yield* work
      assert.strictEqual(yield* finished, 230)
      const told = (yield* typesTold(room)).filter((type) => type === "course.completed")
      assert.lengthOf(told, 230)
      yield* TestClock.adjust("1 minute")
      yield* work
      assert.deepStrictEqual(yield* sql`select 1 from course_losses where club_id = ${room.club.id}`, [])
    }))
})
