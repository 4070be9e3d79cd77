import { Result, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"

/** Headers of its own that an endpoint has at most. */
const mostHeaders = 20

const longestValue = 1000

/** Headers of an endpoint, by their names in lower case. */
export type OwnHeaders = Readonly<Record<string, string>>

/** Names in lower case, in their order. */
export const shownHeaders = Schema.Array(Schema.String)
  .pipe(field("Names of the headers of its own that every request has; no answer shows their values", []))

// The service judges names and values: it has a code of its own for both, and for their length.
const HeaderValue = Schema.String
  .check(Schema.makeFilter(() => true, { toJsonSchema: () => ({ maxLength: longestValue }) }))

/**
 * If absent, the headers stay as they are; a new endpoint then has no headers. A name with a value is set, and a name
 * with null is removed. Other names stay.
 */
export const askedHeaders = Schema
  .optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.NullOr(Schema.RedactedFromValue(HeaderValue)))))
  .pipe(field(
    "Headers that every request has, by name; null takes one away, or all. Values are kept sealed and never shown",
    {
      "x-api-key": "k-4711"
    }
  ))
export type AskedHeaders = NonNullable<typeof askedHeaders.Type>

/** One that says which, and what is wrong with it; never its value. */
export class HeaderNotAllowed extends ApiError<HeaderNotAllowed>()("HeaderNotAllowed", {
  status: 422,
  code: "header_not_allowed",
  message: {
    en: "headers must be at most 20, without those that the service or the connection sets",
    "pt-BR": "São no máximo 20 cabeçalhos, sem os que o serviço ou a conexão define."
  }
}) {}

const refusal = (name: string, problem: string) =>
  new HeaderNotAllowed({ error: { message: `headers.${name.slice(0, 100)}: ${problem}` } })

/** A token of RFC 9110. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/

/** Visible ASCII, with spaces and tabs between. */
const value = /^[\x21-\x7e](?:[\x20-\x7e\t]{0,998}[\x21-\x7e])?$/

/**
 * Headers that belong to the connection, to the request's form, to cookies, to a proxy, or to the service. The proxies
 * belong to the large clouds and networks. A receiver behind one reads the client's address, host, identity or
 * certificate from these headers.
 */
const denied: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "ali-cdn-real-ip",
  "alt-used",
  "cdn-loop",
  "cdn-src-ip",
  "client-ip",
  "connection",
  "cookie",
  "cookie2",
  "date",
  "disguised-host",
  "do-connecting-ip",
  "early-data",
  "expect",
  "forwarded",
  "front-end-https",
  "host",
  "http2-settings",
  "keep-alive",
  "max-forwards",
  "set-cookie",
  "te",
  "traceparent",
  "tracestate",
  "trailer",
  "transfer-encoding",
  "true-client-ip",
  "upgrade",
  "user-agent",
  "via",
  "was-default-hostname",
  "wl-proxy-client-ip",
  "x-client-ip",
  "x-client-port",
  "x-cloud-trace-context",
  "x-cluster-client-ip",
  "x-forwarded",
  "x-host",
  "x-http-method",
  "x-http-method-override",
  "x-method-override",
  "x-original-forwarded-for",
  "x-original-host",
  "x-original-url",
  "x-originating-ip",
  "x-proxyuser-ip",
  "x-real-ip",
  "x-rewrite-url",
  "x-scheme",
  "x-url-scheme",
  "x-vercel-forwarded-for",
  "x-vercel-id",
  "x-vercel-proxied-for",
  "x-vercel-proxy-signature",
  "x-vercel-proxy-signature-ts",
  "x-waws-unencoded-url"
])
const deniedPrefixes = [
  "akamai-",
  "cf-",
  "client-cert",
  "cloudfront-",
  "content-",
  "fastly-",
  "fly-",
  "proxy-",
  "remote-",
  "sec-",
  "ssl-client-",
  "turma-",
  "webhook-",
  "x-akamai-",
  "x-amz-",
  "x-amzn-",
  "x-appengine-",
  "x-appgw-",
  "x-arr-",
  "x-auth-request-",
  "x-azure-",
  "x-client-cert",
  "x-client-geo-",
  "x-envoy-",
  "x-forwarded-",
  "x-gfe-",
  "x-goog-authenticated-user-",
  "x-goog-iap-",
  "x-ms-client-principal",
  "x-ms-token-",
  "x-nf-",
  "x-remote-",
  "x-ssl-",
  "x-tls-",
  "x-vercel-ip-"
]

/** By these a sender passes Cloudflare Access: the receiver's own proxy asks for them. */
const accessTokens: ReadonlySet<string> = new Set(["cf-access-client-id", "cf-access-client-secret", "cf-access-token"])

/**
 * True if the service or the connection sets it, so that nobody else may. The name is in lower case. Receivers that read headers
 * as variables of CGI (RFC 3875, 4.1.18) see `_` and `-` as one, so here they are one too.
 */
export const isDenied = (name: string): boolean => {
  const read = name.replaceAll("_", "-")
  return denied.has(read) || (!accessTokens.has(read) && deniedPrefixes.some((prefix) => read.startsWith(prefix)))
}

const judgeName = (name: string): Result.Result<string, HeaderNotAllowed> => {
  if (!token.test(name)) return Result.fail(refusal(name, "must be a token of at most 100 characters"))
  const lower = name.toLowerCase()
  return isDenied(lower) ? Result.fail(refusal(name, "is set by the service or the connection")) : Result.succeed(lower)
}

/** The requested headers, with names in lower case. Every value is one that a header may have, or null. */
export const judgeHeaders = (
  asked: Readonly<Record<string, string | null>>
): Result.Result<ReadonlyMap<string, string | null>, HeaderNotAllowed> => {
  const judged = new Map<string, string | null>()
  for (const [name, content] of Object.entries(asked)) {
    const lower = judgeName(name)
    if (Result.isFailure(lower)) return Result.fail(lower.failure)
    if (judged.has(lower.success)) return Result.fail(refusal(name, "is sent twice"))
    if (content !== null && !value.test(content)) {
      return Result.fail(refusal(name, "must be 1 to 1000 characters of visible ASCII, with spaces only between them"))
    }
    judged.set(lower.success, content)
  }
  return Result.succeed(judged)
}

/** The headers with these changes, in the order of their names. */
export const changed = (
  before: OwnHeaders,
  changes: ReadonlyMap<string, string | null>
): Result.Result<OwnHeaders, HeaderNotAllowed> => {
  const after = new Map<string, string | null>([...Object.entries(before), ...changes])
  const left = [...after].flatMap(([name, content]) => content === null ? [] : [[name, content] as const])
  if (left.length > mostHeaders) {
    return Result.fail(new HeaderNotAllowed({ error: { message: `headers: must be ${mostHeaders} at most` } }))
  }
  return Result.succeed(Object.fromEntries(left.toSorted(([one], [other]) => one < other ? -1 : 1)))
}
