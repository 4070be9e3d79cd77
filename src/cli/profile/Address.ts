import { Effect } from "effect"
import { UsageError } from "../errors/UsageError.ts"

/** Where `npm start` serves. */
export const usualUrl = "http://127.0.0.1:3000"

const isThisMachine = (hostname: string) =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/**
 * The stored form of a service's address, without a slash at its end. Keys leave over TLS alone, except to this
 * machine. `from` names the setting in an error.
 */
export const serviceUrl = Effect.fnUntraced(function*(text: string, from: string) {
  const url = URL.parse(text)
  const wrong = (expected: string) => new UsageError({ message: `${from}: expected ${expected}` })
  if (url === null || !/^https?:$/.test(url.protocol)) return yield* wrong("the https address of a Turma")
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return yield* wrong("an address without user, password, ? and #")
  }
  if (url.protocol === "http:" && !isThisMachine(url.hostname)) {
    return yield* wrong("https: a key is sent over plain http to this machine alone")
  }
  return url.href.replace(/\/+$/, "").replace(/\/v1$/, "")
})
