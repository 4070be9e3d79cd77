import { at } from "../harness/App.ts"
import { bodySchema, isObject, type Listed } from "../harness/Document.ts"
import type { Everything } from "./EveryOperation.ts"

/** True for a field with a value of its club: an id, a mailed code, an account's secret, or an existing address. */
const isOwn = (key: string) => /(?:^|_)ids?$/.test(key) || own.has(key)
const own = new Set(["token", "code", "device_code", "user_code", "email", "url", "secret", "mentions", "public_id"])

const camel = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The test club's id for a field. `assignee_user_id` names a user. The kind of an `id` stands beside it in `kind`. */
const idOf = (key: string, beside: Readonly<Record<string, unknown>>, ids: Readonly<Record<string, string>>) => {
  if (key === "id") return ids[`${String(beside["kind"])}Id`]
  const short = key.replace(/^[a-z]+_(?=[a-z]+_id$)/, "")
  return ids[camel(key)] ?? ids[camel(short)]
}

/** True if the value depends on the club alone: an id, a list of ids, or a list of records with only ids. */
const isOfIds = (key: string, value: unknown) =>
  isOwn(key) ||
  (Array.isArray(value) && value.length > 0 &&
    value.every((item) => isObject(item) && Object.keys(item).every(isOwn)))

/**
 * The example with the ids, tokens, codes and addresses of the test's club. The rest stays as it is. If the club has
 * no such thing, the result has no id for it.
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

/** The operation's example body from the description, with the values of the test's club. */
export const exampleBody = (operation: Listed, world: Everything) => {
  if (bodySchema(operation) === undefined) return undefined
  return fitted(exampleOf(operation), world.asked[operation.name]?.body, world.ids)
}
