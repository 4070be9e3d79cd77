import { Effect, FileSystem, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { mostFailuresGivenBack } from "../../src/assistant/budget/AssistantBudget.ts"
import { at } from "./Clubs.ts"
import type { School, Studied } from "./School.ts"
import type { Post } from "./Target.ts"

const Completed = Schema.Struct({
  student_id: Schema.String,
  about: Schema.String,
  kind: Schema.String,
  paid: Schema.Int
})
const Said = Schema.Struct({ body: Schema.String, count: Schema.Int })
const Answer = Schema.Struct({ id: Schema.String, status: Schema.String })
const Uploaded = Schema.Struct({
  id: Schema.String,
  status: Schema.String,
  storage_key: Schema.String,
  size_bytes: Schema.NumberFromString
})
const Units = Schema.Struct({ used: Schema.Int, kept: Schema.Int, failed: Schema.Int })

const rowsOf = <S extends Schema.Top>(schema: S) => Schema.decodeUnknownEffect(Schema.Array(schema))

/** The school's rows in the database at the end. */
export const readSchool = Effect.fn("readSchool")(function*({ files, id }: School) {
  const sql = yield* SqlClient.SqlClient
  const fs = yield* FileSystem.FileSystem
  const uploads = yield* sql`
    select id, status, storage_key, size_bytes::text from media where club_id = ${id}`
    .pipe(Effect.flatMap(rowsOf(Uploaded)))
  const sizeOf = (file: string) =>
    fs.stat(file).pipe(Effect.map(({ size }) => Number(size)), Effect.orElseSucceed(() => 0))
  const paid = (action: string, about: string) =>
    sql`(
      select count(*)::int from point_entries p where p.club_id = c.club_id and p.student_id = c.student_id
        and p.action = ${action} and p.origin_id = ${sql.literal(about)}
    )`
  return {
    uploads: yield* Effect.forEach(
      uploads,
      (upload) => Effect.map(sizeOf(`${files}/${upload.storage_key}`), (kept) => ({ ...upload, kept }))
    ),
    completed: yield* sql`
      select student_id, lesson_id as about, 'lesson.completed' as kind, ${
      paid("lesson_completed", "c.lesson_id")
    } as paid
      from lesson_completions c where club_id = ${id}
      union all
      select student_id, course_id, 'course.completed', ${paid("course_completed", "c.course_id")}
      from course_completions c where club_id = ${id}`.pipe(Effect.flatMap(rowsOf(Completed))),
    said: yield* sql`
      select body, count(*)::int as count from comments where club_id = ${id} group by body`
      .pipe(Effect.flatMap(rowsOf(Said))),
    answers: yield* sql`
      select id, status from messages where club_id = ${id} and role = 'assistant'`
      .pipe(Effect.flatMap(rowsOf(Answer))),
    units: yield* sql`
      select d.used, ended.kept, ended.failed
      from assistant_days d cross join lateral (
        select
          count(*) filter (where m.status = 'completed' or m.content <> '')::int as kept,
          count(*) filter (where m.status = 'failed' and m.content = '' and m.tries > 1)::int as failed
        from messages m where m.club_id = d.club_id and m.student_id = d.student_id and m.day = d.day
      ) ended where d.club_id = ${id}`.pipe(Effect.flatMap(rowsOf(Units)))
  }
}, Effect.orDie)

/** Counts the events about each completion. An event that was received more than once counts once. */
const toldOf = (posts: ReadonlyArray<Post>, path: string) => {
  const events =
    new Map(posts.filter((post) => post.path === path && post.status === 200).map((post) => [post.event, post]))
  return Map.groupBy(events.values(), ({ body }) => {
    const { data, type } = Object(JSON.parse(body))
    const about = type === "lesson.completed" ? at(data, "lesson", "id") : at(data, "course", "id")
    return `${type} ${String(at(data, "student", "id"))} ${String(about)}`
  })
}

/** The problems in the books of the school. */
export const inspect = (
  school: School,
  { asked, completed, said, tried, uploaded }: Studied,
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
    misplacedFiles: books.uploads.flatMap(({ id, kept, size_bytes, status }) => {
      const good = status === "ready" ? kept === size_bytes : status === "uploading" && !uploaded.has(id)
      return good ? [] : [`${id} is ${status} with ${kept} bytes`]
    }),
    missaid: [
      ...[...said].filter((body) => words.get(body) !== 1),
      ...[...words].filter(([, count]) => count > 1).map(([body]) => body)
    ],
    misanswered: [
      ...[...asked].filter((id) => !answers.has(id)).map((id) => `${id} is gone`),
      ...books.answers.filter(({ status }) => status === "generating").map(({ id }) => `${id} does not end`),
      // Workers are killed so often that more of a student's answers may fail than are credited back.
      ...books.units.filter(({ failed, kept, used }) => used !== kept + Math.max(0, failed - mostFailuresGivenBack))
        .map(({ failed, kept, used }) => `${used} units for ${kept} answers and ${failed} failures`)
    ]
  }
}
