import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { at, enrolledStudent, foundClub, send } from "../harness/App.ts"
import {
  makeBlock,
  makeEnrollment,
  makeItem,
  makeLiveLesson,
  makeMedia,
  makeRepository,
  makeRepositoryFile
} from "../harness/Makers.ts"
import { png, uploaded } from "../learning/media/Files.ts"

// Requests that name a thing in the classroom, the community and the content, and the things of others to name.

const unknownId = "018f0000-0000-7000-8000-000000000001"

const idIn = ({ json, text }: { readonly json: unknown; readonly text: string }) => {
  const id = at(json, "data", "id")
  return typeof id === "string" ? id : assert.fail(text)
}

type Club = Effect.Success<ReturnType<typeof foundClub>>
type Made = Effect.Success<ReturnType<typeof makeLiveLesson>>
type Student = Effect.Success<ReturnType<typeof enrolledStudent>>

/** One student's writings, uploads and questions. */
const livesOf = Effect.fnUntraced(function*(club: Club, made: Made, student: Student, spaceId: string) {
  const { token } = student
  const post = (path: string, body: unknown) => send("POST", `${club.path}${path}`, { token, body })
  const lesson = `/classroom/lessons/${made.lesson.public_id}`
  const asked = yield* post(`${lesson}/ask`, { content: "A?" })
  const upload = (purpose: string) => uploaded({ path: club.path, token }, png, { purpose })
  return {
    studentId: student.id,
    mediaId: yield* upload("comment"),
    askMediaId: yield* upload("ask"),
    submissionMediaId: yield* upload("submission"),
    commentId: idIn(yield* post(`${lesson}/comments`, { body: "A" })),
    postId: idIn(yield* post(`/community/spaces/${spaceId}/posts`, { body: "A" })),
    conversationId: String(at(asked.json, "data", "conversation", "id")),
    messageId: String(at(asked.json, "data", "message", "id")),
    supportId: idIn(yield* post("/classroom/support/conversations", { subject: "A", body: "A" })),
    replyId: String(at(asked.json, "data", "reply", "id"))
  }
})

/** A club with everything, and two students with access to all of it. */
export const furnished = Effect.gen(function*() {
  const club = yield* foundClub()
  const { token } = club
  const create = (path: string, body: unknown) => Effect.map(send("POST", `${club.path}${path}`, { token, body }), idIn)
  const made = yield* makeLiveLesson(club)
  const repository = yield* makeRepository(club)
  const file = yield* makeRepositoryFile(club, repository, yield* makeMedia(club))
  const liveId = yield* create("/lives", { title: "A", starts_at: "2026-01-01T00:00:00Z" })
  yield* makeItem(club, made.delivery, { kind: "repository", id: repository.id })
  yield* makeItem(club, made.delivery, { kind: "live", id: liveId })
  yield* send("POST", `${club.path}/lives/${liveId}/open`, { token })
  yield* send("PATCH", `${club.path}/community`, { token, body: { published_at: "1970-01-01T00:00:00.000Z" } })
  const spaceId = yield* create("/community/spaces", { name: "A" })
  const learner = Effect.tap(enrolledStudent(club), (student) => makeEnrollment(club, student, made.delivery))
  const [ana, bia] = [yield* learner, yield* learner]
  const assignment = yield* makeBlock(club, made.lesson, { kind: "assignment", body: "A" })
  const quiz = yield* makeBlock(club, made.lesson, { kind: "quiz", pass_percent: 50, questions: [] })
  const shared = {
    publicId: made.lesson.public_id,
    coursePublicId: made.course.public_id,
    repositoryPublicId: repository.public_id,
    lessonId: made.lesson.id,
    moduleId: made.module.id,
    fileId: file.id,
    assignmentId: assignment.id,
    quizId: quiz.id,
    liveId,
    spaceId,
    folderId: yield* create("/media-folders", { name: "A" }),
    libraryId: (yield* makeMedia(club, { kind: "image" })).id,
    mentorshipFileId: (yield* makeMedia(club, { kind: "image", purpose: "mentorship" })).id
  }
  return {
    ...club,
    ana,
    bia,
    shared,
    anas: yield* livesOf(club, made, ana, spaceId),
    delivery: made.delivery,
    bias: yield* livesOf(club, made, bia, spaceId)
  }
})
export type Furnished = Effect.Success<typeof furnished>
type Ids = Furnished["shared"] & Furnished["bias"]

export type Asked = readonly [method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown]

/** A student's requests for things that belong to another student. */
export const withAnothers = (
  { shared: { assignmentId, publicId } }: Furnished,
  { askMediaId, commentId, conversationId, mediaId, messageId, postId, replyId, submissionMediaId, supportId }:
    Furnished["bias"]
): ReadonlyArray<Asked> => {
  const lesson = `/classroom/lessons/${publicId}`
  return [
    ["PATCH", `/classroom/comments/${commentId}`, { body: "B" }],
    ["DELETE", `/classroom/comments/${commentId}`],
    ["PATCH", `/community/posts/${postId}`, { body: "B" }],
    ["DELETE", `/community/posts/${postId}`],
    ["PATCH", `/classroom/community/posts/${postId}`, { body: "B" }],
    ["DELETE", `/classroom/community/posts/${postId}`],
    ["POST", `/classroom/media/${mediaId}/upload`],
    ["POST", `/classroom/media/${mediaId}/complete`],
    ["POST", `${lesson}/comments`, { body: "B", media_ids: [mediaId] }],
    ["POST", `/classroom/assignments/${assignmentId}/submissions`, { body: "B", media_ids: [submissionMediaId] }],
    ["POST", `${lesson}/ask`, { content: "B?", media_ids: [askMediaId] }],
    ["POST", `${lesson}/ask`, { content: "B?", conversation_id: conversationId }],
    ["GET", `/classroom/ask/conversations/${conversationId}`],
    ["GET", `/classroom/ask/conversations/${conversationId}/messages`],
    ["GET", `/classroom/ask/messages/${messageId}`],
    ["GET", `/classroom/ask/messages/${replyId}/stream`],
    ["POST", `/classroom/ask/messages/${replyId}/cancel`],
    ["GET", `/classroom/support/conversations/${supportId}`],
    ["GET", `/classroom/support/conversations/${supportId}/messages`],
    ["POST", `/classroom/support/conversations/${supportId}/messages`, { body: "B" }],
    ["POST", `/classroom/support/conversations/${supportId}/read`]
  ]
}

/** A student's requests for things of a club. */
export const inClassroom = (own: Ids, ids: Ids): ReadonlyArray<Asked> => {
  const lesson = `/classroom/lessons/${ids.publicId}`
  const comments = `/classroom/lessons/${own.publicId}/comments`
  return [
    ["GET", `/classroom/courses/${ids.coursePublicId}`],
    ["GET", lesson],
    ["PUT", `${lesson}/completion`],
    ["DELETE", `${lesson}/completion`],
    ["PUT", `${lesson}/position`, { seconds: 1 }],
    ["PUT", `/classroom/lessons/${own.publicId}/position`, { seconds: 1, block_id: ids.quizId }],
    ["GET", `${lesson}/ask`],
    ["GET", `${lesson}/ask/conversations`],
    ["POST", `${lesson}/ask`, { content: "B?" }],
    ["GET", `${lesson}/comments`],
    ["POST", `${lesson}/comments`, { body: "B" }],
    ["POST", comments, { body: "B", parent_id: ids.commentId }],
    ["POST", comments, { body: "B", mentions: [ids.studentId] }],
    ["POST", comments, { body: "B", media_ids: [ids.libraryId] }],
    ["GET", `/classroom/comments/${ids.commentId}`],
    ["GET", `/classroom/comments/${ids.commentId}/replies`],
    ["PUT", `/classroom/comments/${ids.commentId}/saved`],
    ["PUT", `/classroom/comments/${ids.commentId}/reactions/%F0%9F%91%8D`],
    ["POST", `/classroom/comments/${ids.commentId}/report`, {}],
    ["POST", `/classroom/quizzes/${ids.quizId}/attempts`, { answers: [] }],
    ["POST", `/classroom/assignments/${ids.assignmentId}/submissions`, { body: "B" }],
    ["GET", `/classroom/assignments/${ids.assignmentId}/submissions`],
    ["GET", `/classroom/repositories/${ids.repositoryPublicId}`],
    ["GET", `/classroom/repositories/${own.repositoryPublicId}/files/${ids.fileId}/download`],
    ["POST", `/classroom/lives/${ids.liveId}/join`],
    ["GET", `/classroom/lives/${ids.liveId}/calendar.ics`],
    ["GET", `/community/spaces/${ids.spaceId}/posts`],
    ["POST", `/community/spaces/${ids.spaceId}/posts`, { body: "B" }],
    ["GET", `/community/posts/${ids.postId}`],
    ["POST", `/community/posts/${ids.postId}/comments`, { body: "B" }],
    ["GET", `/classroom/community/spaces/${ids.spaceId}/posts`],
    ["POST", `/classroom/community/spaces/${ids.spaceId}/posts`, { body: "B" }],
    ["POST", `/classroom/community/spaces/${own.spaceId}/posts`, { body: "B", mentions: [ids.studentId] }],
    ["PUT", `/classroom/spaces/${ids.spaceId}/seen`],
    ["GET", `/classroom/community/posts/${ids.postId}`],
    ["GET", `/classroom/community/posts/${ids.postId}/comments`],
    ["POST", `/classroom/community/posts/${ids.postId}/comments`, { body: "B" }],
    ["POST", `/classroom/community/posts/${own.postId}/comments`, { body: "B", mentions: [ids.studentId] }]
  ]
}

/** A member's requests that name things of a club in bodies and filters. */
export const byStaff = (own: Ids, ids: Ids): ReadonlyArray<Asked> => [
  ["PATCH", `/lessons/${own.lessonId}`, { module_id: ids.moduleId }],
  ["POST", `/lessons/${own.lessonId}/blocks`, { kind: "file", media_id: ids.libraryId }],
  ["POST", `/lessons/${own.lessonId}/blocks`, { kind: "text", body: `![B](media:${ids.libraryId})` }],
  ["POST", "/courses", { title: "B", description: `![B](media:${ids.libraryId})` }],
  ["POST", "/courses", { title: "B", cover_media_id: ids.libraryId }],
  ["PATCH", "", { logo_media_id: ids.libraryId }],
  ["POST", `/community/spaces/${own.spaceId}/posts`, { body: "B", mentions: [ids.studentId] }],
  ["POST", "/media", { file_name: "a.png", mime: "image/png", size_bytes: 1, folder_id: ids.folderId }],
  ["PATCH", `/media/${own.libraryId}`, { folder_id: ids.folderId }],
  ["POST", `/comments/${own.commentId}/replies`, { body: "B", mentions: [ids.studentId] }],
  ["POST", `/comments/${own.commentId}/replies`, { body: "B", media_ids: [ids.libraryId] }],
  ["POST", `/community/posts/${own.postId}/comments`, { body: "B", parent_id: ids.commentId }],
  ["GET", `/comments?lesson_id=${ids.lessonId}`],
  ["GET", `/comments?post_id=${ids.postId}`],
  ["GET", `/media?folder_id=${ids.folderId}`],
  ["GET", `/assignments/submissions?student_id=${ids.studentId}`],
  ["GET", `/assignments/submissions?block_id=${ids.assignmentId}`],
  ["GET", `/support/conversations/${ids.supportId}`],
  ["GET", `/support/conversations/${ids.supportId}/messages`],
  ["POST", `/support/conversations/${ids.supportId}/messages`, { body: "B" }],
  ["PATCH", `/support/conversations/${ids.supportId}`, { status: "closed" }],
  ["PATCH", `/support/conversations/${own.supportId}`, { assignee_user_id: ids.studentId }],
  ["POST", `/support/conversations/${ids.supportId}/read`],
  ["GET", `/support/conversations?assignee_user_id=${ids.studentId}`],
  ["GET", `/media/${ids.mediaId}`],
  ["GET", `/media/${ids.mediaId}/download`],
  ["PUT", `/media/${ids.mediaId}/transcript`, { text: "B" }],
  ["GET", `/media/${ids.mentorshipFileId}`],
  ["POST", `/lessons/${own.lessonId}/blocks`, { kind: "file", media_id: ids.mentorshipFileId }],
  ["POST", `/comments/${own.commentId}/replies`, { body: "B", media_ids: [ids.mentorshipFileId] }],
  ["GET", `/mentorship-files/${ids.libraryId}`],
  ["GET", `/mentorship-files/${ids.mentorshipFileId}`],
  ["GET", `/mentorship-files/${ids.mentorshipFileId}/download`],
  ["POST", `/mentorship-files/${ids.mentorshipFileId}/upload`],
  ["POST", `/mentorship-files/${ids.mentorshipFileId}/complete`],
  ["DELETE", `/mentorship-files/${ids.mentorshipFileId}`]
]

export const unknownOf = <Named extends Record<string, string>>(ids: Named): Named => {
  const unknown: Named = { ...ids }
  return Object.assign(unknown, Object.fromEntries(Object.keys(ids).map((name) => [name, unknownId])))
}
