import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { lessons, lessonsOfCourse, scale } from "./Scale.ts"

const drafts = scale.courses
const repositories = scale.deliveries * scale.repositoriesOfDelivery
const files = repositories * scale.filesOfRepository

/** The courses and repositories of the club, with drafts, in its deliveries. Runs in the caller's transaction. */
export const seedContent = Effect.fn("seedContent")(function*(club_id: string, at: Date) {
  const sql = yield* SqlClient.SqlClient
  const club = sql`${club_id}::uuid`
  const now = sql`${at}::timestamptz`
  yield* sql`
    insert into courses (club_id, id, public_id, title, position, created_at)
    select ${club}, pg_temp.uid(4, n), 'course-' || n, 'Course ' || n, n + 1, ${now}
    from generate_series(0, ${scale.courses}::int - 1) n`
  yield* sql`
    insert into modules (club_id, id, course_id, title, position, created_at)
    select ${club}, pg_temp.uid(5, n), pg_temp.uid(4, n / ${scale.modulesOfCourse}::int), 'Module ' || n,
      n % ${scale.modulesOfCourse}::int + 1, ${now}
    from generate_series(0, ${scale.courses * scale.modulesOfCourse}::int - 1) n`
  // After the live lessons, one draft in each course.
  yield* sql`
    insert into lessons (club_id, id, course_id, module_id, public_id, title, position, published_at, created_at)
    select ${club}, pg_temp.uid(6, n), pg_temp.uid(4, place / ${lessonsOfCourse}::int),
      pg_temp.uid(5, place / ${scale.lessonsOfModule}::int), 'lesson-' || n, 'How to tune string ' || n,
      case when n = place then n % ${scale.lessonsOfModule}::int + 1 else 11 end,
      case when n = place then ${now} - interval '200 days' end, ${now} - interval '200 days'
    from generate_series(0, ${lessons + drafts}::int - 1) n
    cross join lateral (
      select case when n < ${lessons}::int then n else (n - ${lessons}::int) * ${lessonsOfCourse}::int end as place
    ) at`
  yield* sql`
    insert into blocks (club_id, id, lesson_id, kind, position, body, created_at)
    select ${club}, pg_temp.uid(7, n), pg_temp.uid(6, n), 'text', 1, repeat('Tune it a fourth above the last. ', 60), ${now}
    from generate_series(0, ${lessons}::int - 1) n`
  yield* seedRepositories(club_id, at)
  yield* seedDeliveries(club_id, at)
})

const seedRepositories = Effect.fnUntraced(function*(club_id: string, at: Date) {
  const sql = yield* SqlClient.SqlClient
  const club = sql`${club_id}::uuid`
  const now = sql`${at}::timestamptz`
  // After the live repositories, one draft for each delivery.
  yield* sql`
    insert into repositories (club_id, id, public_id, title, instructor_name, cover_url, published_at, created_at)
    select ${club}, pg_temp.uid(9, n), 'repository-' || n, 'Sheet music ' || n,
      case when n % 2 = 0 then 'Ana Souza' end,
      case when n % 3 = 0 then 'https://covers.example/' || n || '.jpg' end,
      case when n < ${repositories}::int then ${now} - interval '200 days' end, ${now} - interval '200 days'
    from generate_series(0, ${repositories + scale.deliveries}::int - 1) n`
  yield* sql`
    insert into media (club_id, id, kind, purpose, title, provider, status, visibility, file_name, mime, size_bytes,
      storage_key, created_at)
    select ${club}, pg_temp.uid(10, n), 'document', 'library', 'Sheet ' || n, 'storage', 'ready', 'private',
      'sheet-' || n || '.pdf', 'application/pdf', 100000 + n, 'sheets/' || n, ${now}
    from generate_series(0, ${files}::int - 1) n`
  yield* sql`
    insert into repository_files (club_id, id, repository_id, media_id, title, position, created_at)
    select ${club}, pg_temp.uid(11, n), pg_temp.uid(9, n / ${scale.filesOfRepository}::int), pg_temp.uid(10, n),
      'Sheet ' || n, n % ${scale.filesOfRepository}::int + 1, ${now}
    from generate_series(0, ${files}::int - 1) n`
})

const seedDeliveries = Effect.fnUntraced(function*(club_id: string, at: Date) {
  const sql = yield* SqlClient.SqlClient
  const club = sql`${club_id}::uuid`
  const last = sql`${scale.deliveries}::int - 1`
  const own = scale.repositoriesOfDelivery
  yield* sql`
    insert into deliveries (club_id, id, name, free, created_at)
    select ${club}, pg_temp.uid(8, n), 'Delivery ' || n, false, ${at} from generate_series(0, ${last}) n`
  yield* sql`
    insert into delivery_items (club_id, delivery_id, kind, item_id, position)
    select ${club}, pg_temp.uid(8, n), 'course', pg_temp.uid(4, n * 2 + item), item + 1
    from generate_series(0, ${last}) n, generate_series(0, 1) item
    union all
    select ${club}, pg_temp.uid(8, n), 'repository', pg_temp.uid(9, n * ${own}::int + item), item + 3
    from generate_series(0, ${last}) n, generate_series(0, ${own}::int - 1) item
    union all
    select ${club}, pg_temp.uid(8, n), 'repository', pg_temp.uid(9, ${repositories}::int + n), ${own}::int + 3
    from generate_series(0, ${last}) n`
})
