import { routes } from "../contract/Routes.ts"

/** An operation as it is called. */
export interface Route {
  readonly method: string
  /** Its path, with `{name}` for what a call names. */
  readonly path: string
  /** True if it cannot be called without a body. */
  readonly body: boolean
  /** True if it takes no token. */
  readonly open: boolean
  /** True if it takes an `Idempotency-Key`. */
  readonly key: boolean
  /** True if it answers a list. */
  readonly list: boolean
  /** True if it answers a stream of events. */
  readonly stream: boolean
}

/** The operation that a line of the table describes. */
const parseRoute = (line: string): Route => {
  const [method = "", path = "", ...flags] = line.split(" ")
  return {
    method,
    path,
    body: flags.includes("body"),
    open: flags.includes("open"),
    key: flags.includes("key"),
    list: flags.includes("list"),
    stream: flags.includes("stream")
  }
}

/** Every operation by its id. */
export const allRoutes: ReadonlyArray<readonly [id: string, route: Route]> = Object.entries(routes).map((
  [id, line]
) => [id, parseRoute(line)])

/** The arguments of a call, by kind. */
export interface Given {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

const nameInPath = /\{(\w+)\}/g

const segment = (name: string, value: unknown) => {
  if (typeof value !== "string" && typeof value !== "number") throw new TypeError(`${name} is required`)
  const text = encodeURIComponent(value)
  // An address with these segments would be that of something else.
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name} must name something`)
  return text
}

const valueInQuery = (name: string, value: unknown) => {
  if (typeof value === "object") throw new TypeError(`${name} must be a text, a number or a boolean`)
  return String(value)
}

/** The address of a call. Values are escaped; undefined and null are omitted. */
export const addressOf = ({ path }: Route, given: Given): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given.query)) {
    if (value !== undefined && value !== null) query.append(name, valueInQuery(name, value))
  }
  const address = path.replaceAll(nameInPath, (_, name: string) => segment(name, given.path[name]))
  return query.size === 0 ? address : `${address}?${query}`
}

/** The parameters of a call, told apart: those that the path names, `body`, and those of the query. */
export const partsOf = ({ path }: Route, params: Readonly<Record<string, unknown>>): Given => {
  const names = new Set([...path.matchAll(nameInPath)].map(([, name]) => name))
  const { body, ...rest } = params
  const entries = Object.entries(rest)
  return {
    path: Object.fromEntries(entries.filter(([name]) => names.has(name))),
    query: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
    body
  }
}
