import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { at, foundClub, listAt, send, tokenAs } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { ConsoleAppLayer, follow, lookAll, visit } from "./Visit.ts"

const hostile = "<img src=x onerror=alert(1)> مرحبا 🎻"

type Club = Effect.Success<ReturnType<typeof foundClub>>

/** A post of the staff and a comment on it. */
const talked = Effect.fnUntraced(function*({ path, token }: Pick<Club, "path" | "token">) {
  const community = yield* send("GET", `${path}/community`, { token })
  const space = String(at(community.json, "data", "spaces", 0, "id"))
  const posted = yield* send("POST", `${path}/community/spaces/${space}/posts`, {
    token,
    body: { title: hostile, body: hostile }
  })
  const post = String(at(posted.json, "data", "id"))
  yield* send("POST", `${path}/community/posts/${post}/comments`, { token, body: { body: hostile } })
  return { space, post }
})

const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

describe.skipIf(withoutBrowser)("The community in the console", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true })("for its team", (it) => {
    it.effect("is shown on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { post, space } = yield* talked(club)
        const base = `/console/${club.organization_id}/community`
        const page = yield* visit(base, { width: 390, token: club.token })
        yield* lookAll(page, "community")
        yield* follow(page, `${base}/spaces/${space}`)
        yield* lookAll(page, "community-space")
        yield* follow(page, `${base}/posts/${post}`)
        yield* lookAll(page, "community-post")
        yield* follow(page, `${base}/comments`)
        yield* lookAll(page, "community-comments")
      }).pipe(Effect.scoped))

    it.effect("is published by whoever has read who sees what, and its spaces are kept", () =>
      Effect.gen(function*() {
        const club = yield* foundClub({ locale: "en" })
        const page = yield* visit(`/console/${club.organization_id}/community`, { token: club.token })
        yield* Effect.promise(async () => {
          await click(page, "Publish")
          await page.getByText("every student of the club: 2").waitFor()
          await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click()
          await page.getByText("Published since").waitFor()
          await click(page, "New space")
          await page.getByLabel("Name").fill(hostile)
          await page.getByLabel("Who sees it").selectOption({ label: "Hidden from all students" })
          await click(page, "Save")
          await page.getByRole("link", { name: hostile }).waitFor()
          await page.getByRole("button", { name: `Move ${hostile}`, exact: true }).focus()
          const ordered = page.waitForResponse((response) => response.request().method() === "PUT")
          await page.keyboard.press("Alt+ArrowUp")
          await page.getByText("is now 2 of 3").waitFor({ state: "attached" })
          // The page announces the new order before it is saved.
          await ordered
          await click(page, "More for General")
          await click(page, "Archive General")
          await click(page, "Archive the space")
          await page.getByText("Archived spaces: 1").waitFor()
        })
        const { json } = yield* send("GET", `${club.path}/community`, { token: club.token })
        assert.deepStrictEqual(listAt(json, "data", "spaces").map((space) => at(space, "name")), [
          "Announcements",
          hostile,
          "General"
        ])
      }).pipe(Effect.scoped))

    it.effect("is answered and moderated by support", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* talked(club)
        const token = yield* tokenAs(club, "support")
        const page = yield* visit(`/console/${club.organization_id}/community/comments`, { token })
        const comments = page.getByRole("list", { name: "Comments" })
        yield* Effect.promise(async () => {
          await comments.locator(".text").getByText(hostile).waitFor()
          const more = page.getByRole("button", { name: /^More for the comment of/ })
          await more.click()
          await click(page, "Hide")
          await comments.getByText("Hidden").waitFor()
          await more.click()
          await click(page, "Pin")
          await comments.getByText("Pinned").waitFor()
          await click(page, "Reply")
          await page.getByLabel("Reply to").fill("Muito bem!")
          await page.getByRole("button", { name: "Reply", exact: true }).last().click()
          await comments.getByText("Replies: 1").waitFor()
          await page.getByLabel("Show").selectOption("hidden")
          await comments.getByText("Hidden").waitFor()
          await page.getByLabel("Show").selectOption("spam")
          await page.getByText("Nothing here").waitFor()
        })
      }).pipe(Effect.scoped))
  })
})
