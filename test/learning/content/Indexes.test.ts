import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EventId } from "../../../src/events/EventType.ts"
import { AccessibleBlocks } from "../../../src/learning/content/AccessibleBlocks.ts"
import { AccessibleLessons } from "../../../src/learning/content/AccessibleLessons.ts"
import { Blocks } from "../../../src/learning/content/Blocks.ts"
import { courseItems } from "../../../src/learning/content/CourseItems.ts"
import { Courses } from "../../../src/learning/content/Courses.ts"
import { coursesOfEvents, lessonsOfEvents } from "../../../src/learning/content/EventLessons.ts"
import { Lessons } from "../../../src/learning/content/Lessons.ts"
import { Modules } from "../../../src/learning/content/Modules.ts"
import { Outlines } from "../../../src/learning/content/Outlines.ts"
import { ClassroomRepositories } from "../../../src/learning/repositories/ClassroomRepositories.ts"
import { Repositories } from "../../../src/learning/repositories/Repositories.ts"
import { RepositoryFiles } from "../../../src/learning/repositories/RepositoryFiles.ts"
import { repositoryItems } from "../../../src/learning/repositories/RepositoryItems.ts"
import { AppLayer } from "../../harness/App.ts"
import {
  makeBlock,
  makeClub,
  makeEnrollment,
  makeItem,
  makeLiveLesson,
  makeMedia,
  makeRepository,
  makeRepositoryFile,
  makeStudent
} from "../../harness/Makers.ts"
import { readingMuch } from "../../harness/RowsRead.ts"
import { vacuumed } from "../../harness/Vacuumed.ts"

// 100 courses of 20 modules of 10 lessons of 2 blocks; 900 repositories of 30 files; 300 deliveries of 100 items.

/** Every table that requests must not scan has many times more rows. */
const much = 2000

const fill = Effect.fnUntraced(function*(club: { readonly id: string }, media: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  const at = new Date(0)
  const many = (count: number) => sql`generate_series(1, ${count}::int) n`
  const key = sql`replace(gen_random_uuid()::text, '-', '')`
  yield* sql`
    insert into courses (club_id, id, public_id, title, position, created_at)
    select ${club.id}::uuid, gen_random_uuid(), ${key}, 'Many', n + 1, ${at} from ${many(100)}`
  yield* sql`
    insert into modules (club_id, id, course_id, title, position, created_at)
    select club_id, gen_random_uuid(), id, 'Many', n, ${at} from courses, ${many(20)} where club_id = ${club.id}`
  yield* sql`
    insert into lessons (club_id, id, course_id, module_id, public_id, title, position, published_at, created_at)
    select club_id, gen_random_uuid(), course_id, id, ${key}, 'Many', n, ${at}, ${at}
    from modules, ${many(10)} where club_id = ${club.id}`
  yield* sql`
    insert into blocks (club_id, id, lesson_id, kind, position, body, created_at)
    select club_id, gen_random_uuid(), id, 'text', n, 'Many', ${at} from lessons, ${many(2)} where club_id = ${club.id}`
  yield* sql`
    insert into repositories (club_id, id, public_id, title, published_at, created_at)
    select ${club.id}::uuid, gen_random_uuid(), ${key}, 'Many', ${at}, ${at} from ${many(900)}`
  yield* sql`
    insert into repository_files (club_id, id, repository_id, media_id, title, position, created_at)
    select club_id, gen_random_uuid(), id, ${media.id}::uuid, 'Many', n, ${at}
    from repositories, ${many(30)} where club_id = ${club.id}`
  yield* sql`
    insert into deliveries (club_id, id, name, free, created_at)
    select ${club.id}::uuid, gen_random_uuid(), 'Many', false, ${at} from ${many(300)}`
  yield* sql`
    insert into delivery_items (club_id, delivery_id, kind, item_id, position)
    select d.club_id, d.id, 'repository', r.id, r.n
    from deliveries d cross join lateral (
      select id, row_number() over () as n from repositories where club_id = d.club_id limit 100
    ) r where d.club_id = ${club.id}`
  yield* sql`analyze`
  yield* vacuumed("lessons", "blocks")
})

const TestLayer = AccessibleBlocks.layer.pipe(Layer.provideMerge(AppLayer))

layer(TestLayer)("In a large club", (it) => {
  it.effect("no query about content or repositories reads more than it needs", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const student = yield* makeStudent(club)
      const media = yield* makeMedia(club)
      yield* fill(club, media)
      const { course, delivery, lesson, module } = yield* makeLiveLesson(club)
      const repository = yield* makeRepository(club)
      const file = yield* makeRepositoryFile(club, repository, media)
      yield* makeItem(club, delivery, { kind: "repository", id: repository.id })
      yield* makeEnrollment(club, student, delivery)
      const block = yield* makeBlock(club, lesson)
      const id = EventId.make(lesson.id)
      const club_id = club.id
      const [courses, modules, lessons, blocks] = yield* Effect.all([Courses, Modules, Lessons, Blocks])
      const [repositories, files, own] = yield* Effect.all([Repositories, RepositoryFiles, ClassroomRepositories])
      const outlines = yield* Outlines
      const [places, held] = [yield* AccessibleLessons, yield* AccessibleBlocks]
      const [ofLessons, ofCourses] = yield* Effect.all([lessonsOfEvents, coursesOfEvents])
      const [asCourse, asRepository] = yield* Effect.all([courseItems, repositoryItems])
      const title = "A"
      const work: Record<string, Effect.Effect<unknown, unknown>> = {
        "the courses": courses.list(club_id, { limit: 25 }),
        "a course": courses.get(club_id, course.id),
        "a new course": courses.create(club_id, { title }),
        "a course's change": courses.patch(club_id, course.id, { title }),
        "its outline": outlines.read(club_id, course.id),
        "its modules": modules.list(club_id, course.id),
        "a new module": modules.create(club_id, course.id, { title }),
        "a module's change": modules.patch(club_id, module.id, { title }),
        "its lessons": lessons.list(club_id, module.id),
        "a new lesson": lessons.create(club_id, module.id, { title }),
        "a lesson's change": lessons.patch(club_id, lesson.id, { title, public_id: "a" }),
        "the order of lessons": Effect.flatMap(lessons.list(club_id, module.id), (all) =>
          lessons.order(club_id, module.id, all.map(({ id }) => id))),
        "its publication": lessons.publish(club_id, lesson.id, null),
        "its blocks": blocks.list(club_id, lesson.id),
        "a new block": blocks.create(club_id, lesson.id, { kind: "text", title, body: "A" }),
        "a block's change": blocks.patch(club_id, block.id, { title }),
        "a student's block": Effect.exit(held.find(club_id, student.id, block.id)),
        "a student's lesson": Effect.exit(places.find(club_id, student.id, lesson.public_id)),
        "lessons of events": ofLessons([{ club_id, id, fact: { lesson_id: lesson.id } }]),
        "courses of events": ofCourses([{ club_id, id, fact: { course_id: course.id } }]),
        "a course in a delivery": asCourse.existing(club_id, [course.id]),
        "the repositories": repositories.list(club_id, { limit: 25 }),
        "a new repository": repositories.create(club_id, { title, instructor_name: null, cover_url: null }),
        "a repository's change": repositories.patch(club_id, repository.id, { title }),
        "its files": files.list(club_id, repository.id),
        "a new file": files.add(club_id, repository.id, { media_id: media.id }),
        "a student's repositories": own.list(club_id, student.id),
        "one of them": own.get(club_id, student.id, repository.public_id),
        "a download": own.download(club_id, student.id, repository.public_id, file.id, false),
        "a repository in a delivery": asRepository.existing(club_id, [repository.id]),
        "a file's end": files.remove(club_id, repository.id, file.id),
        "a repository's end": repositories.remove(club_id, repository.id),
        "a block's end": blocks.remove(club_id, block.id),
        "a lesson's end": lessons.remove(club_id, lesson.id),
        "a module's end": modules.remove(club_id, module.id),
        "a course's end": courses.remove(club_id, course.id)
      }
      for (const [name, one] of Object.entries(work)) {
        assert.deepStrictEqual(yield* readingMuch(one, much), [], name)
      }
      // Proves that the measure detects a scan.
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* readingMuch(sql`select count(*) from lessons where title = 'Many'`, much), [
        "lessons"
      ])
    }))
})
