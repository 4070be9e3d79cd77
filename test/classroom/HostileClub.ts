import { assert } from "@effect/vitest"
import { Effect, Layer, Logger, Stream } from "effect"
import { ask, citation, Script, text, work as answer, worldLayer } from "../assistant/World.ts"
import { at, enrolledStudent, foundClub, listAt, send } from "../harness/App.ts"
import { pageVariables } from "../harness/Visiting.ts"
import { png, uploaded } from "../learning/media/Files.ts"

/** Text with markup for browsers, style sheets and templates, which turns the direction of writing. */
const hostile = [
  `<img src=x onerror="document.title='owned'">`,
  `"><script>alert(1)</script><style>*{display:none}`,
  "\u202E\u200Bمرحبا{{7*7}}"
].join("")

/** The same for a field with less room. */
const shorter = `"><img src=x onerror=alert(1)>\u202Eم🎻`

/** A word that no line has room for. */
const longWord = "W".repeat(120)

/** The same for a field with more room: with links, images and HTML that would run or load something. */
const longer = (image: string) =>
  [
    `${hostile} ${longWord}`,
    "[x](javascript:alert(2)) [x](data:text/html,<script>alert(3)</script>) <javascript:alert(4)> [x](//evil.example/)",
    `![x](https://evil.example/x.png) ![${shorter}](media:${image}) <a href="javascript:alert(5)">x</a>`,
    "<iframe src=https://evil.example></iframe><svg onload=alert(6)></svg><base href=https://evil.example>",
    `[${hostile}]: javascript:alert(7)`,
    `| <b>x</b> |\n|--|\n| ${hostile.replaceAll("|", "")} |`,
    `\`\`\`<script>\n</code></pre><script>alert(8)</script>\n\`\`\``
  ].join("\n\n")

/** Marks that no parser of Markdown ends with. */
const endless = `${"- ".repeat(1000)}\n\n${"*a ".repeat(900)} ${shorter}`

/** The classroom with a scripted assistant. */
export const HostileAppLayer = worldLayer(pageVariables).pipe(Layer.provide(Logger.layer([])))

/** A club in which every text that a student sees is hostile, two of its students, and the addresses of its views. */
export const openHostileClub = Effect.gen(function*() {
  const club = yield* foundClub()
  const asked = (method: "GET" | "PATCH" | "POST" | "PUT", path: string, body?: unknown, token = club.token) =>
    Effect.tap(
      send(method, `${club.path}${path}`, { token, body }),
      ({ status, text }) => Effect.sync(() => assert.isBelow(status, 300, `${method} ${path}: ${text}`))
    )
  const create = (path: string, body: unknown, token?: string) =>
    Effect.map(asked("POST", path, body, token), ({ json }) => String(at(json, "data", "id")))
  const read = (path: string, ...field: ReadonlyArray<string | number>) =>
    Effect.map(asked("GET", path), ({ json }) => String(at(json, "data", ...field)))

  const image = yield* uploaded(club, png, { title: hostile })
  const document = yield* uploaded(club, png, { title: hostile, file_name: `${shorter}.png` })
  const long = longer(image)
  yield* asked("PATCH", "", {
    name: hostile,
    welcome: `${hostile} ${longWord}`,
    logo_media_id: image,
    cover_media_id: image,
    accent: "#ffe100"
  })
  yield* send("PATCH", "/v1/me", { token: club.token, body: { name: hostile } })
  const levels = [{ name: `1 ${shorter}`, min_points: 0 }, { name: shorter, min_points: 100 }]
  yield* asked("PUT", "/gamification/levels", { levels })

  const described = {
    title: hostile,
    subtitle: hostile,
    description: long.slice(0, 4900),
    instructor_name: shorter,
    cover_media_id: image
  }
  const course = yield* create("/courses", described)
  const lost = yield* create("/courses", { ...described, listed: true })
  const live = { published_at: "2026-01-01T00:00:00Z" }
  const lessonIn = Effect.fnUntraced(function*(of: string, given: object = {}) {
    const module = yield* create(`/courses/${of}/modules`, { title: hostile })
    const lesson = yield* create(`/modules/${module}/lessons`, { title: hostile, ...given })
    yield* asked("PUT", `/lessons/${lesson}/publication`, live)
    return lesson
  })
  const lesson = yield* lessonIn(course)
  const locked = yield* lessonIn(course, { opens_at: "2100-01-01T00:00:00Z" })
  yield* lessonIn(lost)
  const blocks = `/lessons/${lesson}/blocks`
  const video = yield* asked("POST", "/media", { url: "https://youtu.be/dQw4w9WgXcQ", title: hostile })
  yield* create(blocks, { kind: "text", title: hostile, body: long })
  yield* create(blocks, { kind: "video", title: hostile, media_id: at(video.json, "data", "media", "id") })
  yield* create(blocks, { kind: "file", title: hostile, media_id: document })
  yield* create(blocks, { kind: "text", title: hostile, body: endless })
  const assignment = yield* create(blocks, { kind: "assignment", title: hostile, body: long })
  const options = [{ text: hostile, correct: true }, { text: longWord, correct: false }]
  yield* create(blocks, { kind: "quiz", title: hostile, pass_percent: 70, questions: [{ text: hostile, options }] })

  const repository = yield* create("/repositories", { title: hostile, instructor_name: hostile })
  yield* create(`/repositories/${repository}/files`, { media_id: document })
  yield* asked("PUT", `/repositories/${repository}/publication`, live)
  const session = { title: hostile, description: long.slice(0, 1900), starts_at: "2100-01-01T00:00:00Z" }
  const [open, planned] = [
    yield* create("/lives", { ...session, url: `https://a.example/${encodeURIComponent(hostile)}` }),
    yield* create("/lives", session)
  ]
  yield* asked("POST", `/lives/${open}/open`)
  const delivery = yield* create("/deliveries", { name: hostile })
  const items = [["course", course], ["repository", repository], ["live", open], ["live", planned]]
  yield* asked("PATCH", `/deliveries/${delivery}`, { items: items.map(([kind, id]) => ({ kind, id })) })

  const student = Effect.gen(function*() {
    const known = yield* enrolledStudent(club)
    yield* asked("POST", `/students/${known.id}/grants`, { delivery_id: delivery })
    yield* asked("PATCH", "/classroom/me", { name: hostile }, known.token)
    return known
  })
  const [ana, bia] = [yield* student, yield* student]
  yield* asked("POST", `/students/${ana.id}/points`, { points: 150, reason: `${hostile} ${longWord}` })

  const submissions = `/classroom/assignments/${assignment}/submissions`
  const submission = yield* create(submissions, { body: long }, ana.token)
  yield* asked("POST", `/assignments/submissions/${submission}/reject`, { feedback: long.slice(0, 4900) })
  yield* asked("PATCH", "/community", { name: hostile, description: long.slice(0, 900), ...live })
  const space = yield* read("/community", "spaces", 1, "id")
  yield* asked("PATCH", `/community/spaces/${space}`, { name: hostile.slice(0, 100), description: hostile })
  const posts = `/classroom/community/spaces/${space}/posts`
  const post = yield* create(posts, { title: hostile, body: long, mentions: [bia.id] }, ana.token)
  const publicId = yield* read(`/lessons/${lesson}`, "public_id")
  const said = long.slice(0, 4900)
  for (const place of [`/classroom/lessons/${publicId}/comments`, `/classroom/community/posts/${post}/comments`]) {
    const comment = yield* create(place, { body: said }, ana.token)
    yield* create(place, { body: said, parent_id: comment, mentions: [ana.id] }, bia.token)
    yield* create(`/comments/${comment}/replies`, { body: said, mentions: [ana.id] })
    yield* create(place, { body: endless }, bia.token)
  }
  const help = "/classroom/support/conversations"
  const conversation = yield* create(help, { subject: hostile, body: said }, ana.token)
  yield* create(`/support/conversations/${conversation}/messages`, { body: said })
  yield* asked("PATCH", `/agents/${yield* read("/agents", 0, "id")}`, { name: shorter })
  const script = yield* Script
  const question = long.slice(0, 3900)
  script.answers.set(
    question,
    Stream.make(text(long), {
      _tag: "Citation",
      citation: { ...citation, source_title: hostile, cited_text: hostile }
    })
  )
  yield* ask({ club, lesson: { public_id: publicId }, student: ana }, question)
  yield* answer
  const { json } = yield* asked("GET", "/classroom/notifications", undefined, ana.token)
  assert.isNotEmpty(listAt(json, "data"))
  return {
    ...club,
    student: ana,
    ids: {
      ":course": [yield* read(`/courses/${course}`, "public_id"), yield* read(`/courses/${lost}`, "public_id")],
      ":lesson": [publicId, yield* read(`/lessons/${locked}`, "public_id")],
      ":post": [post],
      ":space": [space],
      ":repository": [yield* read(`/repositories/${repository}`, "public_id")],
      ":conversation": [conversation]
    }
  }
})
