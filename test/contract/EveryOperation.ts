import { assert } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import { makeUnsubscribeToken } from "../../src/membership/notifications/UnsubscribeToken.ts"
import { Sealing } from "../../src/platform/sql/Sealing.ts"
import { at, listAt, send, tokenOf } from "../harness/App.ts"
import { type Listed, pathWith, sampleBody } from "../harness/Document.ts"
import { Mailbox } from "../harness/Mailbox.ts"
import { makeItem, makeMember, makeStudent } from "../harness/Makers.ts"
import { makeEndpoint } from "../harness/Webhooks.ts"
import { pdf, png, uploaded } from "../learning/media/Files.ts"
import { furnished } from "./ForeignThings.ts"

// The parameters and the body with which each operation of the contract succeeds.

/** The parts of a request that differ from the request of all operations. */
interface Asked {
  readonly ids?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string>>
  /** Instead of the owner's. */
  readonly token?: string
}

const password = "violao e voz"
const unknown = "018f0000-0000-7000-8000-000000000001"
/** The start of the tests' clock. */
const timestamp = "1970-01-01T00:00:00.000Z"

const idIn = ({ json, text }: { readonly json: unknown; readonly text: string }) => {
  const id = at(json, "data", "id")
  return typeof id === "string" ? id : assert.fail(text)
}

/** Signs a person up under this path. Answers their token, and requests with mailed codes for them and for others. */
const mailedTo = Effect.fnUntraced(function*(path: string, email: string, place: Record<string, string> = {}) {
  const { secret } = yield* Mailbox
  const post = (name: string, body: object) => send("POST", `${path}/${name}`, { body: { ...place, ...body } })
  const signUp = Effect.fnUntraced(function*(of: string) {
    yield* post("sign-up", { name: "Eva", email: of, password })
    return yield* secret(of)
  })
  const confirm = (of: string) =>
    Effect.flatMap(signUp(of), (token) => send("POST", `${path}/confirm`, { body: { token } }))
  // A reset of the password ends the person's sessions, so another person has forgotten theirs.
  const [late, forgetful] = [`late-${email}`, `forgetful-${email}`]
  yield* confirm(email)
  yield* confirm(forgetful)
  const signedIn = yield* post("sign-in", { email, password })
  yield* post("access", { email })
  yield* post("password/forgot", { email: forgetful })
  const token = String(at(signedIn.json, "data", "access_token"))
  const asked: Record<string, Asked> = {
    "/confirm": { body: { token: yield* signUp(late) } },
    "/sign-in": { body: { ...place, email, password } },
    "/exchange": { body: { code: yield* secret(email), email } },
    "/password/reset": { body: { token: yield* secret(forgetful), password } },
    "/password/change": { token, body: { current_password: password, password } }
  }
  return {
    token,
    asked: Object.fromEntries(Object.entries(asked).map(([name, one]) => [`POST ${path}${name}`, one]))
  }
})

/** The id of a second session of the owner. */
const anotherSession = Effect.fnUntraced(function*({ owner, token }: Effect.Success<typeof furnished>) {
  yield* tokenOf(owner)
  const { json } = yield* send("GET", "/v1/auth/session", { token })
  const { json: all } = yield* send("GET", "/v1/auth/sessions", { token })
  const own = at(json, "data", "session", "id")
  return String(listAt(all, "data").map((session) => at(session, "id")).find((id) => id !== own))
})

/** A club that has everything, two people with passwords, and the request for each operation. */
export const everything = Effect.gen(function*() {
  const club = yield* furnished
  const { ana, anas, bias, path, shared, token } = club
  const post = (to: string, body?: unknown, as = token) =>
    send("POST", `${path}${to}`, { token: as, ...(body === undefined ? {} : { body }) })
  const create = (to: string, body?: unknown, as?: string) => Effect.map(post(to, body, as), idIn)
  const listed = (to: string) =>
    Effect.map(
      send("GET", `${path}${to}`, { token }),
      ({ json }) => listAt(json, "data").map((one) => String(at(one, "id")))
    )

  const unsubscribe = makeUnsubscribeToken((yield* Sealing).signingKeys("unsubscribe"), {
    organization_id: club.organization_id,
    student_id: bias.studentId
  })
  const admin = yield* mailedTo("/v1/auth/admin", "eva@people.example")
  const student = yield* mailedTo("/v1/auth", "iris@people.example", { club_id: club.organization_id })

  const { id: endpointId } = yield* makeEndpoint(club, {
    event_types: ["student.created", "student.updated", "lesson.completed"]
  })
  const since = DateTime.formatIso(yield* DateTime.now)
  yield* send("PATCH", `${club.path}/webhook-endpoints/${endpointId}`, {
    token: club.token,
    body: { signing: "both" }
  })
  const tested = yield* post(`/webhook-endpoints/${endpointId}/test`)
  const graded = yield* makeEndpoint(club, {})
  const hook = yield* post("/inbound-webhooks", { platform: "generic", token_only: true })
  const hookPath = new URL(String(at(hook.json, "data", "url"))).pathname
  yield* send("POST", hookPath, { body: { type: "other" } })
  const inboundWebhookId = idIn(hook)
  const [inboundEventId = ""] = yield* listed(`/inbound-webhooks/${inboundWebhookId}/events`)

  const { secret } = yield* Mailbox
  yield* post("/members/invitations", { email: "eva@people.example", role: "editor" })
  const invited = yield* secret("eva@people.example")
  const invitationId = yield* create("/members/invitations", { email: "bia@people.example", role: "editor" })
  yield* post("/students", { name: "Caio", email: "caio@people.example", send_invite: true })
  yield* post("/classroom/me/removal", undefined, ana.token)
  const gone = yield* makeStudent(club)
  yield* send("DELETE", `${path}/students/${gone.id}`, { token })

  const inbox = yield* post("/webhook-inboxes", {})
  const inboxId = idIn(inbox)
  yield* send("POST", new URL(String(at(inbox.json, "data", "url"))).pathname, { body: {} })
  const [requestId = ""] = yield* listed(`/webhook-inboxes/${inboxId}/requests`)

  const staffSpaceId = yield* create("/community/spaces", { name: "B" })
  const staffPostId = yield* create(`/community/spaces/${staffSpaceId}/posts`, { body: "A" })
  const staffCommentId = yield* create(`/community/posts/${staffPostId}/comments`, { body: "A" })
  const { json: community } = yield* send("GET", `${path}/community`, { token })
  const spaces = listAt(community, "data", "spaces").map((space) => at(space, "id"))
  const [courseId = ""] = yield* listed("/courses")
  const [repositoryId = ""] = yield* listed("/repositories")
  const [agentId = ""] = yield* listed("/agents")
  const deliveryId = yield* create("/deliveries", { name: "B" })
  const cohorts = `/deliveries/${deliveryId}/cohorts`
  const product = { platform: "generic", delivery_id: deliveryId }
  const link = yield* post("/registration-links", { delivery_id: deliveryId })
  const forAna = yield* post("/registration-links", { delivery_id: yield* create("/deliveries", { name: "D" }) })
  const openLiveId = yield* create("/lives", { title: "A", starts_at: timestamp })
  yield* post(`/lives/${openLiveId}/open`)
  yield* makeItem(club, club.delivery, { kind: "live", id: openLiveId })

  // A canceled reply ends its stream.
  yield* post(`/classroom/ask/messages/${anas.replyId}/cancel`, undefined, ana.token)
  yield* send("PUT", `${path}/classroom/lessons/${shared.publicId}/completion`, ana)
  const submissions = `/classroom/assignments/${shared.assignmentId}/submissions`
  const assignment = create(`/lessons/${shared.lessonId}/blocks`, { kind: "assignment", body: "B" })
  const [second, third] = [yield* assignment, yield* assignment]
  const [library, spare] = [yield* uploaded(club, png), yield* uploaded(club, png)]
  const document = yield* uploaded(club, pdf, { mime: "application/pdf" })
  yield* send("PUT", `${path}/media/${library}/transcript`, { token, body: { text: "A" } })
  const image = { file_name: "a.png", mime: "image/png", size_bytes: 9 }
  const file = yield* post("/mentorship-files", image)
  const coming = yield* post("/media", image)
  const comingFile = yield* post("/mentorship-files", image)
  const anasComing = yield* post("/classroom/media", { ...image, purpose: "comment" }, ana.token)

  const terminal = Effect.map(
    send("POST", "/v1/auth/device", { body: { name: "A" } }),
    ({ json }) => ({ user_code: at(json, "data", "user_code"), device_code: at(json, "data", "device_code") })
  )
  const [letIn, waiting] = [yield* terminal, yield* terminal]
  yield* post("/keys/devices", { user_code: letIn.user_code, role: "viewer" })
  const presented = yield* post("/keys", { name: "A", role: "viewer" })
  const ending = yield* post("/keys", { name: "A", role: "viewer" })

  const ids: Record<string, string> = {
    ...shared,
    ...anas,
    clubId: club.organization_id,
    mediaId: library,
    messageId: anas.replyId,
    questionId: anas.messageId,
    agentId,
    courseId,
    repositoryId,
    blockId: yield* create(`/lessons/${shared.lessonId}/blocks`, { kind: "text", body: "A" }),
    deliveryId,
    cohortId: yield* create(cohorts, { name: "A" }),
    enrollmentId: yield* create(`/students/${anas.studentId}/grants`, {
      delivery_id: deliveryId,
      expires_at: "2027-01-01T00:00:00.000Z"
    }),
    linkId: idIn(link),
    mappingId: yield* create("/product-mappings", { ...product, external_product_id: "p" }),
    importId: yield* create("/students/imports", { rows: [{ name: "Davi", email: "davi@people.example" }] }),
    submissionId: yield* create(submissions, { body: "A" }, ana.token),
    endpointId,
    recoveryId: yield* create(`/webhook-endpoints/${endpointId}/recoveries`, { since }),
    listenerId: yield* create("/webhook-listeners", { event_types: ["student.created"] }),
    id: endpointId,
    inboundWebhookId,
    inboundEventId,
    inboxId,
    requestId,
    gradingId: yield* create(`/webhook-endpoints/${graded.id}/grade`, undefined),
    invitationId,
    userId: club.owner.id,
    keyId: yield* create("/keys", { name: "B", role: "viewer" }),
    addonKey: "assistant_pack",
    emoji: encodeURIComponent("\u{1f44d}"),
    platform: hookPath.split("/").at(-2) ?? "",
    token: hookPath.split("/").at(-1) ?? ""
  }

  const inClub: Record<string, Asked> = {
    "GET /students/{studentId}/erasure": { ids: { studentId: gone.id } },
    "GET /media/{mediaId}/reading": { ids: { mediaId: document } },
    "POST /keys": { body: { name: "D", role: "editor" } },
    "POST /keys/devices": { body: { user_code: waiting.user_code, role: "viewer" } },
    "POST /lives": { body: { title: "A", starts_at: timestamp } },
    "POST /classroom/lives/{liveId}/join": { ids: { liveId: openLiveId } },
    "POST /classroom/registrations": { body: { code: at(forAna.json, "data", "code") } },
    "POST /repositories/{repositoryId}/files": { body: { media_id: library } },
    "POST /media": { body: image },
    "POST /classroom/media": { body: { ...image, purpose: "comment" } },
    "POST /media/{mediaId}/upload": { ids: { mediaId: String(at(coming.json, "data", "media", "id")) } },
    "POST /classroom/media/{mediaId}/upload": { ids: { mediaId: String(at(anasComing.json, "data", "media", "id")) } },
    "POST /classroom/media/{mediaId}/complete": { ids: { mediaId: anas.mediaId } },
    "POST /mentorship-files": { body: image },
    "POST /mentorship-files/{mediaId}/upload": { ids: { mediaId: String(at(comingFile.json, "data", "media", "id")) } },
    "POST /classroom/assignments/{blockId}/submissions": { ids: { blockId: third }, body: { body: "A" } },
    "POST /assignments/submissions/{submissionId}/reject": {
      ids: { submissionId: yield* create(`/classroom/assignments/${second}/submissions`, { body: "A" }, ana.token) },
      body: { feedback: "A" }
    },
    "POST /students/{studentId}/grants": { ids: { studentId: bias.studentId }, body: { delivery_id: deliveryId } },
    "POST /enrollments/{enrollmentId}/extend": { body: { expires_at: null } },
    "POST /enrollments/{enrollmentId}/shorten": { body: { expires_at: "1990-01-01T00:00:00.000Z" } },
    "POST /enrollments/{enrollmentId}/move": { body: { cohort_id: yield* create(cohorts, { name: "B" }) } },
    "POST /product-mappings": { body: { ...product, external_product_id: "q" } },
    "POST /billing/checkout": { body: { plan: "growth" } },
    "POST /billing/addons": { body: { key: "assistant_pack" } },
    "POST /webhook-endpoints": { body: { url: "https://93.184.215.14/", event_types: ["student.created"] } },
    "POST /webhook-listeners": { body: { event_types: ["student.created"] } },
    "POST /webhook-endpoints/filter-test": {
      body: { filter: { field: "type", exists: true }, event_type: "student.created" }
    },
    "POST /webhook-endpoints/simulate": {
      body: { from: "2026-11-21T10:00:00Z", to: "2026-11-21T12:00:00Z", events_per_hour: 4 }
    },
    "POST /webhook-endpoints/{endpointId}/recover": { body: { since: timestamp } },
    "POST /webhook-endpoints/{endpointId}/recoveries": {
      ids: { endpointId: (yield* makeEndpoint(club)).id },
      body: { since }
    },
    "PATCH /webhook-endpoints/{endpointId}/recoveries/{recoveryId}": { body: { rate: 50 } },
    "PUT /gamification/levels": { body: { levels: [{ name: "A", min_points: 0 }, { name: "B", min_points: 9 }] } },
    "PUT /community/spaces/order": { body: { ids: spaces } },
    "PUT /courses/order": { body: { ids: yield* listed("/courses") } },
    "PUT /courses/{courseId}/modules/order": { body: { ids: yield* listed(`/courses/${courseId}/modules`) } },
    "PUT /modules/{moduleId}/lessons/order": { body: { ids: yield* listed(`/modules/${shared.moduleId}/lessons`) } },
    "PUT /lessons/{lessonId}/publication": { body: { published_at: timestamp } },
    "PUT /lessons/{lessonId}/blocks/order": { body: { ids: yield* listed(`/lessons/${shared.lessonId}/blocks`) } },
    "PUT /repositories/{repositoryId}/publication": { body: { published_at: timestamp } },
    "PUT /repositories/{repositoryId}/files/order": {
      body: { ids: yield* listed(`/repositories/${repositoryId}/files`) }
    },
    "GET /webhook-endpoints/{endpointId}/gradings/{gradingId}": { ids: { endpointId: graded.id } },
    "PATCH /webhook-endpoints/{endpointId}": { body: { url: "https://93.184.215.14/" } },
    "PATCH /inbound-webhooks/{inboundWebhookId}": { body: { secret: `whsec_${btoa("a secret of 24 bytes, or so")}` } },
    "PATCH /students/{studentId}": { ids: { studentId: bias.studentId } },
    "PATCH /courses/{courseId}": { body: { public_id: "curso-b" } },
    "PATCH /lessons/{lessonId}": { body: { public_id: shared.publicId } },
    "PATCH /repositories/{repositoryId}": { body: { public_id: "material-b" } },
    "DELETE /media/{mediaId}": { ids: { mediaId: spare } },
    "DELETE /media-folders/{folderId}": { ids: { folderId: yield* create("/media-folders", { name: "B" }) } },
    "DELETE /deliveries/{deliveryId}/cohorts/{cohortId}": { ids: { cohortId: yield* create(cohorts, { name: "C" }) } },
    "DELETE /keys/{keyId}": { ids: { keyId: yield* create("/keys", { name: "C", role: "viewer" }) } },
    "DELETE /members/{userId}": { ids: { userId: (yield* makeMember(club, "viewer")).id } },
    "DELETE /deliveries/{deliveryId}": { ids: { deliveryId: yield* create("/deliveries", { name: "C" }) } },
    "DELETE /community/posts/{postId}": { ids: { postId: bias.postId } },
    "DELETE /comments/{commentId}": { ids: { commentId: staffCommentId } }
  }
  const asked: Record<string, Asked> = {
    ...admin.asked,
    ...student.asked,
    "POST /v1/auth/removal": { body: { token: yield* secret(ana.email) } },
    "DELETE /v1/auth/sessions/{id}": { ids: { id: yield* anotherSession(club) } },
    "POST /v1/notifications/unsubscribe": { query: { token: Redacted.value(unsubscribe) } },
    "POST /v1/auth/device/token": { body: { device_code: letIn.device_code } },
    "GET /v1/key": { token: String(at(presented.json, "data", "token")) },
    "DELETE /v1/key": { token: String(at(ending.json, "data", "token")) },
    "POST /v1/invitations/accept": { token: admin.token, body: { token: invited } },
    ...Object.fromEntries(Object.entries(inClub).map(([name, one]) => [name.replace(" ", " /v1/clubs/{clubId}"), one]))
  }
  return { club, ids, asked, begun: [tested, hook, file, link, presented] }
})

export type Everything = Effect.Success<typeof everything>

const publicIdIn = ({ path }: Listed, ids: Record<string, string>) =>
  path.includes("/courses/")
    ? ids["coursePublicId"] ?? ""
    : path.includes("/repositories/")
    ? ids["repositoryPublicId"] ?? ""
    : ids["publicId"] ?? ""

/** The ids for parameters that mean something else in this operation. */
const idsIn = (operation: Listed, ids: Record<string, string>): Record<string, string> => {
  const { path } = operation
  return {
    publicId: publicIdIn(operation, ids),
    ...(path.includes("/mentorship-files/") ? { mediaId: ids["mentorshipFileId"] ?? "" } : {}),
    ...(path.includes("/quizzes/") ? { blockId: ids["quizId"] ?? "" } : {}),
    ...(path.includes("/assignments/{") ? { blockId: ids["assignmentId"] ?? "" } : {}),
    ...(path.includes("/support/") ? { conversationId: ids["supportId"] ?? "" } : {}),
    ...(path.includes("/webhook-endpoints/") ? { deliveryId: ids["webhookDeliveryId"] ?? "" } : {})
  }
}

/** The request for an operation, and the tokens of the owner, a student and nobody. */
export const askedWith = (operation: Listed, { asked, club, ids }: Everything, more: Record<string, string>) => {
  const {
    body = operation.method === "GET" ? undefined : sampleBody(operation),
    ids: own = {},
    query,
    token = club.token
  } = asked[operation.name] ?? {}
  const all = { ...ids, ...more }
  return {
    path: pathWith(operation, { ...all, ...idsIn(operation, all), ...own }, unknown) +
      (query === undefined ? "" : `?${new URLSearchParams(query)}`),
    body,
    tokens: [token, club.ana.token, undefined]
  }
}

const isOrder = ({ path }: Listed) => path.endsWith("/order")
const endsSessions = ({ method, path }: Listed) => method === "DELETE" && path.startsWith("/v1/auth/")
const rankOf = (operation: Listed) =>
  endsSessions(operation)
    ? 5
    : isOrder(operation)
    ? 0.5
    : ["GET", "POST", "PUT", "PATCH", "DELETE"].indexOf(operation.method)
const depthOf = ({ path }: Listed) => path.split("/").length

/**
 * Sorts operations so that each finds what it needs. Reads come before deletes, and the order of a list comes before
 * new items. A child is deleted before its parent. The ends of sessions come last.
 */
export const inOrder = (all: ReadonlyArray<Listed>): ReadonlyArray<Listed> =>
  all.map((operation, index) => ({ operation, index })).toSorted((
    one,
    other
  ) =>
    rankOf(one.operation) - rankOf(other.operation) ||
    (one.operation.method === "DELETE"
      ? depthOf(other.operation) - depthOf(one.operation) || other.index - one.index
      : one.index - other.index)
  ).map(({ operation }) => operation)
