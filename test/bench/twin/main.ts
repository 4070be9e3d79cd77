// The three routes as a careful engineer would write them by hand, to compare with Turma: Fastify and postgres.js. It
// has prepared statements, compiled validation and serialisation, no request log, and no metrics. Turma does keep
// metrics.
import type { FastifyReply, FastifyRequest } from "fastify"
import postgres from "postgres"
import { makeGamifications } from "./Gamifications.ts"
import type { SentLevel } from "./Ladder.ts"
import { forbidden, Refusal, unauthenticated } from "./Refusal.ts"
import { gamificationAnswer, ladderBody, meAnswer } from "./schemas.ts"
import { makeServer, variable } from "./Server.ts"
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
    /** The person who asks, once a hook has found them. */
    person: Person
    /** The internal id of the club in the path, once a hook has checked the right to act in it. */
    club_id: string
  }
}

const sql = postgres(variable("DATABASE_URL"), {
  max: Number(variable("DATABASE_POOL")),
  connection: { application_name: "twin" }
})

const findSession = makeSessions(sql)
const gamifications = makeGamifications(sql)
const countClubWrite = makeWriteCounter("club-writes", Number(variable("RATE_LIMIT_WRITES")))
const countIpWrite = makeWriteCounter("ip-writes", Number(variable("RATE_LIMIT_WRITES")))

const app = makeServer()

app.decorateRequest("person")
app.decorateRequest("club_id", "")

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

/** Admits a member with one of the roles and, if the route takes both, a student of the club. */
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

/** Admits a write and counts it on its club. A refused write counts on its address. */
const admitWrite = async (request: FastifyRequest<ClubRoute>, reply: FastifyReply) => {
  try {
    await clubPerson("administration")(request)
  } catch (error) {
    if (error instanceof Refusal) countIpWrite(request.ip, reply)
    throw error
  }
  countClubWrite(request.club_id, reply)
}

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

process.once("SIGTERM", () => void app.close().then(() => sql.end()))

await app.listen({ host: "127.0.0.1", port: Number(variable("PORT")) })
