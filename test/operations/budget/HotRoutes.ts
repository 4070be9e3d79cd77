import { Effect } from "effect"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { hottok, openHook, sale } from "../../commerce/sales/inbound/Hooks.ts"
import { at, send } from "../../harness/App.ts"
import { makeCatalogDelivery, makeEnrollment, makeStudent } from "../../harness/Makers.ts"
import { makeDelivery, makeEndpoint } from "../../harness/Webhooks.ts"
import { answer, makeAssignment, makeQuiz } from "../../learning/classroom/OpenClassroom.ts"
import { openCourse } from "../../learning/classroom/OpenCourse.ts"
import { announce, deliver, open } from "../../learning/lives/Live.ts"

type Method = Parameters<typeof send>[0]

interface Asked {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** The number of requests to each route. The first ones prepare its statements and finish work of the route before. */
export const turns = 4

/** A request that does the same each time. `turn` counts from 0. */
export type Hot = (turn: number) => ReturnType<typeof send>

const idOf = ({ json }: { readonly json: unknown }) => String(at(json, "data", "id"))

/** Requests by the name of their route, for a club with a course, a community, an inbox and all else that they read. */
export const hotRoutes = Effect.fn("hotRoutes")(function*() {
  const room = yield* openCourse(12)
  const { club, course, delivery, lesson, lessons, student } = room
  const hook = yield* openHook()
  const others = yield* Effect.replicateEffect(makeStudent(club), turns)
  const spare = yield* makeCatalogDelivery(club)
  const endpoint = yield* makeEndpoint(club)
  const told = yield* makeDelivery(endpoint)

  const by = (token: string) => (method: Method, path: string, asked: Asked = {}) => (): ReturnType<typeof send> =>
    send(method, `${club.path}${path}`, { token, ...asked })
  const staff = by(club.token)
  const own = by(student.token)
  const written = (body: string) => ({ body: { body } })

  const community = yield* send("PATCH", `${club.path}/community`, {
    token: club.token,
    body: { published_at: "1970-01-01T00:00:00Z" }
  })
  const space = String(at(community.json, "data", "spaces", 1, "id"))
  const post = idOf(yield* own("POST", `/classroom/community/spaces/${space}/posts`, written("Oi"))())
  const comment = idOf(yield* own("POST", `/classroom/lessons/${lesson.public_id}/comments`, written("Como?"))())
  const conversation =
    idOf(yield* own("POST", "/classroom/support/conversations", { body: { subject: "Boleto", body: "Onde está?" } })())
  const { json: gamification } = yield* staff("GET", "/gamification")()
  const levels = at(gamification, "data", "levels")
  yield* own("PUT", `/classroom/lessons/${lesson.public_id}/completion`)()
  const quizzes = yield* Effect.replicateEffect(makeQuiz(club, lesson), turns)
  const assignments = yield* Effect.replicateEffect(makeAssignment(club, lesson), turns)
  const submissions = yield* Effect.forEach(
    assignments,
    ({ id }) => Effect.map(own("POST", `/classroom/assignments/${id}/submissions`, written("Aqui"))(), idOf)
  )
  const lives = yield* Effect.replicateEffect(announce(club), turns)
  yield* Effect.forEach(lives, (id) => open(club, id))
  yield* makeEnrollment(club, student, yield* deliver(club, ...lives))
  const hooks = { url: "https://93.184.215.14/hooks", event_types: ["student.created"], signing: "both" }
  const keyed = yield* Effect.map(staff("POST", "/webhook-endpoints", { body: hooks })(), idOf)

  return {
    "GET /v1/health": () => send("GET", "/v1/health"),
    "GET /v1/me": () => send("GET", "/v1/me", { token: club.token }),
    "GET /v1/auth/session": () => send("GET", "/v1/auth/session", { token: student.token }),
    "GET …": staff("GET", ""),
    "GET …/gamification": staff("GET", "/gamification"),
    "PUT …/gamification/levels": staff("PUT", "/gamification/levels", { body: { levels } }),
    "GET …/gamification/levels/spread": staff("GET", "/gamification/levels/spread?min_points=0,7"),
    "GET …/gamification/ranking": staff("GET", "/gamification/ranking?period=all"),
    "GET …/members": staff("GET", "/members"),
    "GET …/students": staff("GET", "/students?limit=25"),
    "GET …/students, a search": staff("GET", "/students?search=bia"),
    "GET …/students/{id}": staff("GET", `/students/${student.id}`),
    "POST …/students/{id}/grants": (turn) =>
      staff("POST", `/students/${others[turn]?.id}/grants`, { body: { delivery_id: spare.id } })(),
    "GET …/students/{id}/points": staff("GET", `/students/${student.id}/points`),
    "GET …/students/{id}/purchases": staff("GET", `/students/${student.id}/purchases`),
    "GET …/students/{id}/subscriptions": staff("GET", `/students/${student.id}/subscriptions`),
    "GET …/students/{id}/progress": staff("GET", `/students/${student.id}/progress`),
    "GET …/courses": staff("GET", "/courses"),
    "GET …/courses/{id}": staff("GET", `/courses/${course.id}`),
    "GET …/courses/{id}/outline": staff("GET", `/courses/${course.id}/outline`),
    "GET …/lessons/{id}/blocks": staff("GET", `/lessons/${lesson.id}/blocks`),
    "GET …/deliveries": staff("GET", "/deliveries"),
    "GET …/deliveries/{id}": staff("GET", `/deliveries/${delivery.id}`),
    "GET …/media": staff("GET", "/media"),
    "GET …/comments": staff("GET", "/comments"),
    "GET …/comments/moderation": staff("GET", "/comments/moderation"),
    "POST …/comments/{id}/replies": staff("POST", `/comments/${comment}/replies`, written("Assim.")),
    "GET …/support/conversations": staff("GET", "/support/conversations"),
    "POST …/support/conversations/{id}/messages": staff(
      "POST",
      `/support/conversations/${conversation}/messages`,
      written("Já vejo.")
    ),
    "POST …/assignments/submissions/{id}/approve": (turn) =>
      staff("POST", `/assignments/submissions/${submissions[turn]}/approve`, { body: {} })(),
    "GET …/product-mappings": staff("GET", "/product-mappings"),
    "GET …/unmapped-products": staff("GET", "/unmapped-products"),
    "GET …/inbound-events": staff("GET", "/inbound-events"),
    "GET …/inbound-webhooks/{id}/events": () =>
      send("GET", `${hook.path}/inbound-webhooks/${hook.hook_id}/events`, { token: hook.token }),
    "POST /webhooks/hotmart/{token}": () =>
      send("POST", hook.post, { body: sale(), headers: { "x-hotmart-hottok": hottok } }),
    "GET …/billing": staff("GET", "/billing"),
    "GET /.well-known/turma/webhook-keys/{id}": () => send("GET", `/.well-known/turma/webhook-keys/${keyed}`),
    "GET …/webhook-endpoints": staff("GET", "/webhook-endpoints"),
    "GET …/webhook-endpoints/series": staff("GET", "/webhook-endpoints/series"),
    "GET …/webhook-endpoints/diagnoses": staff("GET", "/webhook-endpoints/diagnoses"),
    "GET …/webhook-endpoints/{id}/series": staff("GET", `/webhook-endpoints/${endpoint.id}/series`),
    "GET …/webhook-endpoints/{id}/recover": staff("GET", `/webhook-endpoints/${endpoint.id}/recover?since=1970-01-01`),
    "GET …/webhook-deliveries": staff("GET", "/webhook-deliveries"),
    "GET …/events": staff("GET", "/events"),
    "GET …/webhook-endpoints/{id}/stats": staff("GET", `/webhook-endpoints/${endpoint.id}/stats`),
    "GET …/webhook-endpoints/{id}/deliveries": staff("GET", `/webhook-endpoints/${endpoint.id}/deliveries`),
    "GET …/webhook-endpoints/{id}/deliveries/{id}": staff(
      "GET",
      `/webhook-endpoints/${endpoint.id}/deliveries/${told.id}`
    ),
    "GET …/classroom": own("GET", "/classroom"),
    "GET …/classroom/home": own("GET", "/classroom/home"),
    "GET …/classroom/courses/{publicId}": own("GET", `/classroom/courses/${course.public_id}`),
    "GET …/classroom/lessons/{publicId}": own("GET", `/classroom/lessons/${lesson.public_id}`),
    "PUT …/classroom/lessons/{publicId}/position": (turn) =>
      own("PUT", `/classroom/lessons/${lesson.public_id}/position`, { body: { seconds: turn } })(),
    "PUT …/completion, the first time": (turn) =>
      own("PUT", `/classroom/lessons/${lessons[1 + turn]?.public_id}/completion`)(),
    "PUT …/completion, repeated": own("PUT", `/classroom/lessons/${lesson.public_id}/completion`),
    "POST …/classroom/quizzes/{id}/attempts, passed": (turn) =>
      own("POST", `/classroom/quizzes/${quizzes[turn]?.id}/attempts`, {
        body: { answers: [answer(0, 0), answer(1, 0)] }
      })(),
    "GET …/classroom/gamification": own("GET", "/classroom/gamification"),
    "GET …/classroom/points": own("GET", "/classroom/points"),
    "GET …/classroom/ranking": own("GET", "/classroom/ranking?period=all"),
    "GET …/classroom/ranking, 7 days": own("GET", "/classroom/ranking?period=7d"),
    "GET …/classroom/repositories": own("GET", "/classroom/repositories"),
    "GET …/classroom/lives": own("GET", "/classroom/lives"),
    "POST …/classroom/lives/{id}/join, the first time": (turn) => own("POST", `/classroom/lives/${lives[turn]}/join`)(),
    "GET …/classroom/me": own("GET", "/classroom/me"),
    "GET …/ask": own("GET", `/classroom/lessons/${lesson.public_id}/ask`),
    "GET …/classroom/community": own("GET", "/classroom/community"),
    "GET …/classroom/people": own("GET", "/classroom/people?q=bi"),
    "GET …/classroom/search": own("GET", "/classroom/search?q=ritmo"),
    "GET …/classroom/spaces": own("GET", "/classroom/spaces"),
    "PUT …/classroom/spaces/{id}/seen": own("PUT", `/classroom/spaces/${space}/seen`),
    "GET …/classroom/community/spaces/{id}/posts": own("GET", `/classroom/community/spaces/${space}/posts`),
    "POST …/classroom/community/spaces/{id}/posts": own(
      "POST",
      `/classroom/community/spaces/${space}/posts`,
      written("Oi")
    ),
    "GET …/classroom/community/posts/{id}/comments": own("GET", `/classroom/community/posts/${post}/comments`),
    "GET …/classroom/lessons/{publicId}/comments": own("GET", `/classroom/lessons/${lesson.public_id}/comments`),
    "POST …/classroom/lessons/{publicId}/comments": own(
      "POST",
      `/classroom/lessons/${lesson.public_id}/comments`,
      written("E agora?")
    ),
    "GET …/classroom/support/conversations": own("GET", "/classroom/support/conversations"),
    "POST …/classroom/support/conversations/{id}/messages": own(
      "POST",
      `/classroom/support/conversations/${conversation}/messages`,
      written("E agora?")
    )
  } satisfies Record<string, Hot>
}, Effect.provide(Partitions.layer))
