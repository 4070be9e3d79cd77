import { Effect } from "effect"
import { Gamifications } from "../../../src/learning/gamification/Gamifications.ts"
import type { Level, LevelInput } from "../../../src/learning/gamification/Ladder.ts"
import { makeClub } from "../../harness/Makers.ts"

/** A club with the gamification of a new club. */
export const openClub = Effect.fn("openClub")(function*(locale: "pt-BR" | "en" = "pt-BR") {
  const club = yield* makeClub({ locale })
  yield* Gamifications.use((gamifications) => gamifications.open(club.id, locale))
  return club
})

/** New levels from these points on. */
export const ladderOf = (...points: ReadonlyArray<number>): ReadonlyArray<LevelInput> =>
  points.map((min_points) => ({ name: `From ${min_points}`, min_points }))

export const withoutIds = (levels: ReadonlyArray<Level>) => levels.map(({ min_points, name }) => ({ name, min_points }))
