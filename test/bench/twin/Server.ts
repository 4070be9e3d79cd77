import { fastify, type FastifyInstance } from "fastify"
import { randomUUIDv7 } from "node:crypto"
import { version } from "../../../src/platform/version.ts"
import { Refusal } from "./Refusal.ts"
import { healthAnswer } from "./schemas.ts"

/** An environment variable that must be set. */
export const variable = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is unset`)
  return value
}

const clientErrors: Record<string, readonly [status: number, code: string]> = {
  FST_ERR_VALIDATION: [422, "validation_failed"],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, "payload_too_large"],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, "unsupported_media_type"],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, "malformed_request"],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, "malformed_request"]
}

/** A server with request ids, compiled validation and errors in the envelope. Its only route is its health. */
export const makeServer = (): FastifyInstance => {
  const app = fastify({
    logger: false,
    bodyLimit: 1_048_576,
    genReqId: () => randomUUIDv7(),
    requestIdHeader: "x-request-id",
    ajv: { customOptions: { allErrors: true, coerceTypes: false, removeAdditional: false, useDefaults: false } }
  })
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id)
  })
  app.get("/v1/health", { schema: { response: healthAnswer } }, () => ({ data: { status: "ok", version } }))
  app.setErrorHandler((error: Error & { readonly code?: string }, _, reply) => {
    if (error instanceof Refusal) {
      return reply.code(error.statusCode).send({ error: { code: error.code, message: error.message } })
    }
    const [status, code] = clientErrors[error.code ?? ""] ?? [500, "internal_error"]
    const message = status === 500
      ? "Something went wrong in the service: try again, and report the X-Request-Id if it happens again"
      : error.message
    return reply.code(status).send({ error: { code, message } })
  })
  app.setNotFoundHandler((_, reply) =>
    reply.code(404).send({ error: { code: "not_found", message: "There is no such route: see /docs" } })
  )
  return app
}
