// The classroom and the ranking as a careful engineer would write them by hand, to compare with Turma. It uses Fastify
// and postgres.js on the same tables, with the same triggers.
import type { FastifyReply, FastifyRequest } from "fastify"
import postgres from "postgres"
import { makeAsks, type Student } from "./Asks.ts"
import {
  askAnswer,
  completionAnswer,
  ownRankingAnswer,
  rankingAnswer,
  rankingQuery,
  repositoriesAnswer
} from "./classroomSchemas.ts"
import { makeCompletions } from "./Completions.ts"
import { makeRankings, type Period } from "./Rankings.ts"
import { forbidden, Refusal, unauthenticated } from "./Refusal.ts"
import { makeRepositories } from "./Repositories.ts"
import { makeServer, variable } from "./Server.ts"
import { type Found, makeSessions } from "./Sessions.ts"
import { makeWriteCounter } from "./WriteCounter.ts"

interface ClubRoute {
  Params: { readonly clubId: string }
}

interface LessonRoute {
  Params: { readonly clubId: string; readonly publicId: string }
}

interface RankingRoute extends ClubRoute {
  Querystring: { readonly period?: Period; readonly limit?: string; readonly cursor?: string }
}

declare module "fastify" {
  interface FastifyRequest {
    /** The student who asks, once a hook has found them. A member counts as a student without courses. */
    student: Student
  }
}

const sql = postgres(variable("DATABASE_URL"), {
  max: Number(variable("DATABASE_POOL")),
  connection: { application_name: "twin" }
})

const findSession = makeSessions(sql)
const asks = makeAsks(sql)
const repositories = makeRepositories(sql)
const completions = makeCompletions(sql)
const rankings = makeRankings(sql)
const countStudentWrite = makeWriteCounter("student-writes", Number(variable("RATE_LIMIT_CLASSROOM")))
const countIpWrite = makeWriteCounter("ip-writes", Number(variable("RATE_LIMIT_WRITES")))

const app = makeServer()

app.decorateRequest("student")

const enter = (request: FastifyRequest, { account_id, club_id, time_zone }: Found) => {
  if (club_id === null || time_zone === null) throw forbidden()
  request.student = { club_id, student_id: account_id, time_zone }
}

const clubStudent = async (request: FastifyRequest<ClubRoute>) => {
  const found = await findSession(request.headers.authorization, request.params.clubId)
  if (found.kind !== "student") throw unauthenticated()
  if (found.organization_id !== request.params.clubId) throw forbidden()
  enter(request, found)
}

const clubMember = async (request: FastifyRequest<ClubRoute>) => {
  const found = await findSession(request.headers.authorization, request.params.clubId)
  if (found.kind !== "admin") throw unauthenticated()
  enter(request, found)
}

/** Admits a write and counts it on its student. A refused write counts on its address. */
const admitWrite = async (request: FastifyRequest<ClubRoute>, reply: FastifyReply) => {
  try {
    await clubStudent(request)
  } catch (error) {
    if (error instanceof Refusal) countIpWrite(request.ip, reply)
    throw error
  }
  countStudentWrite(request.student.student_id, reply)
}

const asked = ({ query: { cursor, limit = "25", period = "all" }, student }: FastifyRequest<RankingRoute>) => ({
  ...student,
  period,
  limit: Number(limit),
  cursor
})

app.get<LessonRoute>(
  "/v1/clubs/:clubId/classroom/lessons/:publicId/ask",
  { onRequest: clubStudent, schema: { response: askAnswer } },
  async ({ params, student }) => ({ data: await asks.state(student, params.publicId) })
)

app.get<ClubRoute>(
  "/v1/clubs/:clubId/classroom/repositories",
  { onRequest: clubStudent, schema: { response: repositoriesAnswer } },
  async ({ student }) => ({ data: await repositories.list(student) })
)

app.put<LessonRoute>(
  "/v1/clubs/:clubId/classroom/lessons/:publicId/completion",
  { onRequest: admitWrite, schema: { response: completionAnswer } },
  async ({ params, student }) => ({ data: await completions.complete(student, params.publicId) })
)

app.get<RankingRoute>(
  "/v1/clubs/:clubId/classroom/ranking",
  { onRequest: clubStudent, schema: { querystring: rankingQuery, response: ownRankingAnswer } },
  (request) => rankings.pageFor({ ...asked(request), own: request.student.student_id })
)

app.get<RankingRoute>(
  "/v1/clubs/:clubId/gamification/ranking",
  { onRequest: clubMember, schema: { querystring: rankingQuery, response: rankingAnswer } },
  (request) => rankings.page({ ...asked(request), own: null })
)

process.once("SIGTERM", () => void app.close().then(() => sql.end()))

await app.listen({ host: "127.0.0.1", port: Number(variable("PORT")) })
