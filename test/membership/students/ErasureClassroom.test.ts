import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { AssistantWorkersLayer } from "../../../src/assistant/ask/answers/AssistantWorkers.ts"
import { SessionStore } from "../../../src/identity/sessions/SessionStore.ts"
import { MediaCleanup } from "../../../src/learning/media/MediaCleanup.ts"
import { appLayer, at, configLayer, enrolledStudent, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import { clubOperations, pathWith } from "../../harness/Document.ts"
import { eventually } from "../../harness/Eventually.ts"
import { makeBlock, makeEnrollment, makeItem, makeLiveLesson, makeStudent } from "../../harness/Makers.ts"
import { announced, begin, png, sendFile, uploaded } from "../../learning/media/Files.ts"
import { localFolder } from "../../platform/storage/local/LocalFolder.ts"
import { whereIs } from "./Whereabouts.ts"

// In real time with real workers: nothing that a removed student did in the classroom remains.

const { folder } = localFolder()
const variables = { DATA_DIR: folder }

const TestLayer = Layer.merge(AssistantWorkersLayer, MediaCleanup.layer).pipe(
  Layer.provideMerge(appLayer(variables)),
  Layer.provide(configLayer(variables)),
  Layer.provide(Logger.layer([]))
)

const word = "zulmira"
const said = `${word} was here`
const photo = Buffer.concat([png, Buffer.from(word)])

/** The files of the storage with the word in their name or their bytes. */
const filesWithWord = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) =>
    [entry, join(entry.parentPath, entry.name)] as const
  )
    .filter(([entry, path]) => entry.isFile() && `${path} ${readFileSync(path, "latin1")}`.includes(word))

const question = {
  id: "018f0000-0000-7000-8000-000000000001",
  text: "A?",
  options: [{ id: "018f0000-0000-7000-8000-000000000002", text: "A", correct: true }]
}

/** A club with work for two students who have access to everything. The test removes the first one. */
const open = Effect.gen(function*() {
  const club = yield* foundClub()
  const { token } = club
  const made = yield* makeLiveLesson(club)
  const zulmira = yield* makeStudent(club, { name: `Zulmira ${word}` })
  const sessions = yield* SessionStore
  const issued = yield* sessions.issue({ kind: "student", club_id: club.id, student_id: zulmira.id })
  const bia = yield* enrolledStudent(club)
  yield* makeEnrollment(club, zulmira, made.delivery)
  yield* makeEnrollment(club, bia, made.delivery)
  const quiz = yield* makeBlock(club, made.lesson, { kind: "quiz", pass_percent: 50, questions: [question] })
  const assignment = yield* makeBlock(club, made.lesson, { kind: "assignment", body: "A" })
  yield* send("PATCH", `${club.path}/community`, { token, body: { published_at: "2026-01-01T00:00:00.000Z" } })
  const space = yield* send("POST", `${club.path}/community/spaces`, { token, body: { name: "A" } })
  const starts_at = "2026-01-01T00:00:00.000Z"
  const live = yield* send("POST", `${club.path}/lives`, { token, body: { title: "A", starts_at } })
  yield* makeItem(club, made.delivery, { kind: "live", id: String(at(live.json, "data", "id")) })
  const ids = {
    clubId: club.organization_id,
    lessonId: made.lesson.id,
    publicId: made.lesson.public_id,
    blockId: assignment.id,
    spaceId: String(at(space.json, "data", "id")),
    liveId: String(at(live.json, "data", "id")),
    studentId: zulmira.id
  }
  yield* send("POST", `${club.path}/lives/${ids.liveId}/open`, { token })
  return { ...club, bia, ids, quiz, zulmira: { ...zulmira, token: Redacted.value(issued.access_token) } }
})
type Open = Effect.Success<typeof open>

/** Everything that the student can do, and that others can do about them. Answers the ids of the results. */
const lived = Effect.fnUntraced(function*({ bia, ids, path, quiz, token, zulmira }: Open) {
  const as = (who: { readonly token: string }) => (method: "POST" | "PUT" | "PATCH", at: string, body?: unknown) =>
    Effect.map(
      send(method, `${path}${at}`, {
        token: who.token,
        ...(body === undefined ? {} : { body }),
        ...(method === "POST" ? { headers: { "idempotency-key": `${at} ${JSON.stringify(body)}` } } : {})
      }),
      (answer) => {
        assert.isBelow(answer.status, 300, `${method} ${at}: ${answer.text}`)
        return answer
      }
    )
  const idFrom = Effect.map(({ json }: { readonly json: unknown }) => String(at(json, "data", "id")))
  const [she, other, staff] = [as(zulmira), as(bia), as({ token })]
  const caller = { path, token: zulmira.token }
  const image = (purpose: string) => uploaded(caller, photo, { purpose, file_name: `${word}.png` })
  const lesson = `/classroom/lessons/${ids.publicId}`
  const mentions = [zulmira.id]

  const conversationId = yield* idFrom(she("POST", "/classroom/support/conversations", { subject: said, body: said }))
  yield* staff("POST", `/support/conversations/${conversationId}/messages`, { body: `Well, ${word}` })

  const commentId =
    yield* idFrom(she("POST", `${lesson}/comments`, { body: said, media_ids: [yield* image("comment")] }))
  yield* other("POST", `${lesson}/comments`, { body: "A", parent_id: commentId, mentions })
  yield* staff("POST", `/comments/${commentId}/replies`, { body: "A", mentions })
  const theirs = yield* idFrom(other("POST", `${lesson}/comments`, { body: "A" }))
  yield* she("PUT", `/classroom/comments/${theirs}/reactions/${encodeURIComponent("👍")}`)
  yield* she("PUT", `/classroom/comments/${theirs}/saved`)
  yield* she("POST", `/classroom/comments/${theirs}/report`, { reason: said })
  const postId = yield* idFrom(she("POST", `/community/spaces/${ids.spaceId}/posts`, { title: said, body: said }))
  yield* she("PATCH", `/community/posts/${postId}`, { body: `${said} again` })
  yield* other("POST", `/community/posts/${postId}/comments`, { body: "A", mentions })
  const answers = [{ question_id: question.id, option_id: question.options[0]?.id }]
  yield* she("POST", `/classroom/quizzes/${quiz.id}/attempts`, { answers })
  yield* she("PUT", `${lesson}/completion`)
  const media_ids = [yield* image("submission")]
  const submissionId =
    yield* idFrom(she("POST", `/classroom/assignments/${ids.blockId}/submissions`, { body: said, media_ids }))
  yield* staff("POST", `/assignments/submissions/${submissionId}/reject`, { feedback: `Well, ${word}` })
  yield* she("POST", `/classroom/lives/${ids.liveId}/join`)
  const asked = yield* she("POST", `${lesson}/ask`, { content: `${said}?`, media_ids: [yield* image("ask")] })
  const answer = {
    path: `${path}/classroom/ask/messages/${at(asked.json, "data", "reply", "id")}`,
    token: zulmira.token
  }
  yield* eventually(send("GET", answer.path, answer), ({ json }) => at(json, "data", "status") === "completed")
  // One image that is not confirmed, and one that no comment uses.
  yield* sendFile(yield* begin(caller, announced(photo, { purpose: "comment", file_name: `${word}.png` })), photo)
  yield* image("comment")
  return { ...ids, commentId, conversationId, postId, submissionId }
})

layer(TestLayer, { excludeTestServices: true })("A student who is removed", (it) => {
  it.effect("is in no row, no file and no answer, but was in many", () =>
    Effect.gen(function*() {
      const club = yield* open
      const { bia, path, token, zulmira } = club
      const ids = yield* lived(club)
      const before = yield* whereIs(word)
      assert.includeMembers(before, [
        "comment_reports.reason",
        "comments.body",
        "conversations.title",
        "media.file_name",
        "media.title",
        "messages.content",
        "posts.body",
        "posts.title",
        "submissions.body",
        "submissions.feedback",
        "support_conversations.subject",
        "support_messages.body"
      ])
      assert.lengthOf(filesWithWord(), 5)

      assert.strictEqual((yield* send("DELETE", `${path}/students/${zulmira.id}`, { token })).status, 204)
      assert.deepStrictEqual(yield* whereIs(word), [])
      const { deleteFiles } = yield* MediaCleanup
      assert.strictEqual(yield* deleteFiles, 5)
      assert.deepStrictEqual(filesWithWord(), [])

      const reads = clubOperations.filter(({ method, path }) => method === "GET" && !path.endsWith("/stream"))
      for (const operation of reads) {
        const who = operation.schemes.includes("userSession") ? { token } : bia
        const { text } = yield* send("GET", pathWith(operation, ids, ids.commentId), who)
        assert.notInclude(text.toLowerCase(), word, operation.name)
      }
      const refused = yield* send("GET", `${path}/classroom`, { token: zulmira.token })
      assert.deepStrictEqual(outcome(refused), [401, "unauthenticated"])
      const comments = yield* send("GET", `${path}/classroom/lessons/${ids.publicId}/comments`, bia)
      assert.isNotEmpty(listAt(comments.json, "data"))
    }))
})
