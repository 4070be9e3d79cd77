import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appLayer, at, enrolledStudent, foundClub, listAt, send } from "../../harness/App.ts"
import { clubOperations, isWrite, type Listed, pathWith, sampleBody } from "../../harness/Document.ts"
import { hostileBodies, hostileCursors, hostileTexts, kindOf } from "../../harness/Hostile.ts"
import {
  makeBlock,
  makeEnrollment,
  makeItem,
  makeLiveLesson,
  makeMedia,
  makeRepository,
  makeRepositoryFile
} from "../../harness/Makers.ts"

// Takes long: it sends eighteen thousand requests. It reads the routes from the contract, and puts hostile values into the
// paths, queries and bodies of a club's routes. No answer may be a crash.

const unknownId = "018f0000-0000-7000-8000-000000000001"

const question = (n: number) => ({
  id: `018f0000-0000-7000-8000-00000000000${n}`,
  text: "A?",
  options: [{ id: `018f0000-0000-7000-8000-00000000001${n}`, text: "A", correct: true }]
})

/** A club with an object behind every name in paths and bodies, for both callers. */
const furnished = Effect.gen(function*() {
  const club = yield* foundClub()
  const student = yield* enrolledStudent(club)
  const create = Effect.fnUntraced(function*(path: string, body: unknown, token = club.token) {
    const { json, text } = yield* send("POST", `${club.path}${path}`, { token, body })
    const id = at(json, "data", "id")
    return typeof id === "string" ? id : assert.fail(text)
  })
  const { course, delivery, lesson, module } = yield* makeLiveLesson(club)
  yield* makeEnrollment(club, student, delivery)
  const media = yield* makeMedia(club, { kind: "image" })
  const repository = yield* makeRepository(club)
  const liveId = yield* create("/lives", { title: "A", starts_at: "2100-01-01T00:00:00Z" })
  yield* send("POST", `${club.path}/lives/${liveId}/open`, { token: club.token })
  yield* makeItem(club, delivery, { kind: "repository", id: repository.id })
  yield* makeItem(club, delivery, { kind: "live", id: liveId })
  yield* send("PATCH", `${club.path}/community`, {
    token: club.token,
    body: { published_at: "1970-01-01T00:00:00.000Z" }
  })
  const quiz = yield* makeBlock(club, lesson, { kind: "quiz", pass_percent: 50, questions: [question(1), question(2)] })
  const assignment = yield* makeBlock(club, lesson, { kind: "assignment", body: "A" })
  const spaceId = yield* create("/community/spaces", { name: "A" })
  const postId = yield* create(`/community/spaces/${spaceId}/posts`, { body: "A" })
  const lessonPath = `/classroom/lessons/${lesson.public_id}`
  const asked = yield* send("POST", `${club.path}${lessonPath}/ask`, { token: student.token, body: { content: "A?" } })
  const agents = yield* send("GET", `${club.path}/agents`, { token: club.token })
  const assignmentPath = `/classroom/assignments/${assignment.id}/submissions`
  const ids: Record<string, string> = {
    clubId: club.organization_id,
    studentId: student.id,
    courseId: course.id,
    moduleId: module.id,
    lessonId: lesson.id,
    publicId: lesson.public_id,
    blockId: quiz.id,
    mediaId: media.id,
    folderId: yield* create("/media-folders", { name: "A" }),
    repositoryId: repository.id,
    fileId: (yield* makeRepositoryFile(club, repository, media)).id,
    deliveryId: delivery.id,
    liveId,
    spaceId,
    postId,
    commentId: yield* create(`${lessonPath}/comments`, { body: "A?" }, student.token),
    submissionId: yield* create(assignmentPath, { body: "A" }, student.token),
    messageId: String(at(asked.json, "data", "message", "id")),
    agentId: String(listAt(agents.json, "data").map((agent) => at(agent, "id"))[0]),
    conversationId: yield* create("/classroom/support/conversations", { subject: "A", body: "A" }, student.token),
    mentorshipFileId: (yield* makeMedia(club, { kind: "image", purpose: "mentorship" })).id,
    addonKey: "assistant_pack"
  }
  return { ...club, ids, student }
})
type Furnished = Effect.Success<typeof furnished>

/** The ids for the paths of this operation: a `mediaId` belongs to the library or to a mentorship. */
const idsIn = ({ path }: Listed, ids: Furnished["ids"]): Furnished["ids"] =>
  path.includes("/mentorship-files/") ? { ...ids, mediaId: ids["mentorshipFileId"] ?? "" } : ids

const bodies = (operation: Listed, { ids }: Furnished): unknown => {
  const known: Record<string, object> = {
    attempts: {
      answers: [1, 2].map((n) => ({ question_id: question(n).id, option_id: question(n).options[0]?.id ?? "" }))
    },
    media: { file_name: "a.png", mime: "image/png", size_bytes: 9, ...isStudents(operation) && { purpose: "comment" } },
    blocks: { kind: "text", body: "A" },
    files: { media_id: ids["mediaId"] },
    addons: { key: ids["addonKey"] },
    lives: { title: "A", starts_at: "1970-01-01T00:00:00.000Z" },
    publication: { published_at: "1970-01-01T00:00:00.000Z" }
  }
  return known[operation.path.split("/").at(-1) ?? ""] ?? sampleBody(operation)
}

const isStudents = ({ schemes }: Listed) => !schemes.includes("userSession")

// Deleted or ended objects would be missing in the next requests.
const isLasting = ({ method, name }: Listed) => method !== "DELETE" && !/\/(?:stream|close|cancel)$/.test(name)

interface Hostile {
  readonly path?: string
  readonly query?: string
  readonly body?: unknown
}

/** The requests of this operation without an answer, or with an answer of 500 or more. */
const crashes = Effect.fnUntraced(function*(
  { ids, student, token }: Furnished,
  operation: Listed,
  requests: ReadonlyArray<Hostile>
) {
  const found: Array<string> = []
  yield* Effect.forEach(
    requests,
    ({ body, path = pathWith(operation, idsIn(operation, ids), unknownId), query = "" }) =>
      Effect.gen(function*() {
        const sent = { token: isStudents(operation) ? student.token : token, ...(body === undefined ? {} : { body }) }
        const { status, text } = yield* send(operation.method, `${path}${query}`, sent)
        // The contract gives a valid request only this 5xx: the club has no portal.
        if (status < 500 || (status === 501 && operation.path.endsWith("/billing/portal"))) return
        found.push(`${operation.name}${query} ${JSON.stringify(body)?.slice(0, 200)} ${path.slice(-50)}: ${text}`)
      }),
    { concurrency: 8, discard: true }
  )
  return found
})

/** The requests with each hostile value in one place of an operation. */
interface Tried {
  readonly kind: string
  readonly requests: ReadonlyArray<Hostile>
}

/**
 * The requests for a place, each time for the next one. The first place of a kind gets every value, and any other one
 * value in four, because the same schema reads it.
 */
const takeTurns = () => {
  const met = new Set<string>()
  let turn = 0
  return ({ kind, requests }: Tried) => {
    const isNew = !met.has(kind)
    met.add(kind)
    turn++
    return isNew ? requests : requests.filter((_, index) => index % 4 === turn % 4)
  }
}

const inPaths = (operation: Listed, club: Furnished): ReadonlyArray<Tried> =>
  operation.parameters.filter((parameter) => parameter.in === "path" && parameter.name !== "clubId").map((
    { name, schema }
  ) => ({
    kind: kindOf(name, schema),
    requests: hostileTexts.map((text) => ({
      path: pathWith(operation, { ...idsIn(operation, club.ids), [name]: text }, unknownId),
      ...isWrite(operation) && { body: bodies(operation, club) }
    }))
  }))

const inQueries = ({ name: operation, parameters }: Listed): ReadonlyArray<Tried> =>
  parameters.filter((parameter) => parameter.in === "query").map(({ name, schema }) => ({
    // The list decides what a cursor holds.
    kind: name === "cursor" ? operation : kindOf(name, schema),
    requests: (name === "cursor" ? [...hostileTexts, ...hostileCursors] : hostileTexts).map((text) => ({
      query: `?${name}=${text}`
    }))
  }))

layer(appLayer({ BILLING_PROVIDER: "local" }))("Whatever is sent", (it) => {
  const walked = (
    places: (operation: Listed, club: Furnished) => ReadonlyArray<Tried>,
    among: (operation: Listed) => boolean
  ) =>
    Effect.gen(function*() {
      const club = yield* furnished
      const requestsOf = takeTurns()
      // Students' operations come first: the staff's bodies may unpublish and archive the content that students read.
      const students = clubOperations.filter(isStudents)
      const found = yield* Effect.forEach(
        [...students, ...clubOperations.filter((operation) => !isStudents(operation))].filter(among),
        (operation) => crashes(club, operation, places(operation, club).flatMap(requestsOf))
      )
      assert.deepStrictEqual(found.flat(), [])
    })

  it.effect("in a path, no route crashes", () => walked(inPaths, () => true))

  it.effect("in a query, no route crashes", () => walked(inQueries, () => true))

  it.effect(
    "in a body, no route crashes",
    () =>
      walked(
        (operation, club) =>
          hostileBodies(operation, bodies(operation, club))
            .map(({ bodies, kind }) => ({ kind, requests: bodies.map((body) => ({ body })) })),
        (operation) => isWrite(operation) && isLasting(operation)
      )
  )
})
