/** True if a page of this origin, as its browser names it, may call the API. */
export interface AllowsOrigin {
  (origin: string): boolean
}

const isExact = (text: string) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text && !text.includes("*")
}

const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):\*$/

const port = /^:[1-9]\d{0,4}$/

/** `http://localhost:*`: an origin without a port has the scheme's own port. */
const onAnyPort = (rule: string): AllowsOrigin => {
  const host = rule.slice(0, -":*".length)
  return (origin) => origin.startsWith(host) && (origin.length === host.length || port.test(origin.slice(host.length)))
}

// The part after the label has a dot of its own: nobody means all sites under a top-level domain.
const below = /^https:\/\/\*(\.[a-z0-9_-]+(?:\.[a-z0-9_-]+)+(?::\d+)?)$/

const label = /^[a-z0-9_-]{1,63}$/

/** `https://*.example.com`, where this is `.example.com`: any one label in front of it. */
const ofOneLabel = (domain: string): AllowsOrigin => {
  const scheme = "https://"
  return (origin) =>
    origin.startsWith(scheme) && origin.endsWith(domain) && label.test(origin.slice(scheme.length, -domain.length))
}

const patternOf = (rule: string): AllowsOrigin | undefined => {
  if (loopback.test(rule)) return onAnyPort(rule)
  const domain = below.exec(rule)?.[1]
  return domain !== undefined && isExact(`https://a${domain}`) ? ofOneLabel(domain) : undefined
}

/** In place of an origin: no page at all. */
const nobody = "none"

/**
 * True if `ALLOWED_ORIGINS` may hold this. Allowed are:
 * - `none`
 * - an origin to the letter as browsers send it: `https://app.example.com`, in lower case, with a port unless it is the
 *   scheme's own
 * - `https://*.example.com` for one label
 * - a host of one's own machine with any port (`http://localhost:*`)
 */
export const isOriginRule = (text: string): boolean => text === nobody || isExact(text) || patternOf(text) !== undefined

/** Allows what one of these rules means, compared exactly, and nothing else. */
export const allowing = (rules: ReadonlyArray<string>): AllowsOrigin => {
  const exact = new Set(rules.filter(isExact))
  const patterns = rules.flatMap((rule) => patternOf(rule) ?? [])
  return (origin) => exact.has(origin) || patterns.some((allows) => allows(origin))
}
