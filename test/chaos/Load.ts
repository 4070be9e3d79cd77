import { Effect } from "effect"
import { Events } from "../../src/events/Events.ts"
import type { FactOf } from "../../src/events/Fact.ts"
import type { Dice } from "../simulation/Dice.ts"
import { type Club, pressTest } from "./Clubs.ts"
import { again } from "./Pace.ts"

/** An event that was promised, and the paths of the endpoints that must get it. */
export interface Accepted {
  readonly event: string
  readonly paths: ReadonlyArray<string>
  /** True for an event of the test button: it goes to one endpoint and is not in the feed. */
  readonly isTest?: boolean
}

interface Options {
  readonly api: string
  readonly clubs: ReadonlyArray<Club>
  readonly dice: Dice
  /** Accepted events are added here. */
  readonly accepted: Array<Accepted>
  /** True while Redis is away. */
  readonly withoutRedis: () => boolean
}

/** Requests time out after this. */
const patience = "5 seconds"

type Told = FactOf<"student.created"> | FactOf<"student.updated">

const factOf = ({ student_id }: Club, dice: Dice): Told =>
  dice.chance(0.5)
    ? { type: "student.created", student_id, origin: "registration_link" }
    : { type: "student.updated", student_id, changed: ["name"] }

/** Records facts and presses test buttons for as long as it runs. An event without confirmation may exist or not. */
export const load = Effect.fn("load")(function*({ accepted, api, clubs, dice, withoutRedis }: Options) {
  const events = yield* Events
  const counts = { facts: 0, tests: 0, testsWithoutRedis: 0, unconfirmed: 0 }

  const unconfirmed = Effect.sync(() => {
    counts.unconfirmed += 1
  })

  const record = Effect.gen(function*() {
    const club = dice.pick(clubs)
    if (club === undefined) return
    const facts = Array.from({ length: dice.between(1, 4) }, () => factOf(club, dice))
    const ids = yield* events.recordAll(club.id, facts)
    for (const [index, event] of ids.entries()) {
      const paths = club.endpoints.filter(({ types }) => types.some((type) => type === facts[index]?.type))
      accepted.push({ event, paths: paths.map(({ path }) => path) })
      counts.facts += 1
    }
  })

  const press = Effect.gen(function*() {
    const club = dice.pick(clubs)
    const endpoint = dice.pick(club?.endpoints ?? [])
    if (club === undefined || endpoint === undefined) return
    const lonely = withoutRedis()
    const event = yield* pressTest(api, club, endpoint)
    if (event === undefined) return yield* unconfirmed
    accepted.push({ event, paths: [endpoint.path], isTest: true })
    counts.tests += 1
    if (lonely && withoutRedis()) counts.testsWithoutRedis += 1
  })

  const patiently = (what: typeof record | typeof press) =>
    what.pipe(
      Effect.timeout(patience),
      Effect.catchCause(() => Effect.andThen(unconfirmed, Effect.sleep("100 millis")))
    )

  return {
    counts,
    run: Effect.all([again(patiently(record), dice, 60), again(patiently(press), dice, 100)], {
      concurrency: "unbounded",
      discard: true
    })
  }
})
