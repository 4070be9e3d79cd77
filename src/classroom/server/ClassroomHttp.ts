import { Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { addAssets } from "../../browser/server/PageAssets.ts"
import { scriptedHeaders } from "../../browser/server/PageDocument.ts"
import { makePageFiles, preloadHeader } from "../../browser/server/PageFiles.ts"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { frameOrigins } from "../../learning/media/HostedProvider.ts"
import { ClubFaces } from "../../membership/clubs/ClubFaces.ts"
import { preferredLocale } from "../../platform/http/AcceptLanguage.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { sentId } from "../../platform/http/Text.ts"
import { OwnProgram } from "../../platform/processes/OwnProgram.ts"
import { configuredBucket } from "../../platform/storage/StorageSettings.ts"
import { clubPaths, isServed, manifestPath, sheetPath } from "./ClassroomAddresses.ts"
import { classroomDocument, classroomManifest, faceSheet } from "./ClassroomPage.ts"

const decodeId = Schema.decodeUnknownOption(sentId(OrganizationId))

const forAnHour = { "cache-control": "public, max-age=3600", "x-content-type-options": "nosniff" }

/** The page of each club, and its files. A club that does not exist has a page like any other, without a name. */
const PagesLayer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const files = makePageFiles(yield* OwnProgram, "classroom")
  const faces = yield* ClubFaces
  const storage = Option.map(yield* configuredBucket, ({ base }) => base.origin)
  // The players of hosted videos stand in frames.
  const headers = scriptedHeaders(storage, { "frame-src": frameOrigins.join(" ") })

  const named = Effect.gen(function*() {
    const club = decodeId((yield* HttpRouter.params)["club"])
    if (Option.isNone(club)) return yield* new NotFound()
    return { club: club.value, found: yield* faces.find(club.value) }
  })

  const page = Effect.gen(function*() {
    const { club, found } = yield* named
    const { page: names } = yield* files
    const asked = yield* HttpServerRequest.HttpServerRequest
    const preferred = preferredLocale(asked.headers["accept-language"])
    const path = (yield* HttpRouter.params)["*"] ?? ""
    return HttpServerResponse.text(classroomDocument(names, { club, found, preferred }), {
      contentType: "text/html; charset=utf-8",
      headers: { ...headers, link: preloadHeader(names, path) }
    })
  })

  const sheet = Effect.map(
    named,
    ({ found }) =>
      HttpServerResponse.text(faceSheet(found), { contentType: "text/css; charset=utf-8", headers: forAnHour })
  )

  const manifest = Effect.map(
    named,
    ({ club, found }) =>
      HttpServerResponse.text(JSON.stringify(classroomManifest(club, found)), {
        contentType: "application/manifest+json",
        headers: forAnHour
      })
  )

  yield* router.add("GET", clubPaths, page)
  yield* router.add("GET", sheetPath(":club"), sheet)
  yield* router.add("GET", manifestPath(":club"), manifest)
  yield* addAssets(router, "classroom", files)
}))

/** The classroom, unless clubs have an app elsewhere. */
export const ClassroomLayer = Layer.unwrap(Effect.map(isServed, (served) => served ? PagesLayer : Layer.empty))
