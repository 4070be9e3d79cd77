import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises"
import { createServer, request as ask, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Page } from "playwright-core"
import { at, foundClub, listAt, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { listening } from "../harness/Listening.ts"
import { ConsoleAppLayer, look, origin, settled, visit } from "./Visit.ts"

// Takes long: parts of 16 MiB leave the browser, and the waits between attempts are in real time.

const partSize = 16 * 1024 * 1024

/** A part and the beginning of another. */
const twoParts = partSize + 4_000_000
/** Has a part that is neither the first nor the last. */
const threeParts = 2 * partSize + 1000
const name = "método.txt"

/** The path of a file on the disk. The test passes a path because it takes long to hand the bytes to the browser. */
const onDisk = (size: number) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "turma-upload-"))),
      (folder) => Effect.promise(() => rm(folder, { recursive: true }))
    ),
    (folder) => join(folder, name)
  ).pipe(Effect.tap((path) => Effect.promise(() => writeFile(path, Buffer.alloc(size, "a")))))

/** The service learns its port when it begins to listen, so its links name another one. The page corrects them. */
const leadHere = `{
  const { open } = XMLHttpRequest.prototype
  XMLHttpRequest.prototype.open = function(method, url) {
    open.call(this, method, location.origin + new URL(url).pathname)
  }
}`

/** The fate of a request: no answer, half an answer, or this refusal. Without a fate it goes to the service. */
type Fate = "held" | "broken" | { readonly status: number; readonly code: string }

/** Chooses the fate of each request of the page. */
type Decide = (method: string, path: string) => Fate | undefined

/** Chooses the fate of each part that the page sends. */
const onParts = (decide: (sent: number) => Fate | undefined): Decide => {
  let sent = 0
  return (method) => method === "PUT" ? decide(++sent) : undefined
}

const refuse = (response: ServerResponse, { code, status }: Exclude<Fate, string>) =>
  response.writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify({ error: { code, message: "It is refused" } }))

/** Breaks within an answer, because a browser itself repeats a request if its connection ends before the answer. */
const breakOff = (response: ServerResponse) => {
  response.writeHead(200, { "content-length": 1 }).flushHeaders()
  setImmediate(() => response.destroy())
}

/** A server between browser and service, which passes on every request without a fate. Answers its address. */
const between = Effect.fnUntraced(function*(decide: Decide) {
  const service = yield* origin
  const server = createServer((request, response) => {
    const { headers, method = "", url = "" } = request
    const fate = decide(method, url)
    if (fate === "held") return
    if (fate !== undefined) {
      request.resume().once("end", () => fate === "broken" ? breakOff(response) : refuse(response, fate))
      return
    }
    const passed = ask(service + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.once("error", () => response.destroy())
    request.pipe(passed)
  })
  return `http://127.0.0.1:${yield* listening(server)}`
})

/** The page of a club's library. Its uploads go through the server between. */
const library = Effect.fnUntraced(function*(
  { organization_id, token }: { readonly organization_id: string; readonly token: string },
  { decide = () => undefined, expected = [] }: {
    readonly decide?: Decide
    readonly expected?: ReadonlyArray<RegExp>
  } = {}
) {
  const path = `/console/${organization_id}/content/media`
  const base = yield* between(decide)
  const page = yield* visit(path, { token, expected, isAlone: true })
  yield* Effect.promise(async () => {
    await page.addInitScript(leadHere)
    await page.goto(base + path)
  })
  yield* settled(page)
  return page
})

const choose = (page: Page, file: string | ReadonlyArray<string>) =>
  page.getByLabel("Choose files to upload").setInputFiles(typeof file === "string" ? file : [...file])
const arrived = (page: Page) => page.locator(".upload").getByText("Uploaded").waitFor()

const libraryOf = Effect.fnUntraced(function*({ path, token }: { readonly path: string; readonly token: string }) {
  const { json } = yield* send("GET", `${path}/media`, { token })
  return listAt(json, "data").map((media) => [at(media, "file_name"), at(media, "status"), at(media, "size_bytes")])
})

const whole = (size: number) => [name, "ready", size]

describe.skipIf(withoutBrowser)("An upload in the console", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true })("of a large file", (it) => {
    it.effect("goes on after a part that broke", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const file = yield* onDisk(threeParts)
        let parts = 0
        const decide = onParts((sent) => {
          parts = sent
          return sent === 2 ? "broken" : undefined
        })
        const page = yield* library(club, { decide, expected: [/ERR_CONTENT_LENGTH_MISMATCH/] })
        yield* Effect.promise(async () => {
          await choose(page, file)
          await arrived(page)
        })
        assert.strictEqual(parts, 4)
        assert.deepStrictEqual(yield* libraryOf(club), [whole(threeParts)])
      }).pipe(Effect.scoped))

    it.effect("is paused, and goes on after a reload when the same file is chosen again", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const file = yield* onDisk(twoParts)
        let isHeld = true
        let through = 0
        const held = Promise.withResolvers<void>()
        const decide = onParts((sent) => {
          if (isHeld && sent > 1) {
            held.resolve()
            return "held"
          }
          through += 1
          return undefined
        })
        const page = yield* library(club, { decide })
        yield* Effect.promise(async () => {
          await choose(page, file)
          await held.promise
          // The browser counts what it has handed on, and so more and more of the second part.
          await page.getByText(/^(?:16\.[89]|1[7-9](?:\.\d)?|20(?:\.\d)?) MB of 20\.8 MB/).waitFor()
        })
        yield* look(page, "content-upload")
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Pause" }).click()
          await page.getByText("Paused").waitFor()
          await page.reload()
          isHeld = false
          await choose(page, file)
          await arrived(page)
        })
        assert.strictEqual(through, 2)
        assert.deepStrictEqual(yield* libraryOf(club), [whole(twoParts)])
      }).pipe(Effect.scoped))

    it.effect("begins anew in another tab, and where the file was changed", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const file = yield* onDisk(twoParts)
        const held = Promise.withResolvers<void>()
        const decide = onParts(() => {
          held.resolve()
          return "held"
        })
        const one = yield* library(club, { decide })
        yield* Effect.promise(async () => {
          await choose(one, file)
          await held.promise
        })
        const two = yield* library(club)
        yield* Effect.promise(async () => {
          await choose(two, file)
          await arrived(two)
        })
        assert.deepStrictEqual(yield* libraryOf(club), [whole(twoParts), [name, "uploading", twoParts]])
        yield* Effect.promise(async () => {
          await one.getByRole("button", { name: "Pause" }).click()
          await one.reload()
          await utimes(file, 1, 1)
          const sent = one.waitForRequest((request) => request.method() === "PUT")
          await choose(one, file)
          await sent
        })
        assert.strictEqual((yield* libraryOf(club)).length, 3)
      }).pipe(Effect.scoped))

    it.effect("goes on after another sign-in where the session ended in the middle", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const file = yield* onDisk(twoParts)
        let isEnded = true
        const decide: Decide = (_, path) =>
          isEnded && path.endsWith("/complete") ? { status: 401, code: "unauthenticated" } : undefined
        const page = yield* library(club, { decide, expected: [/401/] })
        yield* Effect.promise(async () => {
          await choose(page, file)
          await page.getByText("Your session has ended. Sign in again to continue.").waitFor()
          isEnded = false
          await page.keyboard.press("Escape")
          await page.locator(".upload button", { hasText: "Go on" }).dispatchEvent("click")
          await arrived(page)
        })
        assert.deepStrictEqual(yield* libraryOf(club), [whole(twoParts)])
      }).pipe(Effect.scoped))

    it.effect("is sent as a whole where the storage takes no parts", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const file = yield* onDisk(twoParts)
        let sent = 0
        const decide: Decide = (method, path) => {
          if (method === "PUT") sent += 1
          const isOfParts = sent === 0 && /\/media\/[^/]+\/upload$/.test(path)
          return isOfParts ? { status: 501, code: "upload_in_parts_unavailable" } : undefined
        }
        const page = yield* library(club, { decide, expected: [/501/] })
        yield* Effect.promise(async () => {
          await choose(page, file)
          await arrived(page)
        })
        assert.strictEqual(sent, 1)
        assert.deepStrictEqual(yield* libraryOf(club), [whole(twoParts)])
      }).pipe(Effect.scoped))

    it.effect("is one of several that were chosen at once", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const file = yield* onDisk(twoParts)
        const page = yield* library(club)
        const others = ["a.txt", "b.txt", "c.txt"].map((name) => join(dirname(file), name))
        yield* Effect.promise(async () => {
          await Promise.all(others.map((path) => writeFile(path, path)))
          await choose(page, others)
          await page.getByText("Uploaded").nth(2).waitFor()
        })
        const found = yield* libraryOf(club)
        assert.deepStrictEqual(found.map(([name, status]) => `${String(name)} ${String(status)}`).toSorted(), [
          "a.txt ready",
          "b.txt ready",
          "c.txt ready"
        ])
      }).pipe(Effect.scoped))

    it.effect("waits while the service is not reached, and is cancelled without a trace", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const file = yield* onDisk(twoParts)
        const decide = onParts((sent) => sent === 1 ? undefined : "broken")
        const page = yield* library(club, { decide, expected: [/ERR_CONTENT_LENGTH_MISMATCH/] })
        yield* Effect.promise(async () => {
          await choose(page, file)
          await page.getByText("The service cannot be reached. The upload continues by itself").waitFor()
          // The list stays empty until something has arrived, so only the answer shows the removal.
          const removed = page.waitForResponse((response) => response.request().method() === "DELETE")
          await page.getByRole("button", { name: "Cancel" }).click()
          assert.strictEqual((await removed).status(), 204)
          await page.getByText("The library is empty").waitFor()
        })
        assert.deepStrictEqual(yield* libraryOf(club), [])
      }).pipe(Effect.scoped))
  })
})
