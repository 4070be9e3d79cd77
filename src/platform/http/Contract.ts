import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { JsonBodies } from "./JsonBodies.ts"
import { RequestErrors } from "./RequestErrors.ts"

type Groups = readonly [HttpApiGroup.Constraint, ...ReadonlyArray<HttpApiGroup.Constraint>]

/**
 * These groups of the contract as they are served: a body is read up to its first error, and has no unknown field.
 * `issues` finds further errors, within bounds of its own.
 */
export const contractOf = <const Some extends Groups>(...groups: Some) =>
  HttpApi.make("turma")
    .add(...groups)
    // All errors of a large body take seconds to collect and many times its size to name.
    .annotate(HttpApi.PayloadParseOptions, { errors: "first", onExcessProperty: "error" })

/** Of a query: a parameter that nobody knows is refused, like such a field. */
const closed = { errors: "first", onExcessProperty: "error" } as const

/** The same for routes of ours outside of `/v1`, which take no unknown query parameter. */
export const closedContractOf = <const Some extends Groups>(...groups: Some) =>
  contractOf(...groups).annotate(HttpApi.QueryParseOptions, closed).middleware(RequestErrors)

/** The same under `/v1`, where every route answers in the envelope and takes no unknown query parameter. */
export const versioned = <const Some extends Groups>(...groups: Some) =>
  contractOf(...groups)
    .annotate(HttpApi.QueryParseOptions, closed)
    .middleware(JsonBodies)
    .middleware(RequestErrors)
    .prefix("/v1")
