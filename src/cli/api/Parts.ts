import { Effect, Schema } from "effect"
import { whyUnexpected } from "../errors/Unreadable.ts"
import { UsageError } from "../errors/UsageError.ts"

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

const wrong = (message: string) => new UsageError({ message })

/** The texts before and after the first of these separators. */
const divided = (text: string, by: string) => {
  const at = text.indexOf(by)
  return at < 1 ? undefined : [text.slice(0, at), text.slice(at + by.length)] as const
}

/** The fields of `-f name=value` and `-F name=json`. */
export const parseFields = Effect.fnUntraced(function*(texts: ReadonlyArray<string>, typed: ReadonlyArray<string>) {
  const fields: Array<readonly [string, Schema.Json]> = []
  for (const text of texts) {
    const parts = divided(text, "=")
    if (parts === undefined) return yield* wrong("--field: expected name=value")
    fields.push(parts)
  }
  for (const text of typed) {
    const parts = divided(text, "=")
    if (parts === undefined) return yield* wrong("--typed: expected name=json")
    const [name, json] = parts
    const value = yield* Effect.mapError(
      decodeJson(json),
      () => wrong(`--typed: ${name} cannot be read: ${whyUnexpected(json)}`)
    )
    fields.push([name, value])
  }
  return fields
})

/** Of the connection, not of the request. */
const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

/** The headers of `-H`. The profile alone sets `Authorization`. */
export const parseHeaders = Effect.fnUntraced(function*(texts: ReadonlyArray<string>) {
  const headers: Record<string, string> = {}
  for (const text of texts) {
    const [name, value] = divided(text, ":") ?? []
    if (name === undefined || value === undefined || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      return yield* wrong("--header: expected name: value")
    }
    if (name.toLowerCase() === "authorization") return yield* wrong("--header: authorization is the profile's key")
    if (ofConnection.has(name.toLowerCase())) return yield* wrong(`--header: ${name} is the connection's to say`)
    const content = value.trim()
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(content)) {
      return yield* wrong(`--header: ${name} has a character that no header takes`)
    }
    headers[name] = content
  }
  return headers
})

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** The method in capitals. */
export const parseMethod = (text: string) => {
  const method = methods.find((one) => one === text.toUpperCase())
  return method === undefined
    ? Effect.fail(wrong(`${text} is no method: expected ${methods.join(", ")}`))
    : Effect.succeed(method)
}

/**
 * The path at the service. A path to another place is refused, also to a neighbour at the same address: the key would
 * go there.
 */
export const addressOf = (base: string, path: string) => {
  const url = path.startsWith("/") ? URL.parse(base + path) : null
  const { origin, pathname } = new URL(`${base}/`)
  return url !== null && url.origin === origin && url.pathname.startsWith(pathname)
    ? Effect.succeed(url)
    : Effect.fail(wrong(`${path} is no path of the API: expected /v1/…`))
}
