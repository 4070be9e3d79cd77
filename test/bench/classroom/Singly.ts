import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { StudentId } from "../../../src/identity/ids/StudentId.ts"
import { RankingCursor } from "../../../src/learning/gamification/Ranking.ts"
import { keysetOf } from "../../../src/platform/http/Page.ts"
import { ask } from "../ask.ts"
import type { Contender } from "../Contender.ts"
import type { Load } from "../drive.ts"
import { sized } from "../sized.ts"
import { percentile } from "../webhooks/tables.ts"
import { type Period, ranking } from "./Loads.ts"
import type { Actor, Seeded } from "./Seed.ts"

const warmUp = sized(20, 1)
const timed = sized(200, 1)

/** Milliseconds of requests that run one at a time, at most one from each connection in turn. */
export const singly = Effect.fn("singly")(function*(contender: Contender, load: Load) {
  const requests = load.requests(1).flat()
  const times: Array<number> = []
  for (let n = -warmUp; n < timed; n++) {
    const request = requests[(n + warmUp) * 7 % requests.length]
    if (request === undefined) continue
    const started = performance.now()
    yield* ask(contender, request)
    if (n >= 0) times.push(performance.now() - started)
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
})

/** A cursor nine tenths down a ranking. The exact position does not matter. */
export const deepCursor = Effect.fn("deepCursor")(function*({ club_id }: Seeded, period: Period) {
  const sql = yield* SqlClient.SqlClient
  const board = period === "7d" ? sql`points_7d` : sql`points_30d`
  const ranked = period === "all"
    ? sql`select student_id, total as points from point_totals where club_id = ${club_id} and ranked and total > 0`
    : sql`
      select student_id, ${board} as points from point_board_rows r join clubs c on c.id = r.club_id
      where club_id = ${club_id} and day = (${new Date()}::timestamptz at time zone c.time_zone)::date and ${board} > 0`
  const rows = yield* sql<{ student_id: string; points: string }>`
    with ranked as (${ranked})
    select student_id, points::text from ranked order by points desc, student_id desc
    limit 1 offset (select count(*) * 9 / 10 from ranked)`
  const [row] = rows
  if (row === undefined) return yield* Effect.die("Nobody has points")
  const place = { period, points: Number(row.points), id: StudentId.make(row.student_id), position: 300 }
  return yield* keysetOf(RankingCursor).write(place)
})

/** The deep page of a period for this student. */
export const deepLoad = (seeded: Seeded, actor: Actor, period: Period, cursor: string): Load => ({
  name: `GET …/classroom/ranking?period=${period}, nine tenths down`,
  requests: () => [[ranking(seeded, actor, period, `&cursor=${cursor}`)]]
})
