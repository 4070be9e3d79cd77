import { type Change, rowsOf } from "./Journal.ts"
import { deliveryOf, takenOf } from "./Shadow.ts"

/**
 * What is wrong with who gets the facts that left the outbox: one delivery for each endpoint that was to get it at that
 * moment. `addressed` keeps all pairs of event and endpoint.
 */
export const judgeAddressing = (changes: ReadonlyArray<Change>, addressed: Set<string>): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const born = changes.flatMap(({ is, was, what }) =>
    what === "webhook_deliveries" && was === undefined && is !== undefined ? [deliveryOf(is)] : []
  )
  const taken = changes.flatMap(({ was, what }) => what === "taken" && was !== undefined ? [takenOf(was)] : [])
  const told = new Set(taken.map(({ id }) => id))
  for (const { endpoint, event, id, type } of born) {
    const key = `${event} ${endpoint}`
    if (addressed.has(key)) problems.push(`Event ${event} has two deliveries to one endpoint`)
    addressed.add(key)
    if (type !== "webhook.test" && !told.has(event)) problems.push(`Delivery ${id} is of no fact`)
  }
  // Who comes to list a type at this very moment may get the fact or not.
  const changing = new Set(rowsOf(changes, "webhook_endpoints").map((row) => `${row["id"]}`))
  for (const { id, isErased, listing, type } of taken) {
    const expected = isErased && type !== "student.removed" ? [] : listing.toSorted()
    const got = born.filter(({ event }) => event === id).map(({ endpoint }) => endpoint).toSorted()
    const isMissing = expected.some((endpoint) => !got.includes(endpoint) && !changing.has(endpoint))
    if (isMissing || got.some((endpoint) => !expected.includes(endpoint))) {
      problems.push(`Event ${id} (${type}) was to go to [${expected.join()}] and goes to [${got.join()}]`)
    }
  }
  return problems
}
