import { DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import type { StudentId } from "../../../src/identity/ids/StudentId.ts"
import { StudentLocks } from "../../../src/identity/students/StudentLocks.ts"
import { Awards, type RewardedAction } from "../../../src/learning/gamification/Awards.ts"
import { Gamifications } from "../../../src/learning/gamification/Gamifications.ts"
import { PointBoards } from "../../../src/learning/gamification/PointBoards.ts"
import { Points } from "../../../src/learning/gamification/Points.ts"
import { RankingEntry, RankingPage, type RankingPeriod } from "../../../src/learning/gamification/Ranking.ts"
import { Rankings } from "../../../src/learning/gamification/Rankings.ts"
import { Page } from "../../../src/platform/http/Page.ts"
import { type MadeStudent, makeClub, makeMember, makeStudent } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { ladderOf } from "./OpenClub.ts"

/** Points, boards and rankings on their own PostgreSQL. */
export const RankingsLayer = Layer.mergeAll(
  Awards.layer,
  Gamifications.layer,
  PointBoards.layer,
  Points.layer,
  Rankings.layer,
  StudentLocks.layer
).pipe(Layer.provideMerge(PostgresLayer))

/** A club in a time zone with levels from 0, 100 and 300 points, its owner, and students in the order of their ids. */
export const openClassroom = Effect.fn("openClassroom")(function*(
  { students: count = 1, time_zone = "UTC" }: { readonly students?: number; readonly time_zone?: string } = {}
) {
  const gamifications = yield* Gamifications
  const club = yield* makeClub({ time_zone })
  yield* gamifications.open(club.id, "en")
  yield* gamifications.replaceLevels(club.id, ladderOf(0, 100, 300))
  const owner = yield* makeMember(club, "owner")
  const student = yield* makeStudent(club)
  const others = yield* Effect.replicateEffect(makeStudent(club), count - 1)
  const students: readonly [MadeStudent, ...ReadonlyArray<MadeStudent>] = [student, ...others]
  return { club, owner, student, students }
})

/** A new origin. */
export const newOrigin = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())
  .pipe(Effect.provide(SecureRandom.layerWebCrypto))

/** Awards points as the features do, in a transaction that locks the student first. Returns the paid points. */
export const award = Effect.fnUntraced(function*(
  club: { readonly id: ClubId },
  student: { readonly id: StudentId },
  deed: RewardedAction
) {
  const sql = yield* SqlClient.SqlClient
  const students = yield* StudentLocks
  const awards = yield* Awards
  return yield* sql
    .withTransaction(Effect.andThen(students.lock(club.id, student.id), awards.award(club.id, student.id, deed)))
})

const strictly = { onExcessProperty: "error" } as const
const decodePage = Schema.decodeUnknownEffect(Schema.fromJsonString(Page(RankingEntry)), strictly)
const decodeOwnPage = Schema.decodeUnknownEffect(Schema.fromJsonString(RankingPage), strictly)

/** The club of a ranking. */
export interface AskedClub {
  readonly id: ClubId
  readonly time_zone: string
}

/** A page for the staff, decoded by the contract's schema without excess fields. */
export const rankingPage = (club: AskedClub, asked: Parameters<Rankings["Service"]["page"]>[1]) =>
  Effect.flatMap(Rankings.use((rankings) => rankings.page(club, asked)), decodePage)

/** A page for a student. */
export const ownRankingPage = (
  club: AskedClub,
  student_id: StudentId,
  asked: Parameters<Rankings["Service"]["page"]>[1]
) => Effect.flatMap(Rankings.use((rankings) => rankings.pageFor(club, student_id, asked)), decodeOwnPage)

/** The whole ranking of a period, page by page. */
export const wholeRanking = Effect.fnUntraced(function*(club: AskedClub, period: RankingPeriod, limit = 2) {
  const first = yield* rankingPage(club, { period, limit })
  const entries = [...first.data]
  let cursor = first.next_cursor
  while (cursor !== null) {
    const page = yield* rankingPage(club, { period, limit, cursor })
    entries.push(...page.data)
    cursor = page.next_cursor
  }
  return entries
})

/** An entry in the form of the model. */
export const modelled = ({ level, points, position, student: { id } }: RankingEntry) => ({
  id,
  points,
  level: level.min_points,
  position
})

/** Computes every board and clears away old rows. */
export const layBoards = Effect.gen(function*() {
  const { tick } = yield* PointBoards
  yield* Effect.repeat(tick, { while: (done) => done > 0 })
})

/** The moment that this text names. */
export const momentOf = (text: string) => DateTime.toEpochMillis(DateTime.makeUnsafe(text))
