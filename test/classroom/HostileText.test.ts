import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { axe, withoutBrowser } from "../harness/Browser.ts"
import { HostileAppLayer, openHostileClub } from "./HostileClub.ts"
import { withFiles } from "./Learning.ts"
import { addressOf, follow, open, visit } from "./Visit.ts"

// Takes half a minute: it opens every view of the classroom, on a phone.

const list = readFileSync(new URL("../../src/classroom/app/Views.ts", import.meta.url), "utf8")

/** Every address of a view, read from the classroom's own list, so a new view needs no entry here. */
const addresses = (ids: Readonly<Record<string, ReadonlyArray<string>>>) =>
  [...list.matchAll(/\{ path: "([^"]*)", load:/g)].flatMap(([, path = ""]) =>
    path.split("/").reduce<ReadonlyArray<string>>((begun, part) => {
      const known = part.startsWith(":") ? ids[part] ?? assert.fail(`Say in the club what ${part} is`) : [part]
      return begun.flatMap((address) => known.map((one) => address === "" ? one : `${address}/${one}`))
    }, [""])
  )

/** The elements that only markup in a text can make, and by how many pixels the page is wider than the window. */
const interpreted = `(() => {
  const found = []
  for (const element of document.querySelectorAll("*")) {
    const shown = element.outerHTML.slice(0, 200)
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on")) found.push(shown)
      if (/^(?:href|src|srcset|action|formaction|data|xlink:href)$/.test(name)) {
        const { hostname, origin, protocol } = new URL(value, location.href)
        const isOurs = origin === location.origin || protocol === "blob:" || hostname === "127.0.0.1"
        const isLink = element.tagName === "A" && protocol === "https:" && element.rel.includes("noopener")
        const isVideo = element.tagName === "IFRAME" && origin === "https://www.youtube-nocookie.com"
        if (value === "x" || !(isOurs || isLink || isVideo)) found.push(shown)
      }
    }
    if (/^(?:BASE|EMBED|FRAME|OBJECT|STYLE)$/.test(element.tagName)) found.push(shown)
    if (element.tagName === "SCRIPT" && !element.src.startsWith(location.origin + "/classroom/")) found.push(shown)
  }
  if (document.title === "owned") found.push(document.title)
  return [document.documentElement.scrollWidth - innerWidth, found]
})()`

const isText = Effect.fnUntraced(function*(page: Page, address: string) {
  const [beyond, found] = yield* Effect.promise(() => page.evaluate<[number, ReadonlyArray<string>]>(interpreted))
  assert.deepStrictEqual(found, [], address)
  assert.isAtMost(beyond, 0, `${address} is wider than the page`)
  yield* axe(page)
})

const wordsOf = (page: Page) =>
  Effect.promise(() => page.evaluate<string>("document.body.innerText + document.body.textContent"))

/** A player of a provider, and an image whose address has the port that the service does not know. */
const expected = [/youtube-nocookie/, /^Failed to load resource.*127\.0\.0\.1/s, /ERR_CONNECTION_REFUSED/, /403|404/]

describe.skipIf(withoutBrowser)("Hostile text in the classroom", () => {
  layer(HostileAppLayer, { excludeTestServices: true })("written in every field", (it) => {
    it.effect("is text in every view, none wider than a phone", () =>
      Effect.gen(function*() {
        const club = yield* openHostileClub
        const page = yield* visit(club, ["account"], { token: club.student.token, width: 390, expected })
        yield* withFiles(page)
        page.on("dialog", () => assert.fail("A script of a text has run"))
        const shown = yield* Effect.filter([...addresses(club.ids), "search?q=onerror"], (address) =>
          Effect.gen(function*() {
            yield* follow(page, addressOf(club, ...address === "" ? [] : address.split("/")))
            yield* Effect.promise(async () => {
              await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
              await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" })
            })
            yield* isText(page, address)
            return (yield* wordsOf(page)).includes("onerror=")
          }))
        // Most views show the hostile text, which proves that the test reached them. Most texts are read as Markdown.
        yield* follow(page, addressOf(club, "community", "posts", ...club.ids[":post"]))
        yield* Effect.promise(() =>
          page.locator(".text.small-set pre").nth(2).waitFor()
        )
        assert.isAbove(shown.length, 17, shown.join(" "))
      }).pipe(Effect.scoped))

    it.effect("is text where nobody is signed in, and in the pages of mails", () =>
      Effect.gen(function*() {
        const club = yield* openHostileClub
        const page = yield* visit(club, [], { width: 390, expected: [...expected, /401/] })
        page.on("dialog", () => assert.fail("A script of a text has run"))
        for (const path of ["", "unsubscribe", "removal", "sign-in", "sign-up", "access", "enter", "forgot"]) {
          yield* open(page, addressOf(club, ...path === "" ? [] : [path]))
          yield* isText(page, path)
          assert.include(yield* wordsOf(page), "onerror=", path)
        }
      }).pipe(Effect.scoped))
  })
})
