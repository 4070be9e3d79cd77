import { Duration, Layer } from "effect"
import { Awards } from "./Awards.ts"
import { gamificationOpening } from "./GamificationOpening.ts"
import { Gamifications } from "./Gamifications.ts"
import { GamificationHttp } from "./Http.ts"
import { pointBoardsLayer } from "./PointBoards.ts"
import { Points } from "./Points.ts"
import { pointsEraser } from "./PointsEraser.ts"
import { Rankings } from "./Rankings.ts"
import { Spreads } from "./Spreads.ts"

/** The ladder, the rules, points and rankings. */
export const gamification = {
  services: Layer.mergeAll(Awards.layer, Gamifications.layer, Points.layer, Rankings.layer, Spreads.layer),
  routes: GamificationHttp,
  workers: pointBoardsLayer({ every: Duration.minutes(1) }),
  opening: gamificationOpening,
  erasers: [pointsEraser]
}
