import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page, Route } from "playwright-core"
import { at, foundClub, listAt, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { ConsoleAppLayer, look, open, visit } from "./Visit.ts"

const partSize = 16 * 1024 * 1024

/** Two parts and the beginning of a third. */
const size = 2 * partSize + 1000
const name = "método.txt"

/** The file on the disk: what is handed to the browser takes long. */
const onDisk = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "turma-upload-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true }))
  ),
  (folder) => join(folder, name)
).pipe(Effect.tap((path) => Effect.promise(() => writeFile(path, Buffer.alloc(size, "a")))))

/** The service knows its port only once it listens, so the addresses that it gives lead to another. */
const leadHere = `{
  const { open } = XMLHttpRequest.prototype
  XMLHttpRequest.prototype.open = function(method, url) {
    open.call(this, method, location.origin + new URL(url).pathname)
  }
}`

/** The library of a club, where parts arrive here. */
const library = Effect.fnUntraced(function*(
  { organization_id, token }: { readonly organization_id: string; readonly token: string },
  expected: ReadonlyArray<RegExp>
) {
  const path = `/console/${organization_id}/content/media`
  const page = yield* visit(path, { token, expected })
  yield* Effect.promise(() => page.addInitScript(leadHere))
  yield* open(page, path)
  return page
})

/** What becomes of each part that is sent: it goes through unless this says otherwise. */
const onParts = (page: Page, decide: (sent: number, route: Route) => Promise<void> | undefined) => {
  let sent = 0
  return page.route((url) => !url.pathname.startsWith("/console"), async (route) => {
    if (route.request().method() !== "PUT") return route.fallback()
    sent += 1
    return decide(sent, route) ?? route.continue()
  })
}

const choose = (page: Page, file: string) => page.getByLabel("Choose a file to upload").setInputFiles(file)
const arrived = (page: Page) => page.locator(".upload").getByText("Uploaded").waitFor()

const libraryOf = Effect.fnUntraced(function*({ path, token }: { readonly path: string; readonly token: string }) {
  const { json } = yield* send("GET", `${path}/media`, { token })
  return listAt(json, "data").map((media) => [at(media, "file_name"), at(media, "status"), at(media, "size_bytes")])
})

const whole = [name, "ready", size]

describe.skipIf(withoutBrowser)("An upload in the console", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true, timeout: "90 seconds" })("of a large file", (it) => {
    it.effect("goes on after a part that broke", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const file = yield* onDisk
        const page = yield* library(club, [/ERR_FAILED|ERR_CONNECTION/])
        const offsets: Array<number> = []
        yield* Effect.promise(async () => {
          await onParts(page, (sent, route) => {
            offsets.push(sent)
            return sent === 2 ? route.abort("connectionfailed") : undefined
          })
          await choose(page, file)
          await arrived(page)
        })
        assert.strictEqual(offsets.length, 4)
        assert.deepStrictEqual(yield* libraryOf(club), [whole])
      }).pipe(Effect.scoped), 60_000)

    it.effect("is paused, and goes on after a reload when the same file is chosen again", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const file = yield* onDisk
        const page = yield* library(club, [/ERR_FAILED|ERR_ABORTED/])
        let isHeld = true
        let through = 0
        const held = Promise.withResolvers<void>()
        yield* Effect.promise(async () => {
          await onParts(page, (sent) => {
            if (isHeld && sent > 1) {
              held.resolve()
              return new Promise<void>(() => {})
            }
            through += 1
            return undefined
          })
          await choose(page, file)
          await held.promise
          await page.getByText("16.8 MB of 33.6 MB").waitFor()
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
        assert.strictEqual(through, 3)
        assert.deepStrictEqual(yield* libraryOf(club), [whole])
      }).pipe(Effect.scoped), 60_000)

    it.effect("waits while the service is not reached, and is cancelled without a trace", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const file = yield* onDisk
        const page = yield* library(club, [/ERR_INTERNET_DISCONNECTED|ERR_FAILED/])
        yield* Effect.promise(async () => {
          await onParts(page, (sent, route) => sent === 1 ? undefined : route.abort("internetdisconnected"))
          await choose(page, file)
          await page.getByText("The service is not reached. It goes on by itself").waitFor()
          await page.getByRole("button", { name: "Cancel" }).click()
          await page.getByText("The library is empty").waitFor()
        })
        assert.deepStrictEqual(yield* libraryOf(club), [])
      }).pipe(Effect.scoped), 60_000)
  })
})
