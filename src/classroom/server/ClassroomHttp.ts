import { Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { addAssets } from "../../browser/server/PageAssets.ts"
import { scriptedHeaders } from "../../browser/server/PageDocument.ts"
import { makePageFiles } from "../../browser/server/PageFiles.ts"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { PublicClubs } from "../../membership/clubs/PublicClubs.ts"
import { preferredLocale } from "../../platform/http/AcceptLanguage.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { sentId } from "../../platform/http/Text.ts"
import { OwnProgram } from "../../platform/processes/OwnProgram.ts"
import { configuredBucket } from "../../platform/storage/StorageSettings.ts"
import { clubPaths, isServed } from "./ClassroomAddresses.ts"
import { classroomDocument } from "./ClassroomPage.ts"

const decodeId = Schema.decodeUnknownOption(sentId(OrganizationId))

/** The page of each club, and its files. A club that does not exist has a page like any other, without a name. */
const PagesLayer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const files = makePageFiles(yield* OwnProgram, "classroom")
  const clubs = yield* PublicClubs
  const storage = Option.map(yield* configuredBucket, ({ base }) => base.origin)
  // The players of the providers of hosted videos stand in frames.
  const headers = scriptedHeaders(storage)

  const page = Effect.gen(function*() {
    const club = decodeId((yield* HttpRouter.params)["club"])
    if (Option.isNone(club)) return yield* new NotFound()
    const { page: names } = yield* files
    const found = yield* clubs.find(club.value)
    const asked = yield* HttpServerRequest.HttpServerRequest
    const preferred = preferredLocale(asked.headers["accept-language"])
    return HttpServerResponse.text(classroomDocument(names, { club: club.value, found, preferred }), {
      contentType: "text/html; charset=utf-8",
      headers
    })
  })

  yield* router.add("GET", clubPaths, page)
  yield* addAssets(router, "classroom", files)
}))

/** The classroom, unless clubs have an app elsewhere. */
export const ClassroomLayer = Layer
  .unwrap(Effect.map(isServed, (served) => served ? PagesLayer.pipe(Layer.provide(PublicClubs.layer)) : Layer.empty))
