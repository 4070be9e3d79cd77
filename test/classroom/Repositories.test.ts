import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { MediaId } from "../../src/learning/media/Media.ts"
import { appLayer, enrolledStudent, foundClub } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import {
  makeCatalogDelivery,
  makeEnrollment,
  makeItem,
  makeMedia,
  makeRepository,
  makeRepositoryFile
} from "../harness/Makers.ts"
import { pageVariables } from "../harness/Visiting.ts"
import { pdf, uploaded } from "../learning/media/Files.ts"
import { localFolder } from "../platform/storage/local/LocalFolder.ts"
import { lookAll, visit } from "./Visit.ts"

const { folder } = localFolder()

/** A picture of one pixel that a browser shows. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

const openFolder = Effect.gen(function*() {
  const club = yield* foundClub({ locale: "en" })
  const student = yield* enrolledStudent(club)
  const delivery = yield* makeCatalogDelivery(club)
  const repository = yield* makeRepository(club, { public_id: "partituras", instructor_name: "Pixinguinha" })
  yield* makeItem(club, delivery, { kind: "repository", id: repository.id })
  yield* makeEnrollment(club, student, delivery)
  const add = Effect.fnUntraced(function*(title: string, id: string, position: number) {
    yield* makeRepositoryFile(club, repository, { id: MediaId.make(id) }, { title, position })
  })
  yield* add("Capa", yield* uploaded(club, png, { file_name: "capa.png" }), 1)
  yield* add("Apostila", yield* uploaded(club, pdf, { mime: "application/pdf", file_name: "apostila.pdf" }), 2)
  yield* add("Gravação", (yield* makeMedia(club, { kind: "audio" })).id, 3)
  return { club, token: student.token, delivery }
})

describe.skipIf(withoutBrowser)("The classroom's files", () => {
  layer(appLayer({ ...pageVariables, DATA_DIR: folder }), { excludeTestServices: true })("for a student", (it) => {
    it.effect("are in folders; a picture opens over the page, and each is saved under its name", () =>
      Effect.gen(function*() {
        const { club, token } = yield* openFolder
        const page = yield* visit(club, ["repositories"], { token })
        yield* Effect.promise(async () => {
          // A test's server learns its port only after it has its public address.
          await page.route("**/download*", async (route) => {
            const headers = { ...await route.request().allHeaders(), "sec-fetch-site": "same-origin" }
            const answer = await (await route.fetch({ headers })).text()
            const body = answer.replace("http://127.0.0.1/", `${new URL(page.url()).origin}/`)
            await route.fulfill({ body, contentType: "application/json" })
          })
          await page.getByRole("link", { name: /Partituras/ }).click()
          await page.getByRole("button", { name: /Open Capa/ }).click()
          await page.getByRole("dialog", { name: "Capa" }).getByRole("img").waitFor()
          await page.keyboard.press("Escape")
          await page.getByRole("dialog").waitFor({ state: "detached" })
          const saved = page.waitForEvent("download")
          await page.getByRole("button", { name: "Download Apostila" }).click()
          assert.strictEqual((await saved).suggestedFilename(), "apostila.pdf")
          await page.getByRole("heading", { name: "Partituras" }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const { club, delivery, token } = yield* openFolder
        const long = "Exercícios de mão direita para quem já conhece os acordes maiores e menores"
        yield* makeItem(club, delivery, { kind: "repository", id: (yield* makeRepository(club, { title: long })).id })
        const page = yield* visit(club, ["repositories"], { token, width: 390, locale: "pt-BR" })
        yield* Effect.promise(() => page.getByText("Partituras").waitFor())
        yield* lookAll(page, "repositories")
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: /Partituras/ }).click()
          await page.getByText("Gravação").waitFor()
        })
        yield* lookAll(page, "repository")
      }).pipe(Effect.scoped))
  })
})
