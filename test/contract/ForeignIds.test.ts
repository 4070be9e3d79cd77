import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { at, enrolledStudent, foundClub, keyOf, listAt, send } from "../harness/App.ts"
import { clubOperations, isWrite, type Listed, pathWith } from "../harness/Document.ts"
import {
  makeBlock,
  makeEnrollment,
  makeLiveLesson,
  makeMedia,
  makeRepository,
  makeRepositoryFile
} from "../harness/Makers.ts"
import { AssemblingLayer, webhooksOf } from "./ForeignWebhooks.ts"

// Driven by the contract: every id in a path below a club is also requested under another club.

const idIn = ({ json, text }: { readonly json: unknown; readonly text: string }) => {
  const id = at(json, "data", "id")
  return typeof id === "string" ? id : assert.fail(text)
}

/** The student's submission to an assignment of the club. */
const submittedIn = Effect.fnUntraced(function*(
  club: Effect.Success<ReturnType<typeof foundClub>>,
  student: Effect.Success<ReturnType<typeof enrolledStudent>>
) {
  const { delivery, lesson } = yield* makeLiveLesson(club)
  yield* makeEnrollment(club, student, delivery)
  const { id } = yield* makeBlock(club, lesson, { kind: "assignment", body: "A" })
  const path = `${club.path}/classroom/assignments/${id}/submissions`
  return idIn(yield* send("POST", path, { token: student.token, body: { body: "A" } }))
})

/** The student's conversation with the staff of the club. */
const askedIn = ({ path }: Effect.Success<ReturnType<typeof foundClub>>, { token }: { readonly token: string }) =>
  Effect.map(
    send("POST", `${path}/classroom/support/conversations`, { token, body: { subject: "A", body: "A" } }),
    idIn
  )

/** A club with one item of every kind for students, access and sales. The keys are the parameters of paths. */
const furnished = Effect.gen(function*() {
  const club = yield* foundClub()
  const create = (path: string, body: unknown) =>
    Effect.map(send("POST", `${club.path}${path}`, { token: club.token, body }), idIn)
  const student = yield* enrolledStudent(club)
  const deliveryId = yield* create("/deliveries", { name: "A" })
  const hook = yield* send("POST", `${club.path}/inbound-webhooks`, {
    token: club.token,
    body: { platform: "generic", token_only: true }
  })
  yield* send("POST", new URL(String(at(hook.json, "data", "url"))).pathname, { body: { type: "other" } })
  const inboundWebhookId = idIn(hook)
  const events = yield* send("GET", `${club.path}/inbound-webhooks/${inboundWebhookId}/events`, { token: club.token })
  const agents = yield* send("GET", `${club.path}/agents`, { token: club.token })
  const courseId = yield* create("/courses", { title: "A" })
  const moduleId = yield* create(`/courses/${courseId}/modules`, { title: "A" })
  const lessonId = yield* create(`/modules/${moduleId}/lessons`, { title: "A" })
  const repository = yield* makeRepository(club)
  const spaceId = yield* create("/community/spaces", { name: "A" })
  const postId = yield* create(`/community/spaces/${spaceId}/posts`, { body: "A" })
  const webhooks = yield* webhooksOf(club)
  const ids = {
    studentId: student.id,
    courseId,
    moduleId,
    lessonId,
    blockId: yield* create(`/lessons/${lessonId}/blocks`, { kind: "text", body: "A" }),
    repositoryId: repository.id,
    fileId: (yield* makeRepositoryFile(club, repository, yield* makeMedia(club))).id,
    mediaId: (yield* makeMedia(club)).id,
    mentorshipFileId: (yield* makeMedia(club, { purpose: "mentorship" })).id,
    agentId: String(at(agents.json, "data", 0, "id")),
    deliveryId,
    cohortId: yield* create(`/deliveries/${deliveryId}/cohorts`, { name: "A" }),
    enrollmentId: yield* create(`/students/${student.id}/grants`, { delivery_id: deliveryId }),
    linkId: yield* create("/registration-links", { delivery_id: deliveryId }),
    spaceId,
    postId,
    commentId: yield* create(`/community/posts/${postId}/comments`, { body: "A" }),
    liveId: yield* create("/lives", { title: "A", starts_at: "2100-01-01T00:00:00Z" }),
    mappingId: yield* create("/product-mappings", {
      platform: "generic",
      external_product_id: "p",
      delivery_id: deliveryId
    }),
    submissionId: yield* submittedIn(club, student),
    conversationId: yield* askedIn(club, student),
    importId: yield* create("/students/imports", { rows: [{ name: "Caio", email: "caio@example.com" }] }),
    inboundWebhookId,
    inboundEventId: String(at(events.json, "data", 0, "id")),
    ...webhooks.ids
  }
  return { ...club, ids, cursor: webhooks.cursor }
})

type Ids = Effect.Success<typeof furnished>["ids"]

const unknownIds = (ids: Ids): Record<string, string> =>
  Object.fromEntries(Object.keys(ids).map((name) => [name, randomUUID()]))

/** The same ids by the parameters of this operation: a `deliveryId` names one of the catalog, or one of an endpoint. */
const idsIn = ({ path }: Listed, ids: Ids) => {
  if (path.includes("/mentorship-files/")) return { ...ids, mediaId: ids.mentorshipFileId }
  return path.includes("/webhook-endpoints/") ? { ...ids, deliveryId: ids.webhookDeliveryId } : ids
}

const namesOne = ({ path }: Listed, ids: Ids) => Object.keys(ids).some((name) => path.includes(`{${name}}`))

const since = "1970-01-01T00:00:00Z"
const accepted = { receipt: "0.schedule", status_code: 200, error: null, duration_ms: 1 }

/** A body that the route accepts, so that the service can only refuse the id. */
const bodyFor = ({ method, path }: Listed, ids: Ids) => {
  const last = path.split("/").at(-1) ?? ""
  const bodies: Record<string, object> = {
    grants: { delivery_id: ids.deliveryId },
    reject: { feedback: "x" },
    points: { points: 1, reason: "x" },
    extend: { expires_at: null },
    shorten: { expires_at: "2100-01-01T00:00:00Z" },
    move: { cohort_id: ids.cohortId },
    cohorts: { name: "x" },
    posts: { body: "x" },
    "{postId}": { body: "x" },
    comments: { body: "x" },
    "{commentId}": { pinned: true },
    replies: { body: "x" },
    messages: { body: "x" },
    "{conversationId}": { status: "closed" },
    modules: { title: "x" },
    lessons: { title: "x" },
    blocks: { kind: "text", body: "x" },
    files: { media_id: randomUUID() },
    order: { ids: [] },
    publication: { published_at: null },
    "{courseId}": { title: "x" },
    "{moduleId}": { title: "x" },
    "{lessonId}": { title: "x" },
    "{blockId}": { title: "x" },
    "{repositoryId}": { title: "x" },
    "{linkId}": { max_uses: 5 },
    "{liveId}": { title: "x" },
    "{mappingId}": { access_days: 5 },
    "{mediaId}": { title: "x" },
    transcript: { text: "x" },
    recover: { since },
    recoveries: { since },
    "{recoveryId}": { status: "canceled" },
    "{endpointId}": { description: "x" },
    "{inboxId}": { status: 204 },
    results: { results: [{ delivery_id: randomUUID(), ...accepted }] }
  }
  return bodies[last] ?? (method === "PATCH" ? { name: "x" } : {})
}

const decodeTables = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ name: Schema.String })))

/** Every row that names the club. */
const rowsOf = Effect.fnUntraced(function*({ id }: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql`
    select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'club_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1
  `.pipe(Effect.flatMap(decodeTables))
  return yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql`select to_jsonb(t)::text as row from ${sql(name)} t where club_id = ${id} order by 1`,
      (rows) => [name, rows.map((row) => at(row, "row"))] as const
    ))
})

layer(AssemblingLayer)("What another club has", (it) => {
  it.effect.each(["userSession", "clubKey"])(
    "answers in every path as what nobody has, and stays as it is: %s",
    (scheme) =>
      Effect.gen(function*() {
        const [club, foreign] = [yield* furnished, yield* furnished]
        const { token } = scheme === "clubKey" ? yield* keyOf(club) : club
        const before = yield* rowsOf(foreign)
        const walked = clubOperations.filter((operation) =>
          operation.schemes.includes(scheme) && namesOne(operation, club.ids)
        )
        assert.isAtLeast(walked.length, 30)
        for (const operation of walked) {
          const sent = { token, ...(isWrite(operation) ? { body: bodyFor(operation, club.ids) } : {}) }
          const under = (ids: Record<string, string>) =>
            send(operation.method, pathWith(operation, { clubId: club.organization_id, ...ids }, randomUUID()), sent)
          const unknown = yield* under(unknownIds(club.ids))
          assert.strictEqual(unknown.status, 404, `${operation.name}: ${unknown.text}`)
          for (const [name, id] of Object.entries(idsIn(operation, foreign.ids))) {
            if (!operation.path.includes(`{${name}}`)) continue
            const theirs = yield* under({ ...idsIn(operation, club.ids), [name]: id })
            assert.deepStrictEqual([theirs.status, theirs.text], [unknown.status, unknown.text], operation.name)
          }
        }
        assert.deepStrictEqual(yield* rowsOf(foreign), before)
      })
  )

  it.effect("answers in every body as what nobody has", () =>
    Effect.gen(function*() {
      const [club, foreign] = [yield* furnished, yield* furnished]
      const before = yield* rowsOf(foreign)
      const { deliveryId: delivery_id, enrollmentId, linkId, mappingId, studentId } = club.ids
      const product = { platform: "generic", external_product_id: "q" }
      const newcomer = { name: "Davi", email: "davi@example.com" }
      const requests = (theirs: { readonly deliveryId: string; readonly cohortId: string }) => {
        const places = [{ delivery_id: theirs.deliveryId }, { delivery_id, cohort_id: theirs.cohortId }]
        return [
          ...places.flatMap((place) =>
            [
              ["POST", `/students/${studentId}/grants`, place],
              ["POST", "/students", { ...newcomer, grants: [place] }],
              ["POST", "/product-mappings", { ...product, ...place }],
              ["PATCH", `/product-mappings/${mappingId}`, place],
              ["POST", "/registration-links", place]
            ] as const
          ),
          ["POST", `/enrollments/${enrollmentId}/move`, { cohort_id: theirs.cohortId }],
          ["PATCH", `/registration-links/${linkId}`, { delivery_id: theirs.deliveryId }]
        ] as const
      }
      const answersTo = (theirs: Parameters<typeof requests>[0]) =>
        Effect.forEach(requests(theirs), ([method, path, body]) =>
          Effect.map(send(method, `${club.path}${path}`, { token: club.token, body }), ({ status, text }) => {
            assert.strictEqual(status, 422, `${method} ${path}: ${text}`)
            return text
          }))
      const unknown = yield* answersTo({ deliveryId: randomUUID(), cohortId: randomUUID() })
      assert.deepStrictEqual(yield* answersTo(foreign.ids), unknown)
      assert.deepStrictEqual(yield* rowsOf(foreign), before)
    }))

  it.effect("is in no list, by no filter and after no cursor", () =>
    Effect.gen(function*() {
      const [club, foreign] = [yield* furnished, yield* furnished]
      const cursors = Object.values(foreign.ids).map((id) => Buffer.from(JSON.stringify({ id })).toString("base64url"))
      const queries = [
        ...cursors.map((cursor) => `cursor=${cursor}`),
        `delivery_id=${foreign.ids.deliveryId}`,
        `cohort_id=${foreign.ids.cohortId}`,
        `delivery_id=${foreign.ids.deliveryId}&active=true`,
        `student_id=${foreign.ids.studentId}`,
        `endpoint_id=${foreign.ids.endpointId}`,
        `cursor=${foreign.cursor}`,
        `after=${foreign.cursor}`
      ]
      const lists = clubOperations.filter(({ method, parameters, schemes }) =>
        method === "GET" && schemes.includes("userSession") && parameters.some(({ name }) => name === "cursor")
      )
      assert.isAtLeast(lists.length, 9)
      for (const list of lists) {
        const path = pathWith(list, { clubId: club.organization_id, ...club.ids }, randomUUID())
        for (const query of queries) {
          const { json, text } = yield* send("GET", `${path}?${query}`, { token: club.token })
          for (const id of Object.values(foreign.ids)) assert.notInclude(text, id, `${list.name} ${query}`)
          if (query.startsWith("delivery_id") && path.endsWith("/students")) assert.isEmpty(listAt(json, "data"))
          if (query.startsWith("student_id") && path.endsWith("/events")) assert.isEmpty(listAt(json, "data"))
          if (query.startsWith("endpoint_id") && path.endsWith("/webhook-deliveries")) {
            assert.isEmpty(listAt(json, "data"))
          }
        }
      }
    }))
})
