import { Option } from "effect"
import type { NamedDelivery } from "../../catalog/Catalog.ts"

/** No name is longer, and one character may become 18. */
const longestName = 1000

/** Text as it is compared: without case, accents and the white space around it. What is too long for a name stays. */
export const fold = (text: string): string =>
  text.length > longestName
    ? text
    : text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().trim()

interface Named {
  readonly id: string
  readonly name: string
}

/** What a person may mean by a text: the thing with this id, or all things of this name. */
export type Lookup<Thing> = (text: string) => ReadonlyArray<Thing>

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

/** The club's deliveries as rows name them, each with its cohorts. */
export const placesOf = (deliveries: ReadonlyArray<NamedDelivery>) =>
  lookupOf(deliveries.map(({ cohorts, id, name }) => ({ id, name, cohorts: lookupOf(cohorts) })))
export type Places = ReturnType<typeof placesOf>
