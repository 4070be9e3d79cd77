import { turma } from "../../browser/client/Api.ts"
import { type Read, useRead } from "../../browser/client/Reads.ts"
import type { Schemas } from "../../sdk/index.ts"
import { clubId, ofClub } from "./View.ts"

/** The key of the student's own account, for `changed`. */
export const ownKey = `${clubId}/me`

/** The student's own account, with the club's language and time zone. */
export const useOwn = (): Read<Schemas["OwnAccount"]> =>
  useRead(ownKey, async (signal) => (await turma.ownAccount.read(ofClub, { signal })).data)
