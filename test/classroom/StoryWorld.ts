import { assert } from "@effect/vitest"
import { DateTime, Effect, Layer, Logger } from "effect"
import type { Page } from "playwright-core"
import { InboundQueue } from "../../src/commerce/sales/queue/InboundQueue.ts"
import { worldLayer } from "../assistant/World.ts"
import { drain, hottok, pathOf } from "../commerce/sales/inbound/Hooks.ts"
import { changed } from "../commerce/sales/platform/Fixture.ts"
import { hotmart } from "../commerce/sales/platform/HotmartFixtures.ts"
import { at, enrolledStudent, foundClub, listAt, send } from "../harness/App.ts"
import { Mailbox } from "../harness/Mailbox.ts"
import {
  makeBlock,
  makeCatalogDelivery,
  makeCourse,
  makeEnrollment,
  makeItem,
  makeLesson,
  makeMedia,
  makeModule
} from "../harness/Makers.ts"
import { pageVariables } from "../harness/Visiting.ts"
import { newAddress } from "../membership/accounts/People.ts"
import { describeCourse, question } from "./Learning.ts"
import { storyWords } from "./StoryWords.ts"
import { open } from "./Visit.ts"

/** The service with its pages, the scripted assistant, and the queue of sales. Tests drive the workers. */
export const StoryLayer = InboundQueue.layer({ concurrency: 4 }).pipe(
  Layer.provideMerge(worldLayer(pageVariables)),
  Layer.provide(Logger.layer([]))
)

type Club = Effect.Success<ReturnType<typeof foundClub>>

/** The product of the sale in the platform's body. */
const product = "4774438"

const [firstLesson, secondLesson] = ["primeiro-acorde", "primeira-troca"] as const

const makeContent = Effect.fnUntraced(function*(club: Club, words: (typeof storyWords)["en"]) {
  const course = yield* makeCourse(club, { title: words.course.title, public_id: "violao-do-zero" })
  yield* describeCourse(course, { subtitle: words.course.subtitle, description: words.course.text })
  const module = yield* makeModule(club, course, { title: words.course.module })
  const lesson = yield* makeLesson(club, module, { title: words.lesson.title, public_id: firstLesson, position: 1 })
  const next = yield* makeLesson(club, module, { title: words.lesson.second, public_id: secondLesson, position: 2 })
  const video = yield* makeMedia(club, { kind: "video", title: words.lesson.video })
  const pdf = yield* makeMedia(club, { title: words.lesson.document })
  const quiz = {
    kind: "quiz" as const,
    pass_percent: 100,
    questions: [
      question(1, words.quiz.questions[0], [words.quiz.right, words.quiz.wrong]),
      question(2, words.quiz.questions[1], [words.quiz.last, words.quiz.wrong])
    ]
  }
  yield* makeBlock(club, lesson, { kind: "video", media_id: video.id }, { position: 1 })
  yield* makeBlock(club, lesson, { kind: "text", body: words.lesson.text }, { position: 2 })
  yield* makeBlock(club, lesson, { kind: "file", media_id: pdf.id }, { position: 3 })
  yield* makeBlock(club, lesson, quiz, { position: 4, title: words.quiz.title })
  yield* makeBlock(club, next)
  return { course, lesson, pdf }
})

/** Connects Hotmart and says what its product gives. Answers the path that Hotmart writes to. */
const connect = Effect.fnUntraced(function*({ path, token }: Club, delivery_id: string) {
  yield* send("POST", `${path}/product-mappings`, {
    token,
    body: { platform: "hotmart", external_product_id: product, delivery_id }
  })
  const hook = yield* send("POST", `${path}/inbound-webhooks`, { token, body: { platform: "hotmart", secret: hottok } })
  return pathOf(String(at(hook.json, "data", "url")))
})

/** A club that sells a course at Hotmart, with a community and a student who is there already. */
export const openStory = Effect.fnUntraced(function*(locale: "en" | "pt-BR") {
  const words = storyWords[locale]
  const club = yield* foundClub({ locale })
  const { path, token } = club
  const content = yield* makeContent(club, words)
  const delivery = yield* makeCatalogDelivery(club, { name: words.course.title })
  yield* makeItem(club, delivery, { kind: "course", id: content.course.id })
  yield* send("PATCH", `${path}/community`, {
    token,
    body: { published_at: DateTime.formatIso(yield* DateTime.now) }
  })
  const levels = [{ name: words.points.first, min_points: 0 }, { name: words.points.level, min_points: 20 }]
  const laddered = yield* send("PUT", `${path}/gamification/levels`, { token, body: { levels } })
  assert.strictEqual(laddered.status, 200, laddered.text)
  const other = yield* enrolledStudent(club)
  yield* makeEnrollment(club, other, delivery)
  return { ...content, club, words, other, post: yield* connect(club, delivery.id), email: yield* newAddress }
})
/** A club of the story. */
export type StoryClub = Effect.Success<ReturnType<typeof openStory>>

/** Buys the course: Hotmart sends its body, and the queue takes it in. */
export const buy = Effect.fnUntraced(function*({ email, post }: StoryClub) {
  const sale = hotmart.find(({ of }) => of === "PURCHASE_APPROVED")?.body ?? assert.fail("No sale")
  const body = changed(sale, "data.buyer.email", email)
  const answer = yield* send("POST", post, { body, headers: { "x-hotmart-hottok": hottok } })
  assert.strictEqual(answer.status, 200, answer.text)
  yield* drain
})

/** Opens the newest mailed link to this address whose path has this in it. */
export const openMail = Effect.fnUntraced(function*(page: Page, email: string, within: string) {
  const mails = yield* (yield* Mailbox).to(email)
  const links = mails.flatMap(({ text }) => [...text.matchAll(/http:\/\/127\.0\.0\.1(\/\S+)/g)].map(([, link]) => link))
  const link = links.findLast((one) => one?.includes(within))
  yield* open(page, link ?? (yield* Effect.die(new Error(`No such link was mailed to ${email}`))))
})

/** The token of the session in the browser. */
export const tokenIn = (page: Page, { club }: StoryClub) =>
  Effect.promise(async () => {
    const name = `turma-${club.organization_id.slice(0, 8)}`
    const cookie = (await page.context().cookies()).find((one) => one.name === name)
    return decodeURIComponent(cookie?.value ?? assert.fail("Nobody is signed in"))
  })

/** Answers the newest comment on the lesson as the other student, who mentions its author. */
export const replyTo = Effect.fnUntraced(function*({ club, lesson, other, words }: StoryClub) {
  const comments = `${club.path}/classroom/lessons/${lesson.public_id}/comments`
  const [newest] = listAt((yield* send("GET", comments, other)).json, "data")
  assert.deepStrictEqual(listAt(newest, "mentions").map((one) => at(one, "id")), [other.id])
  yield* send("POST", comments, {
    token: other.token,
    body: { body: words.discussion.reply, parent_id: at(newest, "id"), mentions: [at(newest, "author", "id")] }
  })
})
