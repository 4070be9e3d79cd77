import { Context, Effect, Layer } from "effect"
import { eventTypes } from "../../../events/EventTypes.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { NotFound } from "../../../platform/http/errors.ts"
import { type FilterInvalid, isUnfiltered } from "../../endpoint/filter/Filter.ts"
import { absent, judge, matches, reasons, valueAt } from "../../endpoint/filter/matches.ts"
import { judgeFilter } from "../../endpoint/filter/StoredFilter.ts"
import { PayloadPurged } from "../../history/delivery/Delivery.ts"
import { DeliveryHistory } from "../../history/delivery/DeliveryHistory.ts"
import type { FilterTested, TestFilter } from "./FilterTest.ts"

/** Characters of a text that are shown of it. */
const longestText = 500

/**
 * The value that a condition looked at, if it is short. Each of 50 conditions may be about the same large text or
 * object.
 */
const shown = (value: unknown) => {
  if (typeof value === "string") return value.slice(0, longestText).toWellFormed()
  return typeof value === "number" || typeof value === "boolean" ? value : null
}

/** Tries filters on events. Nothing is sent, and nothing is stored. */
export class FilterTests extends Context.Service<FilterTests, {
  /** `NotFound`: the club has no such event. `PayloadPurged`: its body was erased. */
  test(
    club_id: ClubId,
    asked: typeof TestFilter.Type
  ): Effect.Effect<FilterTested, FilterInvalid | NotFound | PayloadPurged>
}>()("turma/webhooks/events/tester/FilterTests") {
  static readonly layer = Layer.effect(
    FilterTests,
    Effect.gen(function*() {
      const history = yield* DeliveryHistory

      const eventOf = Effect.fnUntraced(function*(
        club_id: ClubId,
        { event, event_id, event_type }: typeof TestFilter.Type
      ) {
        if (event !== undefined) return event
        if (event_type !== undefined || event_id === undefined) {
          return eventTypes.find(({ type }) => type === event_type)?.example
        }
        const { payload, payload_purged } = yield* history.event(club_id, event_id)
        if (payload_purged) return yield* new PayloadPurged()
        return payload
      })

      const test = Effect.fn("FilterTests.test")(function*(club_id: ClubId, asked: typeof TestFilter.Type) {
        const filter = yield* Effect.fromResult(judgeFilter(asked.filter))
        const event = yield* eventOf(club_id, asked)
        const isSentAnyway = isUnfiltered(valueAt(event, ["type"]))
        return {
          matches: isSentAnyway || matches(filter, event),
          failed: isSentAnyway ? [] : reasons(filter, event),
          conditions: judge(filter, event).map(({ value, ...judgement }) => ({
            ...judgement,
            present: value !== absent,
            value: shown(value)
          }))
        }
      })

      return FilterTests.of({ test })
    })
  )
}
