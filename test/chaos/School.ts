import { Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { SessionStore } from "../../src/auth/sessions/SessionStore.ts"
import type { Dice } from "../simulation/Dice.ts"
import {
  makeBlock,
  makeCatalogDelivery,
  makeCourse,
  makeEnrollment,
  makeItem,
  makeLesson,
  makeModule,
  makeStudent
} from "../support/Makers.ts"
import { ask } from "../support/Turma.ts"
import { at, foundClub } from "./Clubs.ts"
import type { Stand } from "./Stand.ts"
import type { Post } from "./Target.ts"

const learners = 12
const lessons = 8

/** A club with a course, students who have it, and an endpoint that is told what they complete. */
export const openSchool = Effect.fn("openSchool")(function*(stand: Stand, api: string) {
  const sql = yield* SqlClient.SqlClient
  const sessions = yield* SessionStore
  const club = yield* foundClub({ stand, api }, "school", [["lesson.completed", "course.completed"]])
  yield* sql`update agents set daily_limit = 1000 where club_id = ${club.id}`
  const course = yield* makeCourse(club)
  const module = yield* makeModule(club, course)
  const taught = yield* Effect.forEach(
    Array.from({ length: lessons }, (_, n) => n + 1),
    (position) => makeLesson(club, module, { position })
  )
  yield* Effect.forEach(taught, (lesson) => makeBlock(club, lesson))
  const delivery = yield* makeCatalogDelivery(club)
  yield* makeItem(club, delivery, { kind: "course", id: course.id })
  const students = yield* Effect.forEach(
    Array.from({ length: learners }),
    Effect.fnUntraced(function*() {
      const student = yield* makeStudent(club)
      yield* makeEnrollment(club, student, delivery)
      const { access_token } = yield* sessions.issue({ kind: "student", club_id: club.id, student_id: student.id })
      return { id: student.id, token: Redacted.value(access_token) }
    })
  )
  return { ...club, path: "/school/0", lessons: taught, students }
})
export type School = Effect.Success<ReturnType<typeof openSchool>>

const patience = "5 seconds"

interface Options {
  readonly api: string
  readonly school: School
  readonly dice: Dice
}

/** What students did and were told to be done. */
export interface Studied {
  /** A student and a lesson: what was asked for at least once, and what was answered with 200. */
  readonly tried: Set<string>
  readonly completed: Set<string>
  /** Words of comments that were answered with 201; each was sent until it was, under one key. */
  readonly said: Set<string>
  /** Ids of answers that were promised with 202, and how often a key was tried. */
  readonly asked: Set<string>
}

/** Students complete, comment and ask for as long as it runs. What is not confirmed is sent again. */
export const study = ({ api, dice, school }: Options) => {
  const studied: Studied = { tried: new Set(), completed: new Set(), said: new Set(), asked: new Set() }
  const counts = { studyUnconfirmed: 0 }
  let keys = 0

  const call = (method: string, path: string, token: string, body?: object, key?: string) =>
    ask(`${api}${school.base}/classroom/lessons/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { "idempotency-key": key })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }).pipe(Effect.timeout(patience), Effect.catchCause(() => Effect.succeed(undefined)))

  /** Again and again, as whoever does not know whether it was done. */
  const untilDone = Effect.fnUntraced(function*(request: ReturnType<typeof call>, status: number) {
    let answer = yield* request
    while (answer?.status !== status) {
      counts.studyUnconfirmed += 1
      yield* Effect.sleep("300 millis")
      answer = yield* request
    }
    return answer
  })

  const complete = Effect.gen(function*() {
    const [student, lesson] = [dice.pick(school.students), dice.pick(school.lessons)]
    if (student === undefined || lesson === undefined) return
    const path = `${lesson.public_id}/completion`
    if (dice.chance(0.2)) return yield* call("DELETE", path, student.token)
    const key = `${student.id} ${lesson.id}`
    studied.tried.add(key)
    const times = Array.from({ length: dice.between(1, 2) }, () => untilDone(call("PUT", path, student.token), 200))
    yield* Effect.all(times, { concurrency: "unbounded" })
    studied.completed.add(key)
  })

  const write = Effect.fnUntraced(function*(what: "comments" | "ask", status: number) {
    const [student, lesson] = [dice.pick(school.students), dice.pick(school.lessons)]
    if (student === undefined || lesson === undefined) return
    const key = `${what}-${keys++}`
    const body = what === "ask" ? { content: "Onde fica o primeiro dedo?" } : { body: key }
    const answer = yield* untilDone(call("POST", `${lesson.public_id}/${what}`, student.token, body, key), status)
    if (what === "ask") studied.asked.add(String(at(answer.json, "data", "reply", "id")))
    else studied.said.add(key)
  })

  const again = <A, E, R>(what: Effect.Effect<A, E, R>, pause: number) =>
    what.pipe(Effect.andThen(Effect.suspend(() => Effect.sleep(dice.between(0, 2 * pause)))), Effect.forever)

  return {
    studied,
    counts,
    run: Effect.all([
      again(complete, 80),
      again(complete, 80),
      again(Effect.suspend(() => write("comments", 201)), 200),
      again(Effect.suspend(() => write("ask", 202)), 200)
    ], { concurrency: "unbounded", discard: true })
  }
}

const Completed = Schema.Struct({ student_id: Schema.String, about: Schema.String, kind: Schema.String, paid: Schema.Int })
const Said = Schema.Struct({ body: Schema.String, count: Schema.Int })
const Answer = Schema.Struct({ id: Schema.String, status: Schema.String })
const Units = Schema.Struct({ student_id: Schema.String, used: Schema.Int, kept: Schema.Int })

const rowsOf = <S extends Schema.Top>(schema: S) => Schema.decodeUnknownEffect(Schema.Array(schema))

/** What the database says of the school in the end. */
export const readSchool = Effect.fn("readSchool")(function*({ id }: School) {
  const sql = yield* SqlClient.SqlClient
  const paid = (action: string, about: string) =>
    sql`(
      select count(*)::int from point_entries p where p.club_id = c.club_id and p.student_id = c.student_id
        and p.action = ${action} and p.origin_id = ${sql.literal(about)}
    )`
  return {
    completed: yield* sql`
      select student_id, lesson_id as about, 'lesson.completed' as kind, ${paid("lesson_completed", "c.lesson_id")} as paid
      from lesson_completions c where club_id = ${id}
      union all
      select student_id, course_id, 'course.completed', ${paid("course_completed", "c.course_id")}
      from course_completions c where club_id = ${id}`.pipe(Effect.flatMap(rowsOf(Completed))),
    said: yield* sql`
      select body, count(*)::int as count from comments where club_id = ${id} group by body`.pipe(
      Effect.flatMap(rowsOf(Said))
    ),
    answers: yield* sql`
      select id, status from messages where club_id = ${id} and role = 'assistant'`.pipe(Effect.flatMap(rowsOf(Answer))),
    units: yield* sql`
      select d.student_id, sum(d.used)::int as used, (
        select count(*)::int from messages m where m.club_id = d.club_id and m.student_id = d.student_id
          and m.role = 'assistant' and (m.status = 'completed' or m.content <> '')
      ) as kept
      from assistant_days d where d.club_id = ${id} group by d.club_id, d.student_id`.pipe(Effect.flatMap(rowsOf(Units)))
  }
}, Effect.orDie)

/** How often receivers were told of each completion: what was received more than once counts once. */
const toldOf = (posts: ReadonlyArray<Post>, path: string) => {
  const events = new Map(
    posts.filter((post) => post.path === path && post.status === 200).map((post) => [post.event, post])
  )
  return Map.groupBy(events.values(), ({ body }) => {
    const { data, type } = Object(JSON.parse(body))
    const about = type === "lesson.completed" ? at(data, "lesson", "id") : at(data, "course", "id")
    return `${type} ${String(at(data, "student", "id"))} ${String(about)}`
  })
}

/** What is wrong with the books of the school. */
export const inspect = (
  school: School,
  { asked, completed, said, tried }: Studied,
  books: Effect.Success<ReturnType<typeof readSchool>>,
  posts: ReadonlyArray<Post>
) => {
  const told = toldOf(posts, school.path)
  const rows = new Set(books.completed.map(({ about, student_id }) => `${student_id} ${about}`))
  const words = new Map(books.said.map(({ body, count }) => [body, count]))
  const answers = new Map(books.answers.map(({ id, status }) => [id, status]))
  const keys = new Set(books.completed.map(({ about, kind, student_id }) => `${kind} ${student_id} ${about}`))
  return {
    miscompleted: [
      ...[...completed].filter((key) => !rows.has(key)).map((key) => `${key} is not completed`),
      ...books.completed.filter(({ about, kind, student_id }) =>
        kind === "lesson.completed" && !tried.has(`${student_id} ${about}`)
      ).map(({ about }) => `${about} was completed by nobody`),
      ...books.completed.flatMap(({ about, kind, paid, student_id }) => {
        const heard = told.get(`${kind} ${student_id} ${about}`)?.length ?? 0
        return paid === 1 && heard === 1 ? [] : [`${kind} ${about}: told ${heard} times, paid ${paid} times`]
      }),
      ...[...told.keys()].filter((key) => !keys.has(key)).map((key) => `${key} did not happen`)
    ],
    missaid: [
      ...[...said].filter((body) => words.get(body) !== 1),
      ...[...words].filter(([, count]) => count > 1).map(([body]) => body)
    ],
    misanswered: [
      ...[...asked].filter((id) => !answers.has(id)).map((id) => `${id} is gone`),
      ...books.answers.filter(({ status }) => status === "generating").map(({ id }) => `${id} does not end`),
      ...books.units.filter(({ kept, used }) => kept !== used).map(({ kept, used }) => `${used} units for ${kept} answers`)
    ]
  }
}
