import { Option, Redacted } from "effect"
import { isToken } from "../../../identity/tokens/Token.ts"

/** The route that takes requests to inboxes. */
export const playRoute = "/play/:token"

/** What the path of every inbox's URL begins with. */
export const playPath = "/play/"

/** What every inbox's URL of this origin begins with. */
export const playPrefix = (api: URL): string => `${api.origin}${playPath}`

export const playUrl = (api: URL, token: Redacted.Redacted): Redacted.Redacted =>
  Redacted.make(`${playPrefix(api)}${Redacted.value(token)}`)

/**
 * The token of a URL that is an inbox's to the letter, as `playUrl` writes it. Nothing is parsed or normalised: other cases,
 * encodings, ports, paths, queries and fragments are none of ours, and the address rules judge them. Endpoints were registered
 * so before they named an inbox by its id; those that were go on.
 */
export const tokenIn = (raw: string, prefix: string): Option.Option<Redacted.Redacted> => {
  if (!raw.startsWith(prefix)) return Option.none()
  const token = Redacted.make(raw.slice(prefix.length), { label: "token" })
  return isToken(token) ? Option.some(token) : Option.none()
}
