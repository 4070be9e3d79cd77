import { DateTime, Effect } from "effect"
import { pdfOf } from "../assistant/material/documents/PdfFile.ts"
import { genericExample } from "../commerce/sales/platform/GenericBody.ts"
import { ask } from "../harness/Turma.ts"
import { png } from "../learning/media/Files.ts"
import { listAt, secretFor, textAt, until, type Visitor, visitorOf } from "./Visitor.ts"

// A club's first days, all through the API: they fill all parts of a database.

/** Credentials of the club's founder and of a student. */
export const owner = { email: "rita@example.com", password: "sopro e dedos" }
export const student = { email: "ana@example.com", password: "sopro e dedos" }

/** People with waiting work while no worker runs: an invitation, a sale and an import. */
export const waiting = {
  invited: "noel@example.com",
  buyer: "vera@example.com",
  imported: "dora@example.com"
}

/** The receiver's status by the path of the endpoint. */
export const statusAt = (path: string): number => path === "/scheduled" || path === "/held" ? 500 : 204

/** The paths of all endpoints. */
const paths = ["/fine", "/scheduled", "/held", "/paused", "/disabled", "/recovered", "/recovering"] as const

/** Uploads a file in the steps of the API and answers its id. */
const upload = Effect.fnUntraced(function*(
  visitor: Visitor,
  url: string,
  to: string,
  file: Uint8Array,
  given: Readonly<Record<string, unknown>> = {}
) {
  const body = { file_name: "a.png", mime: "image/png", size_bytes: file.length, ...given }
  const begun = Object(yield* visitor.call("POST", to, body)).data
  const place = new URL(begun.upload.url)
  const sent = yield* ask(`${url}${place.pathname}${place.search}`, {
    method: begun.upload.method,
    headers: begun.upload.headers,
    body: Buffer.from(file)
  })
  if (sent.status >= 300) return yield* Effect.die(new Error(`${to}: ${sent.status} ${sent.text}`))
  const id = textAt(begun, "media", "id")
  yield* visitor.call("POST", `${to}/${id}/complete`)
  return id
})

interface Installation {
  readonly url: string
  /** The folder of mails. */
  readonly folder: string
}

/** Creates an administrator's account through the API and answers a token. */
const signUp = Effect.fnUntraced(function*({ folder, url }: Installation, given: typeof owner, name: string) {
  const auth = visitorOf(url)("/v1/auth/admin")
  yield* auth.call("POST", "/sign-up", { name, ...given })
  yield* auth.call("POST", "/confirm", { token: yield* secretFor(folder, given.email) })
  return textAt(yield* auth.call("POST", "/sign-in", given), "data", "access_token")
})

/** Signs a student up in the classroom. Answers a token and the id. */
const enroll = Effect.fnUntraced(function*(
  { folder, url }: Installation,
  club_id: string,
  given: typeof student,
  name: string
) {
  const auth = visitorOf(url)("/v1/auth")
  yield* auth.call("POST", "/sign-up", { club_id, name, ...given })
  yield* auth.call("POST", "/confirm", { token: yield* secretFor(folder, given.email) })
  const signedIn = yield* auth.call("POST", "/sign-in", { club_id, ...given })
  const token = textAt(signedIn, "data", "access_token")
  const session = yield* visitorOf(url)("/v1/auth", token).call("GET", "/session")
  return { token, id: textAt(session, "data", "account", "id") }
})

/** The post of a platform about a sale, for a product that has a mapping. */
const notice = (type: string, id: string, email: string) => ({
  ...genericExample,
  id,
  type,
  customer: { name: "Vera", email },
  purchase: { ...genericExample.purchase, id: `order-${id}`, period_end: "2090-01-01T00:00:00.000Z" },
  subscription: { id: `subscription-of-${email}` }
})

const later = "2090-01-01T00:00:00.000Z"

/** Creates a course with a lesson of everything, a repository, lives, and a delivery with all of them. */
const teach = Effect.fnUntraced(function*(club: Visitor, url: string) {
  const courseId = yield* club.create("/courses", { title: "Flauta doce do zero" })
  const moduleId = yield* club.create(`/courses/${courseId}/modules`, { title: "O sopro" })
  const lesson = yield* club.call("POST", `/modules/${moduleId}/lessons`, { title: "O primeiro sopro" })
  const [lessonId, publicId] = [textAt(lesson, "data", "id"), textAt(lesson, "data", "public_id")]
  const second = yield* club.call("POST", `/modules/${moduleId}/lessons`, { title: "Os dedos" })
  const another = textAt(second, "data", "id")
  const document = yield* upload(club, url, "/media", pdfOf(["O ar sai devagar e sem pressa."]), {
    file_name: "sopro.pdf",
    mime: "application/pdf"
  })
  const picture = yield* upload(club, url, "/media", png)
  yield* club.call("PUT", `/media/${picture}/transcript`, { text: "Uma flauta doce e uma mão." })
  const block = (body: object) => club.create(`/lessons/${lessonId}/blocks`, body)
  yield* block({ kind: "text", body: "Respire fundo e sopre devagar. O ar sai sem pressa." })
  yield* block({ kind: "file", media_id: document })
  const assignmentId = yield* block({ kind: "assignment", body: "Grave um sopro." })
  const quiz = yield* club.call("POST", `/lessons/${lessonId}/blocks`, {
    kind: "quiz",
    pass_percent: 50,
    questions: [{
      text: "Como se sopra?",
      options: [{ text: "Devagar", correct: true }, { text: "Com força", correct: false }]
    }]
  })
  yield* Effect.forEach(
    [lessonId, another],
    (id) => club.call("PUT", `/lessons/${id}/publication`, { published_at: "2026-01-01T00:00:00.000Z" })
  )
  const repositoryId = yield* club.create("/repositories", { title: "Partituras" })
  yield* club.create(`/repositories/${repositoryId}/files`, { media_id: document })
  yield* club.call("PUT", `/repositories/${repositoryId}/publication`, { published_at: "2026-01-01T00:00:00.000Z" })
  const liveId = yield* club.create("/lives", { title: "Ao vivo", starts_at: later })
  yield* club.call("POST", `/lives/${liveId}/open`)
  yield* club.create("/media-folders", { name: "Fotos" })
  yield* upload(club, url, "/mentorship-files", png)
  const deliveryId = yield* club.create("/deliveries", { name: "Flauta doce" })
  yield* club.call("PATCH", `/deliveries/${deliveryId}`, {
    items: [
      { kind: "course", id: courseId },
      { kind: "repository", id: repositoryId },
      { kind: "live", id: liveId }
    ]
  })
  const cohortId = yield* club.create(`/deliveries/${deliveryId}/cohorts`, { name: "Março" })
  return {
    another,
    publicId,
    publicIds: [publicId, textAt(second, "data", "public_id")],
    assignmentId,
    quiz,
    liveId,
    deliveryId,
    cohortId
  }
})
type Taught = Effect.Success<ReturnType<typeof teach>>

/** A student completes, answers, asks, writes, reports and joins. */
const study = Effect.fnUntraced(function*(classroom: Visitor, url: string, taught: Taught, other: string) {
  const { assignmentId, liveId, publicId, quiz } = taught
  const lesson = `/lessons/${publicId}`
  yield* Effect.forEach(taught.publicIds, (id) => classroom.call("PUT", `/lessons/${id}/completion`))
  yield* classroom.call("POST", `/quizzes/${textAt(quiz, "data", "id")}/attempts`, {
    answers: [{
      question_id: textAt(quiz, "data", "questions", 0, "id"),
      option_id: textAt(quiz, "data", "questions", 0, "options", 0, "id")
    }]
  })
  const own = (purpose: string) => upload(classroom, url, "/media", png, { purpose })
  const submissionId = yield* classroom.create(`/assignments/${assignmentId}/submissions`, {
    body: "Aqui está.",
    media_ids: [yield* own("submission")]
  })
  const commentId = yield* classroom.create(`${lesson}/comments`, {
    body: "Que aula boa!",
    mentions: [other],
    media_ids: [yield* own("comment")]
  })
  yield* classroom.call("POST", `/lives/${liveId}/join`)
  yield* classroom.call("POST", `${lesson}/ask`, { content: "Como sai o ar?", media_ids: [yield* own("ask")] })
  const supportId = yield* classroom.create("/support/conversations", { subject: "Nota", body: "Onde está a nota?" })
  return { commentId, submissionId, supportId }
})

/** One endpoint for each path of the receiver, each in another state. */
const listen = Effect.fnUntraced(function*(club: Visitor, receiver: string) {
  const ids = new Map<string, string>()
  for (const path of paths) {
    // Five failures in a row hold an endpoint, so this one gets only the sales, which are fewer.
    const event_types = path === "/scheduled" ? ["purchase.paid"] : ["student.created", "purchase.paid"]
    const endpoint = { url: `${receiver}${path}`, event_types, notices: true }
    ids.set(path, yield* club.create("/webhook-endpoints", endpoint))
  }
  const of = (path: typeof paths[number]) => `/webhook-endpoints/${ids.get(path)}`
  yield* club.call("POST", `${of("/fine")}/rotate-secret`)
  yield* club.call("PATCH", of("/fine"), { signing: "both" })
  for (const path of ["/paused", "/disabled", "/recovered", "/recovering"] as const) {
    yield* club.call("PATCH", of(path), { status: "paused" })
  }
  yield* club.create("/webhook-listeners", { event_types: ["student.created"] })
  const inbox = yield* club.call("POST", "/webhook-inboxes", {})
  return { of, inboxPath: new URL(textAt(inbox, "data", "url")).pathname }
})

/** Disabling the endpoint cancels its queue, and a recovery sends it after all. */
const recover = Effect.fnUntraced(function*(club: Visitor, endpoint: string, since: string) {
  yield* club.call("PATCH", endpoint, { status: "disabled" })
  yield* club.call("PATCH", endpoint, { status: "enabled" })
  yield* club.create(`${endpoint}/recoveries`, { since })
})

/** The first days, with all workers running. Ends once all possible work is finished. */
export const liveFirstDays = Effect.fn("liveFirstDays")(function*(installation: Installation, receiver: string) {
  const { url } = installation
  const on = visitorOf(url)
  const token = yield* signUp(installation, owner, "Rita")
  const founded = yield* on("/v1", token).call("POST", "/clubs", { name: "Flauta Doce" })
  const clubId = textAt(founded, "data", "organization_id")
  const club = on(`/v1/clubs/${clubId}`, token)
  yield* club.call("PATCH", "/community", { published_at: "2026-01-01T00:00:00.000Z" })
  yield* club.call("PATCH", "/gamification", { rules: [{ action: "lesson_completed", points: 10 }] })
  yield* club.call("POST", "/billing/addons", { key: "onboarding" })
  const since = DateTime.formatIso(yield* DateTime.now)
  const { inboxPath, of: endpoint } = yield* listen(club, receiver)
  const taught = yield* teach(club, url)

  const ana = yield* enroll(installation, clubId, student, "Ana")
  const bia = yield* enroll(installation, clubId, { ...student, email: "bia@example.com" }, "Bia")
  const grant = (id: string) =>
    club.create(`/students/${id}/grants`, { delivery_id: taught.deliveryId, cohort_id: taught.cohortId })
  yield* grant(ana.id)
  const bias = yield* grant(bia.id)
  const isOwed = Effect.map(
    club.call("GET", `${endpoint("/recovered")}/deliveries`),
    (json) => listAt(json, "data").length > 1
  )
  yield* until("deliveries to a paused endpoint", isOwed)
  yield* recover(club, endpoint("/recovered"), since)
  const classroom = on(`/v1/clubs/${clubId}/classroom`, ana.token)
  const { commentId, submissionId, supportId } = yield* study(classroom, url, taught, bia.id)
  const others = on(`/v1/clubs/${clubId}/classroom`, bia.token)
  yield* others.call("PUT", `/comments/${commentId}/reactions/${encodeURIComponent("\u{1f44d}")}`)
  yield* others.call("PUT", `/comments/${commentId}/saved`)
  yield* others.call("POST", `/comments/${commentId}/report`, {})
  yield* club.create(`/support/conversations/${supportId}/messages`, { body: "Na página da aula." })
  yield* classroom.call("POST", `/support/conversations/${supportId}/read`)
  yield* club.call("POST", `/assignments/submissions/${submissionId}/approve`, {})
  yield* club.call("POST", `/students/${ana.id}/points`, { points: 5, reason: "Tocou na festa" })
  yield* club.call("POST", `/enrollments/${bias}/revoke`, {})
  const spaceId = yield* club.create("/community/spaces", { name: "Conversa" })
  const postId = yield* club.create(`/community/spaces/${spaceId}/posts`, { body: "Bem-vindos!" })
  yield* club.create(`/community/posts/${postId}/comments`, { body: "Quem toca?" })

  const key = yield* club.call("POST", "/keys", { name: "Loja", role: "admin" })
  yield* on(`/v1/clubs/${clubId}`, textAt(key, "data", "token")).call("GET", "/students")
  const device = yield* on("/v1/auth").call("POST", "/device", { name: "Terminal" })
  yield* club.call("POST", "/keys/devices", { user_code: textAt(device, "data", "user_code"), role: "viewer" })
  yield* club.create("/members/invitations", { email: "eva@example.com", role: "editor" })
  yield* club.call("POST", "/registration-links", { delivery_id: taught.deliveryId })

  const mapping = { platform: "generic", external_product_id: "course-1", delivery_id: taught.deliveryId }
  yield* club.create("/product-mappings", mapping)
  const hook = yield* club.call("POST", "/inbound-webhooks", { platform: "generic", token_only: true })
  const hookPath = new URL(textAt(hook, "data", "url")).pathname
  const sold = (type: string, id: string, email: string) => on("").call("POST", hookPath, notice(type, id, email))
  yield* sold("purchase.approved", "1", "leo@example.com")
  yield* sold("subscription.past_due", "2", "leo@example.com")
  yield* sold("subscription.canceled", "3", "leo@example.com")
  yield* on("").call("POST", hookPath, {
    ...notice("purchase.approved", "4", "leo@example.com"),
    product: { id: "course-2", name: "Outro" }
  })
  yield* club.create("/students/imports", {
    rows: [{ name: "Davi", email: "davi@example.com" }, { name: "", email: "nobody" }]
  })
  const gone = yield* club.create("/students", { name: "Gil", email: "gil@example.com" })
  yield* club.call("DELETE", `/students/${gone}`)

  for (const n of [1, 2, 3, 4, 5, 6]) {
    yield* club.create("/students", { name: "Caio", email: `caio${n}@example.com` })
  }
  return {
    ...taught,
    clubId,
    token,
    anasToken: ana.token,
    anasId: ana.id,
    hookPath,
    inboxPath,
    commentId,
    since,
    endpoint
  }
})
export type Lived = Effect.Success<ReturnType<typeof liveFirstDays>>

/** The evening without a worker: all work of it waits. */
export const liveEvening = Effect.fn("liveEvening")(function*({ url }: Installation, lived: Lived) {
  const on = visitorOf(url)
  const club = on(`/v1/clubs/${lived.clubId}`, lived.token)
  const classroom = on(`/v1/clubs/${lived.clubId}/classroom`, lived.anasToken)
  yield* club.call("PATCH", lived.endpoint("/disabled"), { status: "disabled" })
  yield* club.call("POST", `${lived.endpoint("/fine")}/grade`)
  yield* recover(club, lived.endpoint("/recovering"), lived.since)
  const invited = { name: "Noel", email: waiting.invited, send_invite: true }
  yield* club.call("POST", "/students", invited, { "idempotency-key": "noel" })
  yield* on("/v1/auth").call("POST", "/access", { club_id: lived.clubId, email: student.email })
  yield* on("").call("POST", lived.hookPath, notice("purchase.approved", "9", waiting.buyer))
  yield* club.create("/students/imports", {
    rows: [{ name: "Dora", email: waiting.imported }, { name: "", email: "nobody" }]
  })
  yield* club.call("POST", `/comments/${lived.commentId}/assistant-reply`)
  yield* classroom.call("POST", `/lessons/${lived.publicId}/ask`, { content: "Como se sopra?" })
  yield* upload(club, url, "/media", pdfOf(["Outra folha."]), { file_name: "outra.pdf", mime: "application/pdf" })
  const extra = yield* club.create("/lives", { title: "Outra vez", starts_at: later })
  yield* club.create(`/lessons/${lived.another}/blocks`, { kind: "text", body: "O polegar fica atrás." })
  yield* club.call("DELETE", `/lives/${extra}`)
  yield* club.call("DELETE", `/lessons/${lived.another}`)
  yield* club.call("DELETE", `/media/${yield* upload(club, url, "/media", png)}`)
  const leaving = yield* club.create("/students", { name: "Hugo", email: "hugo@example.com" })
  yield* club.call("DELETE", `/students/${leaving}`)
  // A removal empties inboxes.
  yield* on("").call("POST", lived.inboxPath, {})
})
