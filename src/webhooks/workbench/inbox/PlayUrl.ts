import { Option, Redacted } from "effect"
import { isToken } from "../../../identity/tokens/Token.ts"

/** The route that takes requests to inboxes. */
export const playRoute = "/play/:token"

/** The start of the path of every inbox's URL. */
export const playPath = "/play/"

/** The start of every inbox's URL of this origin. */
export const playPrefix = (api: URL): string => `${api.origin}${playPath}`

export const playUrl = (api: URL, token: Redacted.Redacted): Redacted.Redacted =>
  Redacted.make(`${playPrefix(api)}${Redacted.value(token)}`)

/**
 * The token of a URL that is exactly an inbox's, as `playUrl` writes it. It parses and normalises nothing. Other cases,
 * encodings, ports, paths, queries and fragments are not ours, and the address rules judge them. Older endpoints were
 * registered by such a URL, before endpoints named an inbox by its id. They still work.
 */
export const tokenIn = (raw: string, prefix: string): Option.Option<Redacted.Redacted> => {
  if (!raw.startsWith(prefix)) return Option.none()
  const token = Redacted.make(raw.slice(prefix.length), { label: "token" })
  return isToken(token) ? Option.some(token) : Option.none()
}
