import { timeOf } from "../../src/platform/sql/Uuid7.ts"
import { passes } from "./Filters.ts"
import { type Change, rowsOf } from "./Journal.ts"
import { deliveryOf, messageOf, takenOf } from "./Shadow.ts"
import { bodyAge } from "./Transitions.ts"

/**
 * The problems with the deliveries of facts that left the outbox. A fact has one delivery for each endpoint that should
 * get it at that moment. The endpoint's age, types and filter decide, by the body as it was assembled. No filter holds
 * back a removal. `addressed` keeps all pairs of event and endpoint.
 */
export const judgeAddressing = (
  changes: ReadonlyArray<Change>,
  now: number,
  addressed: Set<string>
): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const newRows = (table: string) =>
    changes.flatMap(({ is, was, what }) => what === table && was === undefined && is !== undefined ? [is] : [])
  const born = newRows("webhook_deliveries").map(deliveryOf)
  const bodies = new Map(newRows("webhook_messages").map(messageOf).map(({ id, told }) => [id, told]))
  const taken = changes.flatMap(({ was, what }) => what === "taken" && was !== undefined ? [takenOf(was)] : [])
  const told = new Set(taken.map(({ id }) => id))
  for (const { endpoint, event, id, type } of born) {
    const key = `${event} ${endpoint}`
    if (addressed.has(key)) problems.push(`Event ${event} has two deliveries to one endpoint`)
    addressed.add(key)
    if (type !== "webhook.test" && !told.has(event)) problems.push(`Delivery ${id} is of no fact`)
  }
  // An endpoint that changes at this moment may get the fact or not.
  const changing = new Set(rowsOf(changes, "webhook_endpoints").map((row) => `${row["id"]}`))
  for (const { id, isErased, listing, place, type } of taken) {
    const isSent = !isErased || type === "student.removed"
    const body = bodies.get(id)
    // A fact that waited longer than bodies are kept has no body, so a filter cannot be judged.
    const isLate = timeOf(id).epochMilliseconds <= now - bodyAge
    if (isSent ? body === undefined && !isLate : body !== undefined) {
      problems.push(`Event ${id} (${type}) has ${body ? "a" : "no"} body`)
    }
    const wanting = listing.filter(({ filter, place: own }) => {
      if (own > place) return false
      return type === "student.removed" || (body === undefined ? filter === null : passes(filter, body))
    })
    const expected = isSent ? wanting.map((one) => one.id).toSorted() : []
    const got = born.filter(({ event }) => event === id).map(({ endpoint }) => endpoint).toSorted()
    const isMissing = expected.some((endpoint) => !got.includes(endpoint) && !changing.has(endpoint))
    if (isMissing || got.some((endpoint) => !expected.includes(endpoint) && !changing.has(endpoint))) {
      problems.push(`Event ${id} (${type}) was to go to [${expected.join()}] and goes to [${got.join()}]`)
    }
  }
  return problems
}
