import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appLayer, foundClub, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { pageVariables } from "../harness/Visiting.ts"
import { uploaded } from "../learning/media/Files.ts"
import { localFolder } from "../platform/storage/local/LocalFolder.ts"
import { lookAll, visit } from "./Visit.ts"

const { folder } = localFolder()

/** A picture of one pixel that a browser shows. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

describe.skipIf(withoutBrowser)("The way into a classroom", () => {
  layer(appLayer({ ...pageVariables, DATA_DIR: folder }), { excludeTestServices: true })("of a club", (it) => {
    it.effect("shows the club's greeting, logo, cover and colour", () =>
      Effect.gen(function*() {
        const club = yield* foundClub({ locale: "pt-BR" })
        const [logo, cover] = [yield* uploaded(club, png), yield* uploaded(club, png)]
        const welcome = "Aprenda violão do zero, no seu ritmo."
        const face = { logo_media_id: logo, cover_media_id: cover, accent: "#b4235a", welcome }
        yield* send("PATCH", club.path, { token: club.token, body: face })
        const page = yield* visit(club, [], { width: 390, expected: [/401/] })
        yield* Effect.promise(async () => {
          await page.getByText(welcome).waitFor()
          // Pictures beside words are empty for a screen reader.
          assert.strictEqual(await page.locator("img[alt='']").count(), 2)
          const accent = "getComputedStyle(document.querySelector('form button')).backgroundColor"
          assert.strictEqual(await page.evaluate(accent), "rgb(180, 35, 90)")
        })
        yield* lookAll(page, "face")
      }).pipe(Effect.scoped))
  })
})
