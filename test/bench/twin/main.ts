// What a careful engineer would write by hand, as a measure for Turma: Fastify and postgres.js, the same three routes.
// Prepared statements, compiled validation and serialisation, no request log; also no metrics, which Turma does keep.
import { fastify, type FastifyReply, type FastifyRequest } from "fastify"
import { randomUUIDv7 } from "node:crypto"
import postgres from "postgres"
import { makeGamifications } from "./Gamifications.ts"
import type { SentLevel } from "./Ladder.ts"
import { forbidden, Refusal, unauthenticated } from "./Refusal.ts"
import { gamificationAnswer, ladderBody, meAnswer } from "./schemas.ts"
import { makeSessions } from "./Sessions.ts"
import { makeWriteCounter } from "./WriteCounter.ts"

interface ClubRoute {
  Params: { readonly clubId: string }
}

interface LadderRoute extends ClubRoute {
  Body: { readonly levels: ReadonlyArray<SentLevel> }
}

interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly verified: boolean
}

declare module "fastify" {
  interface FastifyRequest {
    /** Whoever asks, once a hook has found out. */
    person: Person
    /** The internal id of the club in the path, once the right to act in it is proven. */
    club_id: string
  }
}

const variable = (name: string) => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is unset`)
  return value
}

const sql = postgres(variable("DATABASE_URL"), {
  max: Number(variable("DATABASE_POOL")),
  connection: { application_name: "twin" }
})

const findSession = makeSessions(sql)
const gamifications = makeGamifications(sql)
const countClubWrite = makeWriteCounter("club-writes", Number(variable("RATE_LIMIT_WRITES")))
const countIpWrite = makeWriteCounter("ip-writes", Number(variable("RATE_LIMIT_WRITES")))

const app = fastify({
  logger: false,
  bodyLimit: 1_048_576,
  genReqId: () => randomUUIDv7(),
  requestIdHeader: "x-request-id",
  ajv: { customOptions: { allErrors: true, coerceTypes: false, removeAdditional: false, useDefaults: false } }
})

app.decorateRequest("person")
app.decorateRequest("club_id", "")

app.addHook("onRequest", async (request, reply) => {
  reply.header("x-request-id", request.id)
})

const personOf = ({ account_id, email, name, verified }: Awaited<ReturnType<typeof findSession>>): Person => ({
  id: account_id,
  name,
  email,
  verified
})

const user = async (request: FastifyRequest) => {
  const found = await findSession(request.headers.authorization, undefined)
  if (found.kind !== "admin") throw unauthenticated()
  request.person = personOf(found)
}

/** A member with one of the roles or, where a route is for both, a student of the club. */
const clubPerson = (takes: "members-and-students" | "administration") =>
async (
  request: FastifyRequest<ClubRoute>
) => {
  const found = await findSession(request.headers.authorization, request.params.clubId)
  if (found.kind === "student") {
    if (takes === "administration") throw unauthenticated()
    if (found.organization_id !== request.params.clubId || found.club_id === null) throw forbidden()
  } else if (
    found.role === null || found.club_id === null ||
    (takes === "administration" && found.role !== "owner" && found.role !== "admin")
  ) throw forbidden()
  request.person = personOf(found)
  request.club_id = found.club_id
}

/** Admits a write and counts it: on its club, or on its address if it is turned away. */
const admitWrite = async (request: FastifyRequest<ClubRoute>, reply: FastifyReply) => {
  try {
    await clubPerson("administration")(request)
  } catch (error) {
    if (error instanceof Refusal) countIpWrite(request.ip, reply)
    throw error
  }
  countClubWrite(request.club_id, reply)
}

app.get("/v1/health", () => ({ data: { status: "ok" } }))

app.get("/v1/me", { onRequest: user, schema: { response: meAnswer } }, async ({ person }) => {
  const organizations = await sql`
    select c.organization_id, c.name, m.role, c.slug
    from members m join clubs c on c.id = m.club_id
    where m.user_id = ${person.id}
    order by m.created_at, c.id`
  return { data: { ...person, organizations } }
})

app.get<ClubRoute>(
  "/v1/clubs/:clubId/gamification",
  { onRequest: clubPerson("members-and-students"), schema: { response: gamificationAnswer } },
  async ({ club_id }) => ({ data: await gamifications.read(club_id) })
)

app.put<LadderRoute>(
  "/v1/clubs/:clubId/gamification/levels",
  { onRequest: admitWrite, schema: { body: ladderBody, response: gamificationAnswer } },
  async ({ body: { levels }, club_id }) => {
    const broken = levels.findIndex(({ name }) => !name.isWellFormed())
    if (broken !== -1) throw new Refusal(422, "validation_failed", `levels[${broken}].name: not well-formed`)
    return { data: await gamifications.replaceLevels(club_id, levels) }
  }
)

const clientErrors: Record<string, readonly [status: number, code: string]> = {
  FST_ERR_VALIDATION: [422, "validation_failed"],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, "payload_too_large"],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, "unsupported_media_type"],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, "malformed_request"],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, "malformed_request"]
}

app.setErrorHandler((error: Error & { readonly code?: string }, _, reply) => {
  if (error instanceof Refusal) {
    return reply.code(error.statusCode).send({ error: { code: error.code, message: error.message } })
  }
  const [status, code] = clientErrors[error.code ?? ""] ?? [500, "internal_error"]
  const message = status === 500 ? "Something went wrong" : error.message
  return reply.code(status).send({ error: { code, message } })
})

app.setNotFoundHandler((_, reply) => reply.code(404).send({ error: { code: "not_found", message: "No such route" } }))

process.once("SIGTERM", () => void app.close().then(() => sql.end()))

await app.listen({ host: "127.0.0.1", port: Number(variable("PORT")) })
