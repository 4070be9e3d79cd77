import { Effect } from "effect"
import { Events } from "../../../src/events/Events.ts"
import { sized } from "../sized.ts"
import type { BenchClub } from "./Clubs.ts"
import { assembledAt } from "./latency.ts"
import type { Stand } from "./Stand.ts"
import { atRate } from "./trickle.ts"

/** Records events for these clubs in turn. Answers the milliseconds from due to received of each first attempt. */
export const firstAttempts = (rate: { readonly perSecond: number; readonly seconds: number }) =>
  Effect.fn("firstAttempts")(function*({ receivers }: Stand, clubs: ReadonlyArray<BenchClub>) {
    const events = yield* Events
    yield* receivers.note
    let next = 0
    const facts = yield* atRate(
      Effect.suspend(() => {
        const club = clubs[next++ % clubs.length]
        if (club === undefined) return Effect.die(new Error("No club"))
        return events.record(club.club_id, { type: "student.created", student_id: club.student_id, origin: "sign_up" })
      }),
      rate
    )
    yield* Effect.sleep(sized(4_000, 0))
    const arrivals = new Map(yield* receivers.arrivals)
    const due = yield* assembledAt(facts.map(({ result }) => result))
    // A missing arrival counts as arriving now.
    const end = performance.timeOrigin + performance.now()
    return facts.map(({ at, result }) => (arrivals.get(result) ?? end) - (due.get(result) ?? at))
  })
