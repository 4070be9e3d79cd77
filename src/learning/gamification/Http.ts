import { Effect } from "effect"
import { asMember, asStudent } from "../../identity/people/asMember.ts"
import { CurrentPerson } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { madeAnswer, plainAnswer } from "../../platform/http/json/MadeJson.ts"
import { Data, data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { GamificationApi } from "./Api.ts"
import { Gamification } from "./Gamification.ts"
import { Gamifications } from "./Gamifications.ts"
import { Points } from "./Points.ts"
import { Rankings } from "./Rankings.ts"
import { Spreads } from "./Spreads.ts"

const dataOfGamification = plainAnswer(Data(Gamification))
const gamificationAnswer = (gamification: Gamification) => dataOfGamification({ data: gamification })

/** Answers the routes of `GamificationApi`. */
export const GamificationHttp = group(
  versioned(GamificationApi),
  "gamification",
  Effect.fn(function*(handlers) {
    const gamifications = yield* Gamifications
    const points = yield* Points
    const rankings = yield* Rankings
    const spreads = yield* Spreads
    return handlers.handleAll({
      read: () => CurrentPerson.use(({ club }) => Effect.map(gamifications.read(club.id), gamificationAnswer)),
      update: asMember(({ payload }, { club }) => Effect.map(gamifications.patch(club.id, payload), data)),
      replaceLevels: asMember(({ payload }, { club }) =>
        Effect.map(gamifications.replaceLevels(club.id, payload.levels), gamificationAnswer)
      ),
      spread: asMember(({ query }, { club }) => Effect.map(spreads.read(club.id, query.min_points), data)),
      ranking: asMember(({ query }, { club }) => Effect.map(rankings.page(club, query), madeAnswer)),
      statement: asMember(({ params, query }, { club }) => points.statement(club.id, params.studentId, query)),
      adjust: asMember(({ params, payload }, { club, user }) =>
        Effect.map(points.adjust(club.id, params.studentId, user.id, payload), data)
      ),
      standing: asStudent((_, { club, student }) => Effect.map(points.standing(club.id, student.id), data)),
      ownStatement: asStudent(({ query }, { club, student }) => points.ownStatement(club.id, student.id, query)),
      classroomRanking: asStudent(({ query }, { club, student }) =>
        Effect.map(rankings.pageFor(club, student.id, query), madeAnswer)
      )
    })
  })
)
