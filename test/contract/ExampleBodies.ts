import { at } from "../harness/App.ts"
import { bodySchema, isObject, type Listed } from "../harness/Document.ts"
import type { Everything } from "./EveryOperation.ts"

/** What only somebody's own club can know: ids, what was mailed or belongs to an account, and an address that is there. */
const isOwn = (key: string) => /(?:^|_)ids?$/.test(key) || own.has(key)
const own = new Set(["token", "code", "device_code", "user_code", "email", "url", "secret", "mentions", "public_id"])

const camel = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The id in the test's club for a field: `assignee_user_id` is a user's, and the `id` beside a `kind` is of that kind. */
const idOf = (key: string, beside: Readonly<Record<string, unknown>>, ids: Readonly<Record<string, string>>) => {
  if (key === "id") return ids[`${String(beside["kind"])}Id`]
  const short = key.replace(/^[a-z]+_(?=[a-z]+_id$)/, "")
  return ids[camel(key)] ?? ids[camel(short)]
}

/** Whether the value is what it is because of the club alone: an id, a list of ids, or of nothing but fields with ids. */
const isOfIds = (key: string, value: unknown) =>
  isOwn(key) ||
  (Array.isArray(value) && value.length > 0 &&
    value.every((item) => isObject(item) && Object.keys(item).every(isOwn)))

/**
 * The example with ids, tokens, codes and addresses that are there; nothing else of it is another. An id of what the
 * club does not have is left out.
 */
const fitted = (value: unknown, known: unknown, ids: Readonly<Record<string, string>>): unknown => {
  if (Array.isArray(value)) {
    return value.map((item, index) => fitted(item, Array.isArray(known) ? known[index] : undefined, ids))
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, one]) => {
    const given = isObject(known) ? known[key] : undefined
    if (!isOfIds(key, one)) return [[key, fitted(one, given, ids)]]
    if (given !== undefined) return [[key, given]]
    if (Array.isArray(one)) return [[key, []]]
    const there = own.has(key) ? one : idOf(key, value, ids)
    return there === undefined ? [] : [[key, there]]
  }))
}

const exampleOf = ({ requestBody }: Listed): unknown => at(requestBody, "content", "application/json", "example")

/** The body that the description shows for the operation, with what only this club can know. */
export const exampleBody = (operation: Listed, world: Everything) => {
  if (bodySchema(operation) === undefined) return undefined
  return fitted(exampleOf(operation), world.asked[operation.name]?.body, world.ids)
}
