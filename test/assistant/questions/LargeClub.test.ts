import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AskedQuestions } from "../../../src/assistant/questions/AskedQuestions.ts"
import { LessonId } from "../../../src/learning/content/Lesson.ts"
import { readingMuch } from "../../harness/RowsRead.ts"
import { classroom, makeLearner, WorldLayer } from "../World.ts"

const questions = 20_000

/** Most clubs are small. These have one student each, and teach the planner how many students a club has. */
const clubs = 5000

/** A lesson with few questions, and one with all others. One question in 2,000 fails. */
const fill = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const place = yield* classroom
  const rare = yield* makeLearner(place.club, place.delivery)
  const club_id = place.club.id
  const lesson_id = LessonId.make("0190a000-0000-7000-8000-0000000000aa")
  const at = new Date(0)
  const id = (n: string, last: string) =>
    sql`(lpad(to_hex(${sql.literal(n)}), 8, '0') || '-0000-7000-8000-00000000000' || ${last})::uuid`
  yield* sql`
    insert into lessons select (json_populate_record(l, json_build_object('id', ${lesson_id}::uuid, 'public_id', 'rara',
      'position', 2))).* from lessons l where l.club_id = ${club_id} and l.id = ${place.lesson.id}`
  yield* sql`
    insert into conversations (club_id, id, student_id, lesson_id, title, created_at, last_message_at)
    select ${club_id}, ${id("n", "c")}, case when n <= 5 then ${rare.id}::uuid else ${place.student.id} end,
      case when n <= 5 then ${lesson_id}::uuid else ${place.lesson.id} end, 'Muitas', ${at}, ${at}
    from generate_series(1, ${questions / 10}) n`
  yield* sql`
    insert into messages (club_id, id, conversation_id, student_id, role, content, status, created_at, completed_at)
    select ${club_id}, ${id("n", "1")}, c.id, c.student_id, 'user', 'Como?', 'completed',
      timestamptz 'epoch' + n * interval '65.536 second', ${at}
    from generate_series(1, ${questions}) n
    join conversations c on c.club_id = ${club_id} and c.id = ${id("1 + n % 2000", "c")}`
  yield* sql`
    insert into messages (
      club_id, id, conversation_id, student_id, role, content, status, error_code, reply_to, month, created_at, completed_at
    )
    select club_id, overlay(id::text placing '2' from 36)::uuid, conversation_id, student_id, 'assistant',
      repeat('Assim. ', 100), case when n % 2000 = 0 then 'failed' else 'completed' end,
      case when n % 2000 = 0 then 'timeout' end, id, '1970-01-01', created_at, ${at}
    from (select m.*, row_number() over (order by id) n from messages m where club_id = ${club_id}) m`
  yield* sql`
    insert into clubs (id, organization_id, name, slug, time_zone, locale, sign_up_open, created_at)
    select gen_random_uuid(), gen_random_uuid(), 'Pequeno', 'pequeno-' || n, 'UTC', 'en', true, ${at}::timestamptz
    from generate_series(1, ${clubs}) n`
  yield* sql`
    insert into students (club_id, id, email, name, created_at)
    select id, gen_random_uuid(), 'so@one.example', 'Só', ${at}::timestamptz from clubs where slug like 'pequeno-%'
    union all
    select ${club_id}, gen_random_uuid(), n || '@many.example', 'Muitos', ${at}::timestamptz
    from generate_series(1, ${questions}) n`
  yield* sql`analyze`
  return { place, lesson_id, student_id: rare.id }
})

layer(WorldLayer)("In a club with many questions", (it) => {
  it.effect("a page reads little more than what it shows, by whatever it is asked for", () =>
    Effect.gen(function*() {
      const { lesson_id, place, student_id } = yield* fill
      const { list } = yield* AskedQuestions
      const club_id = place.club.id
      const [middle, end] = [10_000, 10_100].map((n) => DateTime.makeUnsafe(n * 65_536))
      const [since, until] = [middle ?? assert.fail(), end ?? assert.fail()]
      for (
        const wanted of [
          {},
          { status: "completed" as const },
          { status: "failed" as const },
          { status: "generating" as const },
          { lesson_id },
          { student_id },
          { since, until },
          { lesson_id: place.lesson.id, since, until }
        ]
      ) {
        const page = yield* list(club_id, { limit: 10, ...wanted })
        assert.strictEqual(page.data.length, "status" in wanted && wanted.status === "generating" ? 0 : 10)
        const larger = list(club_id, { limit: 100, ...wanted })
        assert.deepStrictEqual(yield* readingMuch(larger, 1000), [], JSON.stringify(wanted))
      }
    }))
})
