import { WebhookVerificationError } from "./WebhookVerificationError.ts"

/** Headers as a `Headers` or a `Map` has them, or as an object by their names. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null | undefined }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The signed headers of a webhook. */
export interface Signed {
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: string
  /** In base64, of `v1`: HMAC with a secret. */
  readonly signatures: ReadonlyArray<string>
  /** In base64, of `v1a`: Ed25519 with a private key. */
  readonly asymmetric: ReadonlyArray<string>
}

type Getter = Extract<WebhookHeaders, { readonly get: (name: string) => string | null | undefined }>

const isGetter = (headers: WebhookHeaders): headers is Getter => typeof headers["get"] === "function"

const valuesOf = (headers: WebhookHeaders, name: string): ReadonlyArray<string> => {
  if (isGetter(headers)) return [headers.get(name) ?? []].flat()
  return Object.entries(headers).flatMap(([key, value]) => key.toLowerCase() === name ? value ?? [] : [])
}

const duplicated = (name: string) =>
  new WebhookVerificationError("header_duplicated", `The header ${name} came more than once`)

/** The one value of a header. Several, which runtimes join by commas, are nobody's who has signed. */
const one = (headers: WebhookHeaders, name: string, several: RegExp) => {
  const [value = "", ...others] = valuesOf(headers, name)
  if (value === "") throw new WebhookVerificationError("header_missing", `The header ${name} is missing`)
  if (others.length > 0 || several.test(value)) throw duplicated(name)
  return value
}

/** The signed headers, if the request has all headers of a webhook. */
export const signedOf = (headers: WebhookHeaders): Signed => {
  const id = one(headers, "webhook-id", /,/)
  const timestamp = one(headers, "webhook-timestamp", /,/)
  const signature = one(headers, "webhook-signature", /,(?:\s|[^\s,]*,)/)
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError("timestamp_invalid", "The header webhook-timestamp must be Unix seconds")
  }
  const of = (version: string) =>
    signature.split(" ").flatMap((part) => part.startsWith(version) ? [part.slice(version.length)] : [])
  return { id, timestamp, signatures: of("v1,"), asymmetric: of("v1a,") }
}
