import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import { Mailbox } from "../harness/Mailbox.ts"
import { followByKeys, key, tabTo, type } from "./Keys.ts"
import { onVideo } from "./Learning.ts"
import type { StoryClub } from "./StoryWorld.ts"
import { becomes, settled } from "./Visit.ts"

const focused = (page: Page, of: Locator) => Effect.promise(() => of.and(page.locator(":focus")).waitFor())

/** The way from the sign-in to the end, without a mouse. */
export const byKeys = Effect.fnUntraced(function*(page: Page, story: StoryClub) {
  const { email, words } = story
  const { areas, community, course, discussion, enter, lesson, quiz, support } = words
  const link = (name: string | RegExp, within = "main") => page.locator(within).getByRole("link", { name }).first()
  const button = (name: string) => page.getByRole("button", { name, exact: true }).first()

  // In: the address, then the mailed code.
  yield* focused(page, page.getByLabel(enter.email))
  yield* type(page, email)
  yield* key(page, "Enter")
  yield* focused(page, button(enter.byMail))
  yield* key(page, "Enter")
  yield* focused(page, page.getByLabel(enter.code))
  yield* type(page, yield* (yield* Mailbox).secret(email))
  yield* key(page, "Enter")

  // The first Tab offers the way past the areas.
  yield* Effect.promise(() => page.getByRole("heading", { name: /Maria/, level: 1 }).waitFor())
  yield* settled(page)
  yield* tabTo(page, page.locator("a.skip"))
  yield* key(page, "Enter")
  yield* followByKeys(page, link(course.title), course.title)
  yield* followByKeys(page, link(course.begin), lesson.title)

  // The video plays and stops by the space bar.
  yield* tabTo(page, page.locator("video"))
  yield* key(page, "Space")
  assert.isTrue(yield* Effect.promise(() => becomes(() => onVideo(page, "shown.currentTime > 0"))))
  yield* key(page, "Space")
  assert.isTrue(yield* Effect.promise(() => becomes(() => onVideo(page, "shown.paused"))))

  // The quiz goes on from each question to the next, and to its result.
  yield* tabTo(page, page.getByRole("radio").first())
  yield* key(page, "Space")
  yield* tabTo(page, button(quiz.next))
  yield* key(page, "Enter")
  yield* focused(page, page.locator(".question legend"))
  yield* tabTo(page, page.getByRole("radio").first())
  yield* key(page, "ArrowDown")
  yield* key(page, "ArrowUp")
  yield* tabTo(page, button(quiz.send))
  yield* key(page, "Enter")
  yield* Effect.promise(() => page.getByText(quiz.passed).waitFor())
  yield* focused(page, page.locator(".quiz-result"))
  yield* tabTo(page, button(lesson.complete))
  yield* key(page, "Enter")
  yield* focused(page, page.locator(".finished"))

  // A panel takes the focus, and gives it back.
  yield* tabTo(page, button(words.agent.ask))
  yield* key(page, "Enter")
  yield* focused(page, page.getByLabel(words.agent.field))
  yield* key(page, "Escape")
  yield* focused(page, button(words.agent.ask))

  // A comment, and a dialog about it.
  yield* tabTo(page, page.getByLabel(discussion.field))
  yield* type(page, discussion.own)
  yield* tabTo(page, button(discussion.action))
  yield* key(page, "Enter")
  const comment = page.getByRole("article").filter({ hasText: discussion.own })
  yield* Effect.promise(() => comment.locator(".comment-actions").waitFor())
  yield* focused(page, page.getByLabel(discussion.field))
  const more = comment.locator(".menu").last().getByRole("button").first()
  yield* tabTo(page, more)
  yield* key(page, "Enter")
  yield* tabTo(page, comment.getByRole("button", { name: discussion.remove }))
  yield* key(page, "Enter")
  yield* Effect.promise(() => page.getByRole("dialog").waitFor())
  yield* key(page, "Escape")
  yield* focused(page, more)

  // A post, and a question to the staff. Tab goes on from the end of the page to its beginning.
  yield* followByKeys(page, link(areas.community, "nav.areas"), "Violão Fácil")
  yield* followByKeys(page, link(new RegExp(community.general)), community.general)
  yield* tabTo(page, link(community.write))
  yield* key(page, "Enter")
  yield* focused(page, page.getByLabel(community.bodyField, { exact: true }))
  yield* type(page, community.body)
  yield* tabTo(page, button(community.publish))
  yield* key(page, "Enter")
  yield* Effect.promise(() => page.getByText(discussion.empty).waitFor())
  yield* focused(page, page.locator("main"))
  yield* followByKeys(page, link(areas.help, "nav.areas"), areas.help)
  yield* followByKeys(page, link(support.ask), support.ask)
  yield* tabTo(page, page.getByLabel(support.subjectField))
  yield* type(page, support.subject)
  yield* tabTo(page, page.getByLabel(support.bodyField))
  yield* type(page, support.body)
  yield* tabTo(page, button(support.send))
  yield* key(page, "Enter")
  yield* Effect.promise(() => page.getByRole("log").getByText(support.body).waitFor())
  yield* focused(page, page.locator("main"))
  yield* tabTo(page, page.getByLabel(support.field, { exact: true }))
  yield* type(page, support.staff)
  yield* key(page, "Control+Enter")
  yield* Effect.promise(() => page.getByRole("log").getByText(support.staff).waitFor())
  yield* focused(page, page.getByLabel(support.field, { exact: true }))
})
