import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { isDeepStrictEqual } from "node:util"
import { ask } from "../ask.ts"
import type { Contender } from "../Contender.ts"
import { AnswersDiffer } from "../sameAnswers.ts"
import { completion, lessonOf } from "./Loads.ts"
import { lessonsOfCourse } from "./Scale.ts"
import type { Actor, Seeded } from "./Seed.ts"

const Answer = Schema.fromJsonString(Schema.Struct({ data: Schema.Unknown }))

const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/** An answer with a placeholder for each moment: only the shape of a moment can be the same. */
const timeless = (body: string) => Schema.decodeEffect(Answer)(body.replaceAll(instant, "a moment"))

const Facts = Schema.Struct({ facts: Schema.Json })
const decodeFacts = Schema.decodeUnknownEffect(Schema.Tuple([Facts]))

/** Everything written about a student, except ids and moments. */
const factsOf = Effect.fnUntraced(function*(club_id: string, student: Actor) {
  const sql = yield* SqlClient.SqlClient
  const whose = sql`club_id = ${club_id} and student_id = ${student.id}`
  const rows = yield* sql`
    select json_build_object(
      'lessons', (
        select json_agg(json_build_array(lesson_id, completed_at is not null) order by lesson_id)
        from lesson_completions where ${whose}
      ),
      'courses', (select json_agg(course_id order by course_id) from course_completions where ${whose}),
      'paid', (
        select json_agg(json_build_array(action, origin_id, points) order by action, origin_id)
        from point_entries where ${whose} and action in ('lesson_completed', 'course_completed')
      ),
      'total', (select total from point_totals where ${whose}),
      'days', (select json_agg(json_build_array(day, points) order by day) from point_days where ${whose}),
      'boards', (
        select json_agg(json_build_array(day, points_7d, points_30d) order by day) from point_board_rows where ${whose}
      ),
      'told', (
        select json_agg(
          json_build_array(type, subject - 'completed_at', subject ? 'completed_at', due_at - occurred_at)
          order by type, id
        )
        from event_outbox where ${whose}
      )
    ) as facts`
  const [{ facts }] = yield* decodeFacts(rows)
  return facts
})

const differ = (what: string, one: unknown, other: unknown) =>
  new AnswersDiffer({ message: [what, ...[one, other].map((value) => `  ${JSON.stringify(value)}`)].join("\n") })

/**
 * Takes two students with the same courses and the same history. Each contender completes lessons for one of them up to
 * the end of a course, and one lesson again. Answers and facts must be the same.
 */
export const checkSameCompletions = Effect.fn("checkSameCompletions")(function*(
  [turma, twin]: readonly [Contender, Contender],
  seeded: Seeded
) {
  const [one, other] = seeded.spare
  const places = Array.from({ length: lessonsOfCourse - one.completed }, (_, index) => one.completed + index)
  for (const place of [...places, 0]) {
    const lesson = lessonOf(one, place)
    const ours = yield* ask(turma, completion(seeded, one, lesson))
    const theirs = yield* ask(twin, completion(seeded, other, lesson))
    const same = ours.status === 200 && theirs.status === 200 &&
      isDeepStrictEqual(yield* timeless(ours.body), yield* timeless(theirs.body))
    if (!same) return yield* differ(`The completion of ${lesson}`, ours, theirs)
  }
  const [written, theirs] = yield* Effect.all([factsOf(seeded.club_id, one), factsOf(seeded.club_id, other)])
  if (!isDeepStrictEqual(written, theirs)) return yield* differ("What completions write", written, theirs)
})

const Kept = Schema.Struct({
  /** Lessons completed and courses finished since the seed. */
  deeds: Schema.Int,
  entries: Schema.Int,
  events: Schema.Int,
  /** Students whose total differs from the sum of their ledger. */
  unequal: Schema.Int
})
const decodeKept = Schema.decodeUnknownEffect(Schema.Tuple([Kept]))

/** Counts the contenders' writes since the seed. If no fact was lost, there are as many entries and events as deeds. */
export const keptFacts = Effect.fn("keptFacts")(function*({ club_id, completions, entries }: Seeded) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select (
        (select count(*) from lesson_completions where club_id = ${club_id}) - ${completions}::int
          + (select count(*) from course_completions where club_id = ${club_id})
      )::int as deeds,
      (select count(*)::int - ${entries}::int from point_entries where club_id = ${club_id}) as entries,
      (select count(*)::int from event_outbox where club_id = ${club_id}) as events,
      (
        select count(*)::int
        from point_totals t join (
          select student_id, sum(points) as points from point_entries where club_id = ${club_id} group by student_id
        ) ledger on ledger.student_id = t.student_id
        where t.club_id = ${club_id} and t.total <> ledger.points
      ) as unequal`
  const [kept] = yield* decodeKept(rows)
  return kept
})
