import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { send, tokenAs } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { FullClub, FullClubLayer, players } from "./FullClub.ts"
import { pressAll, withoutWrites, type Write } from "./Pressing.ts"
import { viewOf, viewPaths } from "./ViewList.ts"
import { follow, visit } from "./Visit.ts"

// Takes half a minute: four roles follow every link that the console shows them, and three press every button.

const hrefs = (page: Page) =>
  Effect.promise(() =>
    page.evaluate<
      ReadonlyArray<string>
    >(`[...document.querySelectorAll("nav.areas a, main a")].map((link) => link.getAttribute("href") ?? "")`)
  )

/** Follows links from a club's first page until it has opened every view that they lead to, each at one address. */
const followLinks = Effect.fnUntraced(function*<E, R>(
  page: Page,
  home: string,
  see: (address: string) => Effect.Effect<void, E, R>
) {
  const seen = new Map<string, string>()
  const waiting = [home]
  while (waiting.length > 0) {
    const address = waiting.shift() ?? home
    const view = viewOf(address.slice(home.length + 1))
    if (view === undefined || seen.has(view)) continue
    seen.set(view, address)
    yield* follow(page, address)
    for (const href of yield* hrefs(page)) {
      const { pathname } = new URL(href, page.url())
      if (pathname === home || pathname.startsWith(`${home}/`)) waiting.push(pathname)
    }
    yield* see(address)
  }
  return seen
})

/** Views that every role reads, and that only some change. */
const readByAll = [
  "community/comments",
  "community/posts/:post",
  "community/spaces/:space",
  "content/courses/:course",
  "content/deliveries",
  "content/lessons/:lesson",
  "content/media",
  "content/submissions",
  "students/:student/:tab"
]

const unknown = "0198a1b2-0000-7000-8000-000000000000"

/** True if the API refuses this write to the role. The write names an unknown id, so it cannot change anything. */
const isRefused = (club: string, token: string) =>
  Effect.fnUntraced(function*({ method, path }: Write) {
    if (method !== "POST" && method !== "PATCH" && method !== "PUT" && method !== "DELETE") return false
    const [, before = "", after = ""] = new RegExp(`^(.*${club})(.*)$`).exec(path) ?? ["", path]
    const elsewhere = before + after.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, unknown)
    const { status } = yield* send(method, elsewhere, { token, ...(method === "DELETE" ? {} : { body: "[]" }) })
    return status === 403
  })

describe.skipIf(withoutBrowser)("The console's links and buttons", () => {
  layer(FullClubLayer, { excludeTestServices: true })("of a club", (it) => {
    it.effect.each(["viewer", "support", "editor", "admin"] as const)(
      "lead %s to no error, and offer nothing that is refused",
      (role) =>
        Effect.gen(function*() {
          const club = yield* FullClub
          const token = yield* tokenAs(club, role)
          const home = `/console/${club.organization_id}`
          const page = yield* visit(home, { token, expected: [/409/, ...players] })
          const writes = yield* withoutWrites(page)
          const seen = yield* followLinks(page, home, (address) =>
            Effect.gen(function*() {
              const alerts = yield* Effect.promise(() => page.locator("main").getByRole("alert").allTextContents())
              assert.deepStrictEqual(alerts, [], address)
              if (role !== "admin") yield* pressAll(page, () => Effect.void)
            }))
          assert.includeMembers([...seen.keys()], readByAll)
          // Administrators may do everything, so links must lead them to every view.
          if (role === "admin") return assert.sameMembers([...seen.keys()], [...viewPaths])
          if (role === "viewer") return assert.deepStrictEqual(writes, [])
          assert.isAbove(writes.length, 3)
          const once = new Map(writes.map((write) => [`${write.method} ${write.path}`, write]))
          assert.deepStrictEqual(yield* Effect.filter([...once.values()], isRefused(club.organization_id, token)), [])
        }).pipe(Effect.scoped)
    )
  })
})
