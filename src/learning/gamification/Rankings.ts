import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { SessionClub } from "../../identity/people/Identity.ts"
import { InvalidCursor, keysetOf, type PageAnswer, type PageRequest } from "../../platform/http/Page.ts"
import { levelOf } from "./Ladder.ts"
import {
  RankingCursor,
  type RankingEntry,
  RankingHidden,
  type RankingPage,
  type RankingPeriod,
  withPositions
} from "./Ranking.ts"
import { RankingRepo } from "./RankingRepo.ts"

type Club = Pick<SessionClub, "id" | "time_zone">

interface RankingRequest extends PageRequest {
  readonly period: RankingPeriod
}

const cursors = keysetOf(RankingCursor)

/** A cursor is valid only in the period that it was made for. */
const readCursor = Effect.fnUntraced(function*({ cursor, period }: RankingRequest) {
  const after = yield* cursors.read(cursor)
  if (Option.exists(after, (place) => place.period !== period)) return yield* new InvalidCursor()
  return after
})

/** The ranking of students by points (http-surface, Gamification). Levels are those of the ladder when it is read. */
export class Rankings extends Context.Service<Rankings, {
  /**
   * For the staff, whether or not students see the ranking. One statement, as `pageFor`; two for 7 and 30 days before the
   * day's board is laid.
   */
  page(club: Club, asked: RankingRequest): Effect.Effect<PageAnswer<RankingEntry>, InvalidCursor>
  /** As a student sees it, with their own rank. */
  pageFor(
    club: Club,
    student_id: StudentId,
    asked: RankingRequest
  ): Effect.Effect<RankingPage, InvalidCursor | RankingHidden>
}>()("turma/learning/gamification/Rankings") {
  static readonly layerNoDeps = Layer.effect(
    Rankings,
    Effect.gen(function*() {
      const repo = yield* RankingRepo

      // Until today's board is laid, the days are added up instead: the same numbers, but slower.
      const find = Effect.fnUntraced(function*(
        club: Club,
        own: StudentId | null,
        { limit, period }: RankingRequest,
        after: Option.Option<RankingCursor>
      ) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const request = { period, now, after, limit: limit + 1, own }
        const found = yield* repo.page(club, { ...request, from: "board" })
        return found.is_ready ? found : yield* repo.page(club, { ...request, from: "days" })
      })

      const entriesOf = Effect.fnUntraced(function*(
        { levels, rows }: Effect.Success<ReturnType<typeof find>>,
        { limit, period }: RankingRequest,
        after: Option.Option<RankingCursor>
      ) {
        const { data, next_cursor } = yield* cursors.page(
          withPositions(rows, Option.getOrUndefined(after)),
          limit,
          ({ points, position, student }) => ({ period, points, id: student.id, position })
        )
        const entries = data.map(({ points, position, student, total }): RankingEntry => ({
          student,
          points,
          level: levelOf(levels, total),
          position
        }))
        return { data: entries, next_cursor }
      })

      const page = Effect.fnUntraced(function*(club: Club, asked: RankingRequest) {
        const after = yield* readCursor(asked)
        return yield* entriesOf(yield* find(club, null, asked, after), asked, after)
      })

      const pageFor = Effect.fnUntraced(function*(club: Club, student_id: StudentId, asked: RankingRequest) {
        const after = yield* readCursor(asked)
        const found = yield* find(club, student_id, asked, after)
        if (!found.enabled || !found.ranking_visible) return yield* new RankingHidden()
        const { levels, own } = found
        const me = {
          points: own.points,
          level: levelOf(levels, own.total),
          position: own.points > 0 ? own.above + 1 : null
        }
        const { data, next_cursor } = yield* entriesOf(found, asked, after)
        return { data, me, next_cursor }
      })

      return Rankings.of({ page, pageFor })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(RankingRepo.layer))
}
