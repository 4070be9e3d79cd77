import { allRoutes, type Given, partsOf, type Route } from "./Route.ts"

/** How an operation is called, whatever it takes and answers. */
export interface AnyCall<Options> {
  (id: string, route: Route, given: Given, options: Options): unknown
}

type Values = Readonly<Record<string, unknown>>

type Operations = Record<string, (params?: Values, options?: object) => unknown>

const none: Values = Object.freeze({})

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/** The operations of the table as functions, by group and name and by method and path. */
export const surfaceOf = (call: AnyCall<object>): object => {
  const byGroup: Record<string, Operations> = {}
  const byAddress = new Map<string, readonly [string, Route]>()
  for (const [id, route] of allRoutes) {
    const [group = "", name = ""] = id.split(".")
    const operations = (byGroup[group] ??= {})
    operations[name] = (params = none, options = {}) => call(id, route, partsOf(route, params), options)
    byAddress.set(`${route.method} ${route.path}`, [id, route])
  }
  const byMethod = methods.map((method) => [
    method,
    (path: string, { body, path: named = none, query = none }: Partial<Readonly<Record<"path" | "query", Values>>> & {
      readonly body?: unknown
    } = {}, options: object = {}) => {
      const found = byAddress.get(`${method} ${path}`)
      if (found === undefined) throw new TypeError(`There is no operation ${method} ${path}`)
      return call(...found, { path: named, query, body }, options)
    }
  ])
  return Object.freeze({ ...byGroup, ...Object.fromEntries(byMethod) })
}
