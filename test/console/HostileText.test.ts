import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { axe, heightOf, withoutBrowser } from "../harness/Browser.ts"
import { FullClub, FullClubLayer, players } from "./FullClub.ts"
import { pressAll, withoutWrites } from "./Pressing.ts"
import { allAddresses } from "./ViewList.ts"
import { follow, visit } from "./Visit.ts"

// Takes half a minute: it presses every button of every view, and checks each view and dialog that opens.

/**
 * Waits until the page has its title. Answers by how many pixels the page is wider than the window, and the elements
 * that only markup in a text can make. Last come the titles of open dialogs.
 */
const interpreted = `(async () => {
  while (!document.title.endsWith(" · Turma")) await new Promise(requestAnimationFrame)
  const found = []
  for (const element of document.querySelectorAll("*")) {
    const isPlayer = element.matches(".player > iframe[src^='https://www.youtube-nocookie.com/embed/']")
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on")) found.push(element.outerHTML.slice(0, 200))
      if (/^(?:href|src|srcset|action|formaction|data|xlink:href)$/.test(name)) {
        const { origin, protocol } = new URL(value, location.href)
        const isSafe = origin === location.origin || isPlayer || (element.tagName === "A" && protocol === "https:")
        if (!isSafe || value === "x") found.push(element.outerHTML.slice(0, 200))
      }
    }
    const isOther = /^(?:BASE|EMBED|FRAME|IFRAME|OBJECT|STYLE)$/.test(element.tagName)
    if (isOther && !isPlayer) found.push(element.outerHTML.slice(0, 200))
    const isOurs = element.tagName !== "SCRIPT" || element.src.startsWith(location.origin + "/console/")
    if (!isOurs) found.push(element.outerHTML.slice(0, 200))
  }
  const titles = [...document.querySelectorAll("dialog[open] h2")].map(({ textContent }) => textContent)
  return [document.documentElement.scrollWidth - innerWidth, found, titles]
})()`

/** The text of the page and the values in its fields. */
const textOf = (page: Page) =>
  Effect.promise(() =>
    page.evaluate<string>(`(() => {
      const main = document.querySelector("main")
      return [main.textContent, ...[...main.querySelectorAll("input, textarea")].map(({ value }) => value)].join(" ")
    })()`)
  )

/** Our own words in tables that their column cuts off: headings, states and times, and at a desk also dates. */
const cutOff = `[...document.querySelectorAll("main th, main td")]
  .filter((cell) => cell.matches("th, :has(.badge, time)") || innerWidth > 640 && / de 20../.test(cell.textContent))
  .filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth + 1).map(({ textContent }) => textContent)`

/**
 * The first cells of rows, which say what the row is, where a part of them is not seen: cut off, or beyond the row. Of
 * a long text without a title, three lines are enough.
 */
const halfSeen = `[...document.querySelectorAll("main tr[data-row]:not(.unread)")].filter((row) => {
  const cell = row.firstElementChild
  const range = document.createRange()
  range.selectNodeContents(cell)
  const text = (cell.querySelector(".long, .preview") ?? range).getBoundingClientRect()
  const room = row.getBoundingClientRect()
  const isBeyond = text.left < room.left - 1 || text.right > Math.min(room.right, innerWidth) + 1 ||
    text.top < room.top - 1 || text.bottom > room.bottom + 1
  const isCut = (one) => one.clientWidth > 1 && !one.matches(".long, .preview") &&
    getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1
  return isBeyond || [cell, ...cell.querySelectorAll("*")].some(isCut)
}).map(({ firstElementChild }) => firstElementChild.textContent)`

const beyond = "document.documentElement.scrollWidth - innerWidth"

type Interpreted = [number, ReadonlyArray<string>, ReadonlyArray<string>]

/** Dies if a text became markup, or if the page is wider than the window. Answers the titles of open dialogs. */
const isText = Effect.fnUntraced(function*(page: Page, address: string) {
  const [beyond, found, titles] = yield* Effect.promise(() => page.evaluate<Interpreted>(interpreted))
  assert.deepStrictEqual(found, [], address)
  assert.isAtMost(beyond, 0, `${address} is wider than the page`)
  return titles
})

describe.skipIf(withoutBrowser)("Hostile text in the console", () => {
  layer(FullClubLayer, { excludeTestServices: true })("written in every field", (it) => {
    it.effect("is text in every view, every dialog and whatever else a button opens, none wider than a phone", () =>
      Effect.gen(function*() {
        const club = yield* FullClub
        const page = yield* visit(`/console/${club.organization_id}`, {
          token: club.token,
          width: 390,
          expected: [/409/, ...players]
        })
        page.on("dialog", () => assert.fail("A script of a text has run"))
        const writes = yield* withoutWrites(page)
        const titles = new Set<string>()
        const seeDialog = Effect.fnUntraced(function*(address: string) {
          const opened = yield* isText(page, address)
          if (opened.every((title) => titles.has(title))) return
          opened.forEach((title) => titles.add(title))
          yield* axe(page)
        })
        const shown = yield* Effect.filter(allAddresses(club.ids), (address) =>
          Effect.gen(function*() {
            yield* follow(page, `/console/${club.organization_id}/${address}`)
            yield* isText(page, address)
            const text = yield* textOf(page)
            yield* pressAll(page, () => seeDialog(address))
            return text.includes("onerror=")
          }))
        // Most views show the hostile text, which proves that the test reached them.
        assert.isAbove(shown.length, 38, shown.join(" "))
        assert.isAbove(titles.size, 60, [...titles].join(" | "))
        assert.isAbove(writes.length, 30)
      }).pipe(Effect.scoped))

    it.effect("hides no name of a row on a phone, and no word of ours in a table, in Portuguese", () =>
      Effect.gen(function*() {
        const club = yield* FullClub
        const page = yield* visit(`/console/${club.organization_id}`, {
          token: club.token,
          locale: "pt-BR",
          expected: players
        })
        const found: Array<string> = []
        for (const address of allAddresses(club.ids)) {
          yield* follow(page, `/console/${club.organization_id}/${address}`)
          for (const width of [390, 1280] as const) {
            const cut = yield* Effect.promise(async () => {
              await page.setViewportSize({ width, height: heightOf(width) })
              return page.evaluate<ReadonlyArray<string>>(cutOff)
            })
            found.push(...cut.map((text) => `${address}, ${width}: ${text}`))
            if (width !== 390) continue
            const names = yield* Effect.promise(() => page.evaluate<ReadonlyArray<string>>(halfSeen))
            found.push(...names.map((text) => `${address}, half seen: ${text}`))
            if ((yield* Effect.promise(() => page.evaluate<number>(beyond))) > 0) found.push(`${address} is too wide`)
          }
        }
        assert.deepStrictEqual(found, [])
      }).pipe(Effect.scoped))
  })
})
