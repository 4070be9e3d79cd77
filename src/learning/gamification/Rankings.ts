import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { SessionClub } from "../../identity/people/Identity.ts"
import { jsonOf, type MadeJson, objectOf } from "../../platform/http/json/MadeJson.ts"
import { InvalidCursor, keysetOf, type PageRequest } from "../../platform/http/Page.ts"
import { scanning } from "../../platform/sql/ReadLane.ts"
import { RankingCursor, RankingHidden, type RankingPeriod } from "./Ranking.ts"
import { RankingRepo } from "./RankingRepo.ts"

type Club = Pick<SessionClub, "id" | "time_zone">

interface RankingRequest extends PageRequest {
  readonly period: RankingPeriod
}

const cursors = keysetOf(RankingCursor)

/** A cursor is valid only in its own period. */
const readCursor = Effect.fnUntraced(function*({ cursor, period }: RankingRequest) {
  const after = yield* cursors.read(cursor)
  if (Option.exists(after, (place) => place.period !== period)) return yield* new InvalidCursor()
  return after
})

/**
 * The ranking of students by points (http-surface, Gamification). Levels follow the ladder at the time of the read.
 * Answers are JSON.
 */
export class Rankings extends Context.Service<Rankings, {
  /**
   * A `Page` of `RankingEntry`, for the staff, even if students do not see the ranking. One statement, as `pageFor`;
   * two for 7 and 30 days before the day's board is ready.
   */
  page(club: Club, asked: RankingRequest): Effect.Effect<MadeJson, InvalidCursor>
  /** A `RankingPage`, as a student sees it, with their own rank. */
  pageFor(
    club: Club,
    student_id: StudentId,
    asked: RankingRequest
  ): Effect.Effect<MadeJson, InvalidCursor | RankingHidden>
}>()("turma/learning/gamification/Rankings") {
  static readonly layer = Layer.effect(
    Rankings,
    Effect.gen(function*() {
      const repo = yield* RankingRepo

      // Until today's board is ready, the statement adds up the days: the same numbers, but slower.
      const find = Effect.fnUntraced(function*(club: Club, own: StudentId | null, asked: RankingRequest) {
        const after = yield* readCursor(asked)
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const { limit, period } = asked
        const request = { club, period, now, after, limit, own }
        const found = yield* repo.page({ ...request, from: "board" })
        return found.is_ready ? found : yield* scanning(repo.page({ ...request, from: "days" }))
      })

      const cursorAfter = Effect.fnUntraced(function*(
        { last }: Effect.Success<ReturnType<typeof find>>,
        { period }: RankingRequest
      ) {
        return jsonOf(last === null ? null : yield* cursors.write({ period, ...last }))
      })

      const page = Effect.fnUntraced(function*(club: Club, asked: RankingRequest) {
        const found = yield* find(club, null, asked)
        return objectOf({ data: found.entries, next_cursor: yield* cursorAfter(found, asked) })
      })

      const pageFor = Effect.fnUntraced(function*(club: Club, student_id: StudentId, asked: RankingRequest) {
        const found = yield* find(club, student_id, asked)
        if (!found.enabled || !found.ranking_visible) return yield* new RankingHidden()
        return objectOf({ data: found.entries, me: found.me, next_cursor: yield* cursorAfter(found, asked) })
      })

      return Rankings.of({ page, pageFor })
    })
  ).pipe(Layer.provide(RankingRepo.layer))
}
