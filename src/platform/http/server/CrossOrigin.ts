import { HttpServerResponse } from "effect/http"
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import type { AllowsOrigin } from "../Origins.ts"

/** The headers of an answer that a page may read, beside the ones that every page may. */
const exposed = [
  "X-Request-Id",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Idempotency-Replayed",
  "Content-Disposition",
  "ETag"
].join(", ")

/** The headers that a page may send: every header that a route reads. */
const accepted = [
  "Accept-Language",
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-None-Match",
  "If-Range",
  "Last-Event-ID",
  "MCP-Protocol-Version",
  "Mcp-Method",
  "Mcp-Name",
  "Range",
  "X-Request-Id"
].join(", ")

const allowOrigin = "access-control-allow-origin"

const none: Readonly<Record<string, string>> = {}

/** The headers that let the asking page read the answer; empty if it may not, or if the request comes from no page. */
export interface CrossOrigin {
  (headers: IncomingHttpHeaders): Readonly<Record<string, string>>
}

/** For pages of these origins. Credentials are never allowed: sessions come in `Authorization` alone. */
export const crossOrigin = (allows: AllowsOrigin): CrossOrigin => ({ origin }) =>
  origin === undefined || !allows(origin) ? none : {
    [allowOrigin]: origin,
    "access-control-expose-headers": exposed,
    "timing-allow-origin": origin
  }

/** True if a page of an allowed origin asks what it may send. The server has marked the answer by then. */
export const isPreflight = (response: ServerResponse): boolean =>
  response.req.method === "OPTIONS" && response.req.headers["access-control-request-method"] !== undefined &&
  response.hasHeader(allowOrigin)

/** Takes the leave to read it from an answer that is a page: people look at it, and no other page has to. */
export const withhold = (response: ServerResponse): void => {
  response.removeHeader(allowOrigin)
  response.removeHeader("access-control-expose-headers")
  response.removeHeader("timing-allow-origin")
}

/** The answer, for a route with these methods. A browser keeps it for an hour. */
export const preflightAnswer = (methods: ReadonlyArray<string>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({
    status: 204,
    headers: {
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": accepted,
      "access-control-max-age": "3600"
    }
  })
