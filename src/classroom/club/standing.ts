import { turma } from "../../browser/client/Api.ts"
import { type Read, useRead } from "../../browser/client/Reads.ts"
import type { Schemas } from "../../sdk/index.ts"
import { clubId, ofClub } from "./View.ts"

/** The key of a student's points and level. */
export const standingKey = `${clubId}/standing`

/** The student's points and level. Nothing is read before they are wanted. */
export const useStanding = (isWanted = true): Read<Schemas["StudentStanding"]> =>
  useRead(
    isWanted ? standingKey : undefined,
    async (signal) => (await turma.gamification.standing(ofClub, { signal })).data
  )
