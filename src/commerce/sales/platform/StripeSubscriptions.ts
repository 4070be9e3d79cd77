import { Array, DateTime, Result, type Schema } from "effect"
import { bodyReader, Flag, Id, list, object, required, Seconds } from "./BodyReader.ts"
import { type FactReader, noFacts } from "./InboundEventReader.ts"

const SubscriptionBody = bodyReader({
  created: Seconds,
  data: object({
    object: object({
      id: Id,
      cancel_at: Seconds,
      cancel_at_period_end: Flag,
      canceled_at: Seconds,
      current_period_end: Seconds,
      ended_at: Seconds,
      // The items have the period's end today.
      items: object({ data: list({ current_period_end: Seconds, price: object({ id: Id, product: Id }) }) })
    })
  })
})

const readSubscription = (json: Schema.Json) =>
  Result.gen(function*() {
    const { created, data } = yield* SubscriptionBody(json)
    const subscription = yield* required(data?.object, "data.object")
    const items = subscription.items?.data ?? []
    const ends = Array.sort(items.flatMap(({ current_period_end }) => current_period_end ?? []), DateTime.Order)
    return {
      subscription,
      period_end: ends.at(-1) ?? subscription.current_period_end,
      fact: {
        kind: "canceled" as const,
        at: subscription.canceled_at ?? created,
        buyer: null,
        products: items.flatMap(({ price }) =>
          price === null || price.product === null
            ? []
            : [{ external_id: price.product, name: null, offer_external_id: price.id }]
        ),
        subscription: { external_id: yield* required(subscription.id, "data.object.id"), plan_name: null }
      }
    }
  })

/** Anything about a subscription has changed: only that it is to end matters. */
export const subscriptionUpdated: FactReader = (json) =>
  Result.gen(function*() {
    const { fact, period_end, subscription } = yield* readSubscription(json)
    if (!subscription.cancel_at_period_end && subscription.cancel_at === null) return yield* noFacts
    const until = yield* required(subscription.cancel_at ?? period_end, "data.object.items.data[0].current_period_end")
    return [{ ...fact, period_end: until }]
  })

/** It has ended: with its period, or before it at once, by hand or because nobody paid. */
export const subscriptionDeleted: FactReader = (json) =>
  Result.map(readSubscription(json), ({ fact, period_end, subscription: { ended_at } }) => {
    const early = ended_at !== null && period_end !== null && DateTime.isLessThan(ended_at, period_end)
    return [{ ...fact, at: ended_at ?? fact.at, period_end: early ? ended_at : period_end }]
  })
