import { TurmaError } from "../../../sdk/index.ts"
import { type Missed, missedBy } from "./sending.ts"

/** The result of a request, or the reason to try it again. Throws other refusals. */
export const orMissed = async <A>(work: () => Promise<A>): Promise<A | Missed> => {
  try {
    return await work()
  } catch (thrown) {
    const missed = thrown instanceof TurmaError ? missedBy(thrown.status) : undefined
    if (missed === undefined) throw thrown
    return missed
  }
}
