import { assert, describe, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { indexOf, search } from "../../../src/operations/documentation/Search.ts"
import { project } from "../../guides/Guides.ts"
import { operations } from "../../harness/Document.ts"
import { apiDocument, entries, files, listed } from "./Site.ts"

const pages = [...files].filter(([, text]) => text.startsWith("<!doctype html>"))
const pageAt = (address: string) => files.get(address) ?? ""

const idsOf = (page: string) => new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))

const linksOf = (page: string) => [...page.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = ""]) => href)

describe("the documentation", () => {
  it("has a page for every guide", () => {
    const guides = readdirSync(`${project}src/guides`).map((file) => `/docs/guides/${file.replace(/\.md$/, "")}`)
    assert.includeMembers([...files.keys()], guides)
  })

  it("has a place for every operation and every event, at an address that stays", () => {
    for (const { operationId, slug } of listed) {
      assert.isTrue(idsOf(pageAt(`/docs/reference/${slug}`)).has(operationId), operationId)
    }
    assert.sameMembers(listed.map(({ operationId }) => operationId), operations.map(({ operationId }) => operationId))
    const events = idsOf(pageAt("/docs/events"))
    for (const type of Object.keys(apiDocument.webhooks)) assert.isTrue(events.has(type), type)
  })

  it("has no link that leads nowhere, to a page or a place on it", () => {
    // Another route serves the front page.
    const elsewhere = new Set(["/"])
    const dead = pages.flatMap(([address, page]) =>
      linksOf(page).filter((href) => {
        if (href.startsWith("https://") || elsewhere.has(href)) return false
        const [path = "", anchor] = href.split("#")
        const target = path === "" ? address : path
        return !files.has(target) || (anchor !== undefined && !idsOf(pageAt(target)).has(anchor))
      }).map((href) => `${address}: ${href}`)
    )
    assert.deepStrictEqual(dead, [])
  })

  it("has every page within reach of the first", () => {
    const reached = new Set(["/docs"])
    for (const address of reached) {
      for (const href of linksOf(pageAt(address))) {
        const [path = ""] = href.split("#")
        if (files.has(path)) reached.add(path)
      }
    }
    assert.deepStrictEqual(pages.map(([address]) => address).filter((address) => !reached.has(address)), [])
  })

  it("names no id twice on a page, and has one heading of the first rank on each", () => {
    for (const [address, page] of pages) {
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      assert.deepStrictEqual(ids.filter((id, index) => ids.indexOf(id) !== index), [], address)
      assert.lengthOf(page.match(/<h1[ >]/g) ?? [], 1, address)
    }
  })

  it("loads nothing from elsewhere, and has no script or style in a page", () => {
    for (const [address, page] of pages) {
      assert.notMatch(
        page,
        /(?:src|action|poster)="(?:https?:)?\/\/|<link[^>]+href="(?:https?:)?\/\/|<iframe|<base|@import/i,
        address
      )
      assert.notMatch(page, /<style|<script(?![^>]*\ssrc=)| on[a-z]+=| style=/i, address)
      // Only guides may link to other sites.
      if (!address.startsWith("/docs/guides/")) assert.notMatch(page, /<a [^>]*href="https?:/, address)
    }
  })

  it("shows each field of a body with what it is", () => {
    const page = pageAt("/docs/reference/gamification")
    assert.match(
      page,
      /<code class="name">min_points<\/code> <span class="type">integer<\/span><span class="must">required<\/span>/
    )
    assert.match(page, /1 to 40 characters/)
  })

  it("hands on first what somebody waits for", () => {
    assert.strictEqual(pages[0]?.[0], "/docs")
  })
})

describe("the search", async () => {
  const index = await indexOf(entries)
  const found = (question: string) => search(index, question).map(({ address }) => address)

  it.each([
    ["a field", "min_points", "/docs/reference/gamification#gamification.replaceLevels"],
    ["a code", "slug_taken", "/docs/reference/account#account.createClub"],
    ["a path", "webhook-endpoints rotate-secret", "/docs/reference/webhook-endpoints#webhookEndpoints.rotateSecret"],
    ["words of a summary", "Register a webhook endpoint", "/docs/reference/webhook-endpoints#webhookEndpoints.create"],
    ["a word of a guide", "SIGHUP", "/docs/guides/operations#several-cores"],
    [
      "a heading of a guide, without its accents and in other letters",
      "PÁGINATION",
      "/docs/guides/pagination#pagination"
    ],
    ["an event", "purchase.refunded", "/docs/events#purchase.refunded"]
  ])("finds %s", (_, question, address) => {
    assert.include(found(question), address)
  })

  it("puts first what has the word in its title", () => {
    assert.strictEqual(found("idempotency")[0], "/docs/guides/idempotency#idempotency")
  })

  it("finds nothing for nothing, nor where one word is nowhere", () => {
    assert.deepStrictEqual([found(""), found("  "), found("webhook xyzzy")], [[], [], []])
  })

  it("finds at most twenty", () => {
    assert.lengthOf(found("a"), 20)
  })

  it("leads only to places that are there", () => {
    for (const { address } of entries) {
      const [path = "", anchor = ""] = address.split("#")
      assert.isTrue(idsOf(pageAt(path)).has(anchor), address)
    }
  })
})
