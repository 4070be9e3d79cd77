import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { SessionStore } from "../../src/identity/sessions/SessionStore.ts"
import {
  makeBlock,
  makeCatalogDelivery,
  makeCourse,
  makeEnrollment,
  makeItem,
  makeLesson,
  makeModule,
  makeStudent
} from "../harness/Makers.ts"
import { ask } from "../harness/Turma.ts"
import { png } from "../learning/media/Files.ts"
import type { Dice } from "../simulation/Dice.ts"
import { at, foundClub } from "./Clubs.ts"
import { again } from "./Pace.ts"
import type { Stand } from "./Stand.ts"

const learners = 12
const lessons = 8

/** A picture large enough that sending it takes some time. */
const picture = Buffer.concat([png, Buffer.alloc(500_000, "a")])

/** A club with a course, its students, and an endpoint that gets their completions. */
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
  return { ...club, path: "/school/0", files: `${stand.env.DATA_DIR}/files/kept`, lessons: taught, students }
})
export type School = Effect.Success<ReturnType<typeof openSchool>>

const patience = "5 seconds"

interface Options {
  readonly api: string
  readonly school: School
  readonly dice: Dice
}

/** The requests of students, and the confirmed ones. */
export interface Studied {
  /** Keys of a student and a lesson: completions requested at least once, and completions answered with 200. */
  readonly tried: Set<string>
  readonly completed: Set<string>
  /** Words of comments answered with 201. Each was sent again under one key until then. */
  readonly said: Set<string>
  /** Ids of answers that a 202 promised. */
  readonly asked: Set<string>
  /** Ids of uploads with a completion answered by 200. */
  readonly uploaded: Set<string>
}

/** Students complete, comment and ask for as long as it runs. Requests without confirmation are sent again. */
export const study = ({ api, dice, school }: Options) => {
  const studied: Studied = {
    tried: new Set(),
    completed: new Set(),
    said: new Set(),
    asked: new Set(),
    uploaded: new Set()
  }
  const counts = { studyUnconfirmed: 0 }
  let keys = 0

  const perhaps = (request: ReturnType<typeof ask>) =>
    request.pipe(Effect.timeout(patience), Effect.catchCause(() => Effect.succeed(undefined)))

  const call = (method: string, path: string, token: string, body?: object, key?: string) =>
    perhaps(ask(`${api}${school.base}/classroom/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { "idempotency-key": key })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }))

  /** Repeats a request until it succeeds, like a client without an answer. */
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
    const path = `lessons/${lesson.public_id}/completion`
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
    const answer = yield* untilDone(
      call("POST", `lessons/${lesson.public_id}/${what}`, student.token, body, key),
      status
    )
    if (what === "ask") studied.asked.add(String(at(answer.json, "data", "reply", "id")))
    else studied.said.add(key)
  })

  const upload = Effect.gen(function*() {
    const student = dice.pick(school.students)
    if (student === undefined) return
    const file = { purpose: "comment", file_name: "foto.png", mime: "image/png", size_bytes: picture.length }
    const begun = yield* untilDone(call("POST", "media", student.token, file, `media-${keys++}`), 201)
    const { headers, method, url } = Object(at(begun.json, "data", "upload"))
    const place = new URL(url)
    yield* untilDone(perhaps(ask(`${api}${place.pathname}${place.search}`, { method, headers, body: picture })), 204)
    const id = String(at(begun.json, "data", "media", "id"))
    yield* untilDone(call("POST", `media/${id}/complete`, student.token), 200)
    studied.uploaded.add(id)
  })

  return {
    studied,
    counts,
    run: Effect.all([
      again(complete, dice, 80),
      again(complete, dice, 80),
      again(Effect.suspend(() => write("comments", 201)), dice, 200),
      again(Effect.suspend(() => write("ask", 202)), dice, 200),
      again(upload, dice, 200)
    ], { concurrency: "unbounded", discard: true })
  }
}
