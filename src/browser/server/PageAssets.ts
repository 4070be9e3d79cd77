import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { NotFound, type TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { staticAnswer } from "../../platform/http/server/StaticAnswer.ts"
import type { PageName } from "../build/place.ts"
import type { PageFile, PageFiles } from "./PageFiles.ts"

const forEver = "public, max-age=31536000, immutable"

const fileHeaders = { "cross-origin-resource-policy": "same-origin", "x-content-type-options": "nosniff" }

const answerOf = ({ bytes, contentType }: PageFile) =>
  staticAnswer(HttpServerResponse.uint8Array(bytes, { contentType, headers: fileHeaders }), forEver)

/** The address of a page's file. Its content never changes, since its name has a hash of it. */
export const assetRoute = (page: PageName) => ({ method: "GET", path: `/${page}/assets/:name` } as const)

/** Answers the files of a page. */
export const addAssets = Effect.fnUntraced(function*(
  router: HttpRouter.HttpRouter,
  page: PageName,
  files: Effect.Effect<PageFiles, TemporarilyUnavailable>
) {
  const answers = new WeakMap<PageFile, HttpServerResponse.HttpServerResponse>()
  const file = Effect.gen(function*() {
    const { name = "" } = yield* HttpRouter.params
    const found = (yield* files).files.get(name)
    if (found === undefined) return yield* new NotFound()
    const answer = answers.get(found) ?? answerOf(found)
    answers.set(found, answer)
    return answer
  })
  yield* router.add("GET", assetRoute(page).path, file)
})
