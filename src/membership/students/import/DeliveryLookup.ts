import { Option } from "effect"
import type { NamedDelivery } from "../../catalog/GrantableDeliveries.ts"
import { fold } from "./fold.ts"

interface Named {
  readonly id: string
  readonly name: string
}

/** The thing with this id, or all things with this name. */
type Lookup<Thing> = (text: string) => ReadonlyArray<Thing>

const lookupOf = <Thing extends Named>(things: ReadonlyArray<Thing>): Lookup<Thing> => {
  const byId = new Map(things.map((thing) => [thing.id, thing]))
  const byName = Map.groupBy(things, ({ name }) => fold(name))
  return (text) => {
    const key = fold(text)
    return Option.match(Option.fromNullishOr(byId.get(key)), {
      onNone: () => byName.get(key) ?? [],
      onSome: (thing) => [thing]
    })
  }
}

/** Finds the club's deliveries by id or name, each with a lookup of its cohorts. */
export const deliveryLookup = (deliveries: ReadonlyArray<NamedDelivery>) =>
  lookupOf(deliveries.map(({ cohorts, id, name }) => ({ id, name, cohorts: lookupOf(cohorts) })))
/** The result of `deliveryLookup`. */
export type DeliveryLookup = ReturnType<typeof deliveryLookup>
