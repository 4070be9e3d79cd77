import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { asset } from "../../../src/platform/pages/Asset.ts"
import { pageAssets } from "../../../src/platform/pages/Look.ts"
import { AppLayer } from "../../harness/App.ts"
import { call, isRefusal } from "../../harness/RawHttp.ts"

layer(AppLayer)("A file that pages load", (it) => {
  it.effect.each(pageAssets)(
    "is kept for ever, under an address that names its content: $path",
    ({ body, path }) =>
      Effect.gen(function*() {
        const answer = yield* call("GET", path)
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.text, String(body))
        assert.strictEqual(answer.headers["cache-control"], "public, max-age=31536000, immutable")
        assert.strictEqual(answer.headers["x-content-type-options"], "nosniff")
      })
  )

  it.effect("is not there under another content's address, and takes no other method", () =>
    Effect.gen(function*() {
      const [sheet] = pageAssets
      assert.notStrictEqual(asset("turma", "css", "text/css", `${String(sheet?.body)} `).path, sheet?.path)
      isRefusal(yield* call("GET", "/assets/turma.AAAAAAAAAAAA.css"), 404, "not_found")
      isRefusal(yield* call("POST", sheet?.path ?? ""), 405, "method_not_allowed")
    }))
})
