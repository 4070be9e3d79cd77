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
  /** For the staff, whether or not students see the ranking. Two statements, as `pageFor`. */
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

      const contextOf = Effect.fnUntraced(function*(club: Club) {
        return yield* repo.context(club, DateTime.toDateUtc(yield* DateTime.now))
      })
      type RankingContext = Effect.Success<ReturnType<typeof contextOf>>

      const read = Effect.fnUntraced(function*(
        { id }: Club,
        { board_ready, levels, today }: RankingContext,
        own: StudentId | null,
        { period, limit }: RankingRequest,
        after: Option.Option<RankingCursor>
      ) {
        const found = yield* repo.page(id, { period, today, board_ready, after, limit: limit + 1, own })
        const ranked = withPositions(found.rows, Option.getOrUndefined(after))
        const { data, next_cursor } = yield* cursors.page(
          ranked,
          limit,
          ({ points, position, student }) => ({ period, points, id: student.id, position })
        )
        const entries = data.map(({ total, ...row }) => ({ ...row, level: levelOf(levels, total) }))
        return { data: entries, next_cursor, own: found.own }
      })

      const page = Effect.fn("Rankings.page")(function*(club: Club, asked: RankingRequest) {
        const after = yield* readCursor(asked)
        const { data, next_cursor } = yield* read(club, yield* contextOf(club), null, asked, after)
        return { data, next_cursor }
      })

      const pageFor = Effect.fn("Rankings.pageFor")(
        function*(club: Club, student_id: StudentId, asked: RankingRequest) {
          const after = yield* readCursor(asked)
          const context = yield* contextOf(club)
          if (!context.enabled || !context.ranking_visible) return yield* new RankingHidden()
          const { data, next_cursor, own } = yield* read(club, context, student_id, asked, after)
          const position = own.points > 0 ? own.above + 1 : null
          return { data, me: { points: own.points, level: levelOf(context.levels, own.total), position }, next_cursor }
        }
      )

      return Rankings.of({ page, pageFor })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(RankingRepo.layer))
}
