import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page, Route } from "playwright-core"
import { at, foundClub, listAt, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { ConsoleAppLayer, look, origin, visit } from "./Visit.ts"

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
const leadHere = Effect.fnUntraced(function*(page: Page) {
  const base = yield* origin
  yield* Effect.promise(() =>
    page.route("**/console/api/**/upload", async (route) => {
      const answer = await route.fetch()
      const text = (await answer.text()).replaceAll(/"url":"http:\/\/127\.0\.0\.1(?::\d+)?\//g, `"url":"${base}/`)
      await route.fulfill({ response: answer, body: text })
    })
  )
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
const arrived = (page: Page) => page.getByText("Uploaded", { exact: false }).first().waitFor()

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
        const page = yield* visit(`/console/${club.organization_id}/content/media`, {
          token: club.token,
          expected: [/ERR_FAILED|ERR_CONNECTION/]
        })
        yield* leadHere(page)
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
      }).pipe(Effect.scoped))

    it.effect("is paused, and goes on after a reload when the same file is chosen again", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const file = yield* onDisk
        const page = yield* visit(`/console/${club.organization_id}/content/media`, {
          token: club.token,
          expected: [/ERR_FAILED|ERR_ABORTED/]
        })
        yield* leadHere(page)
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
      }).pipe(Effect.scoped))

    it.effect("waits while the service is not reached, and is cancelled without a trace", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const file = yield* onDisk
        const page = yield* visit(`/console/${club.organization_id}/content/media`, {
          token: club.token,
          expected: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED/]
        })
        yield* leadHere(page)
        yield* Effect.promise(async () => {
          await onParts(page, (sent, route) => sent === 1 ? undefined : route.abort("internetdisconnected"))
          await choose(page, file)
          await page.getByText("The service is not reached. It goes on by itself").waitFor()
          await page.getByRole("button", { name: "Cancel" }).click()
          await page.getByText("The library is empty").waitFor()
        })
        assert.deepStrictEqual(yield* libraryOf(club), [])
      }).pipe(Effect.scoped))
  })
})
