import { assert } from "@effect/vitest"
import { Deferred, Effect, Stream } from "effect"
import type { Page } from "playwright-core"
import { LessonId } from "../../src/learning/content/Lesson.ts"
import { MediaId } from "../../src/learning/media/Media.ts"
import { citation, say, text, work } from "../assistant/World.ts"
import { at, listAt, send } from "../harness/App.ts"
import { eventually } from "../harness/Eventually.ts"
import { Mailbox } from "../harness/Mailbox.ts"
import { isPlaying, onVideo, playAt, secondsOf } from "./Learning.ts"
import { openMail, replyTo, type StoryClub, tokenIn } from "./StoryWorld.ts"
import { addressOf, becomes, look, open, settled } from "./Visit.ts"

// The steps of the story. Each ends with a look at the page.

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).first().click()

/** Follows a link of the page, the only way between views in this test. */
export const follow = Effect.fnUntraced(function*(page: Page, name: string | RegExp, within = "main") {
  yield* Effect.promise(() => page.locator(within).getByRole("link", { name }).first().click())
  yield* settled(page)
})

/** Goes to an area. A phone shows the further ones behind a button. */
export const area = Effect.fnUntraced(function*(page: Page, { words: { areas } }: StoryClub, name: string) {
  const link = page.locator("nav.areas").getByRole("link", { name })
  if (!(yield* Effect.promise(() => link.isVisible()))) yield* Effect.promise(() => press(page, areas.more))
  yield* follow(page, name, "nav.areas")
})

/** From the mail of the purchase by one click into the first lesson. */
export const begins = Effect.fnUntraced(function*(page: Page, story: StoryClub, name: string) {
  const { email, words } = story
  yield* openMail(page, email, "/enter?")
  yield* look(page, `${name}-1-mail`)
  yield* Effect.promise(async () => {
    await press(page, words.enter.signIn)
    await page.getByRole("heading", { name: words.course.title, level: 1 }).waitFor()
  })
  yield* look(page, `${name}-2-course`)
  yield* follow(page, words.course.begin)
  yield* Effect.promise(() => page.getByRole("heading", { name: words.lesson.title, level: 1 }).waitFor())
})

/** The video goes on at its second after a reload. */
export const watches = Effect.fnUntraced(function*(page: Page, story: StoryClub, name: string) {
  const { club, lesson, words } = story
  const token = yield* tokenIn(page, story)
  yield* Effect.promise(async () => {
    await playAt(page, 40)
    assert.isTrue(await becomes(() => isPlaying(page)))
    await onVideo(page, "shown.pause()")
  })
  yield* eventually(
    send("GET", `${club.path}/classroom/lessons/${lesson.public_id}`, { token }),
    ({ json }) => at(json, "data", "position", "seconds") === 40
  )
  yield* open(page, new URL(page.url()).pathname)
  yield* Effect.promise(async () => {
    await page.getByText(words.lesson.resumed).waitFor()
    assert.strictEqual(await secondsOf(page), 40)
  })
  yield* look(page, `${name}-3-lesson`)
})

/** Passes the quiz and completes the lesson: points, and the next level. */
export const passesQuiz = Effect
  .fnUntraced(function*(page: Page, { words: { lesson, points, quiz } }: StoryClub, name: string) {
    yield* Effect.promise(async () => {
      await page.getByRole("radio", { name: quiz.right }).check()
      await press(page, quiz.next)
      await page.getByRole("radio", { name: quiz.last }).check()
      await press(page, quiz.send)
      await page.getByText(quiz.passed).waitFor()
      await page.getByText(points.quiz).waitFor()
      await page.getByRole("link", { name: points.reached }).waitFor()
      await press(page, lesson.complete)
      await page.getByText(lesson.completed).waitFor()
      await page.getByText(points.lesson).waitFor()
    })
    yield* look(page, `${name}-4-quiz`)
  })

/** Comments and mentions the other student, who replies, and finds the reply by the notification. */
export const comments = Effect.fnUntraced(function*(page: Page, story: StoryClub, name: string) {
  const { other, words: { discussion, lesson, notices } } = story
  const article = (text: string) => page.getByRole("article").filter({ hasText: text })
  yield* Effect.promise(async () => {
    const field = page.getByLabel(discussion.field)
    await field.pressSequentially("@bi")
    await page.getByRole("option", { name: other.name }).click()
    await field.pressSequentially(discussion.own)
    await press(page, discussion.action)
    await article(discussion.own).locator("strong", { hasText: `@${other.name}` }).waitFor()
    await article(discussion.own).locator(".comment-actions").waitFor()
  })
  yield* replyTo(story)
  yield* open(page, new URL(page.url()).pathname)
  yield* Effect.promise(() => page.getByRole("link", { name: notices.unread }).click())
  yield* settled(page)
  yield* Effect.promise(() => page.getByRole("region", { name: notices.new }).getByRole("link").waitFor())
  yield* look(page, `${name}-5-notice`)
  yield* follow(page, new RegExp(`${other.name} ${notices.mentioned} ${lesson.title}`))
  yield* Effect.promise(async () => {
    await article(discussion.reply).and(page.locator(":focus")).waitFor()
    await page.getByRole("link", { name: notices.title, exact: true }).waitFor()
  })
  yield* look(page, `${name}-6-comments`)
})

/** Asks the assistant, sees the answer come, and opens the page that it cites. */
export const asks = Effect
  .fnUntraced(function*(page: Page, { lesson: { id }, pdf, words: { agent, lesson } }: StoryClub, name: string) {
    const goOn = yield* Deferred.make<void>()
    const cited = {
      ...citation,
      source_kind: "media" as const,
      lesson_id: LessonId.make(id),
      source_id: pdf.id,
      media_id: MediaId.make(pdf.id),
      source_title: lesson.document,
      page_from: 3,
      page_to: 3
    }
    const rest = Stream.make(text(agent.rest), { _tag: "Citation" as const, citation: cited })
    const answer = Stream.unwrap(Effect.as(Deferred.await(goOn), rest))
    yield* say(agent.question, Stream.concat(Stream.make(text(agent.start)), answer))
    const log = page.getByRole("dialog").getByRole("log")
    yield* Effect.promise(async () => {
      await press(page, agent.ask)
      await page.getByLabel(agent.field).fill(agent.question)
      const accepted = page.waitForResponse((response) => response.status() === 202)
      await press(page, agent.send)
      await accepted
    })
    yield* Effect.forkChild(work)
    yield* Effect.promise(() => log.locator("strong").waitFor())
    yield* Deferred.succeed(goOn, undefined)
    const chip = log.getByRole("button", { name: `${lesson.document} ${agent.page}` })
    yield* Effect.promise(async () => {
      await chip.waitFor()
      await page.getByText(agent.left).waitFor()
    })
    yield* look(page, `${name}-7-answer`)
    yield* Effect.promise(async () => {
      const opened = page.context().waitForEvent("page")
      await chip.click()
      const document = await opened
      await document.waitForURL(/#page=3$/)
      await document.close()
    })
  })

/** Posts in the community. */
export const posts = Effect.fnUntraced(function*(page: Page, story: StoryClub, name: string) {
  const { words: { areas, community } } = story
  yield* area(page, story, areas.community)
  yield* look(page, `${name}-8-community`)
  yield* follow(page, new RegExp(community.general))
  yield* follow(page, community.write)
  yield* Effect.promise(async () => {
    await page.getByLabel(community.titleField).fill(community.title)
    await page.getByLabel(community.bodyField, { exact: true }).fill(community.body)
  })
  yield* look(page, `${name}-9-write`)
  yield* Effect.promise(async () => {
    await press(page, community.publish)
    await page.getByRole("heading", { name: community.title, level: 1 }).waitFor()
  })
  yield* settled(page)
  yield* look(page, `${name}-10-post`)
})

/** Asks the staff. The answer is on the page, and by mail with the student's own words. */
export const getsHelp = Effect.fnUntraced(function*(page: Page, story: StoryClub, name: string) {
  const { club, email, words: { areas, support } } = story
  yield* area(page, story, areas.help)
  yield* follow(page, support.ask)
  yield* Effect.promise(async () => {
    await page.getByLabel(support.subjectField).fill(support.subject)
    await page.getByLabel(support.bodyField).fill(support.body)
  })
  yield* look(page, `${name}-11-help`)
  yield* Effect.promise(async () => {
    await press(page, support.send)
    await page.getByRole("log").getByText(support.body).waitFor()
  })
  const listed = yield* send("GET", `${club.path}/support/conversations`, club)
  const id = String(at(listAt(listed.json, "data")[0], "id"))
  yield* send("POST", `${club.path}/support/conversations/${id}/messages`, {
    token: club.token,
    body: { body: support.answer }
  })
  yield* Effect.promise(() => page.getByRole("log").getByText(support.answer).waitFor())
  const mail = (yield* (yield* Mailbox).to(email)).at(-1)?.text ?? ""
  const parts = [support.answer, support.label, support.body, addressOf(club, "support", id)]
  for (const part of parts) assert.include(mail, part)
  yield* look(page, `${name}-12-answer`)
})

/** The session ends elsewhere while the student writes. They enter again, over what they have written. */
export const entersAgain = Effect.fnUntraced(function*(page: Page, story: StoryClub, name: string) {
  const { email, words } = story
  const { enter, support } = words
  const before = page.url()
  const dialog = page.getByRole("dialog", { name: enter.again })
  const field = page.getByLabel(support.field, { exact: true })
  yield* Effect.promise(() => field.fill(support.staff))
  yield* send("DELETE", "/v1/auth/session", { token: yield* tokenIn(page, story) })
  yield* Effect.promise(async () => {
    await press(page, support.send)
    await dialog.getByText(email).waitFor()
  })
  yield* look(page, `${name}-13-again`)
  yield* Effect.promise(async () => {
    await dialog.getByRole("button", { name: enter.byMail }).click()
    await dialog.getByLabel(enter.code).waitFor()
  })
  const code = yield* (yield* Mailbox).secret(email)
  yield* Effect.promise(async () => {
    await dialog.getByLabel(enter.code).fill(code)
    await dialog.getByRole("button", { name: enter.signIn, exact: true }).click()
    await dialog.waitFor({ state: "detached" })
    assert.strictEqual(page.url(), before)
    assert.strictEqual(await field.inputValue(), support.staff)
    await press(page, support.send)
    await page.getByRole("log").getByText(support.staff).waitFor()
  })
})
