import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { NotFound } from "../../platform/http/errors.ts"
import { Storage } from "../../platform/storage/Storage.ts"
import { ClubFaces, type FaceFile } from "./ClubFaces.ts"
import { faceImages } from "./Face.ts"

/** The files of faces, which anyone can read. */
export const faceRoutes = [
  { method: "GET", path: "/v1/clubs/:clubId/face/logo" },
  { method: "GET", path: "/v1/clubs/:clubId/face/cover" },
  { method: "GET", path: "/v1/clubs/:clubId/face/icon.svg" }
] as const

/** The version that a request names, if any. */
const askedVersion = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ url }) => new URL(url, "http://localhost").searchParams.get("v")
)

/** An address with the version never gets another content. Without it, or with an older one, the content may change. */
const headersOf = ({ version }: FaceFile<unknown>, asked: string | null) => ({
  "cache-control": asked === version ? "public, max-age=31536000, immutable" : "public, max-age=300",
  // A file that somebody opens by itself runs nothing.
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  // Classrooms of other origins show it too.
  "cross-origin-resource-policy": "cross-origin",
  "etag": `"${version}"`,
  "x-content-type-options": "nosniff"
})

/** The answer with the file of the club in the path. */
const answering = <File>(
  find: (club: string) => Effect.Effect<Option.Option<FaceFile<File>>>,
  answer: (file: File, headers: ReturnType<typeof headersOf>) => HttpServerResponse.HttpServerResponse
) =>
  Effect.gen(function*() {
    const found = yield* find((yield* HttpRouter.params)["clubId"] ?? "")
    if (Option.isNone(found)) return yield* new NotFound()
    return answer(found.value.file, headersOf(found.value, yield* askedVersion))
  })

/** Answers `faceRoutes`. An unknown club and a club without the image have the same answer. */
export const FaceRoutesLayer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const faces = yield* ClubFaces
  const storage = yield* Storage
  for (const name of faceImages) {
    yield* router.add(
      "GET",
      `/v1/clubs/:clubId/face/${name}`,
      answering(
        (club) => faces.image(club, name),
        ({ mime, size_bytes, storage_key }, headers) =>
          HttpServerResponse.stream(storage.read(storage_key), {
            contentType: mime,
            contentLength: size_bytes,
            headers
          })
      )
    )
  }
  yield* router.add(
    "GET",
    "/v1/clubs/:clubId/face/icon.svg",
    answering(faces.icon, (svg, headers) => HttpServerResponse.text(svg, { contentType: "image/svg+xml", headers }))
  )
}))
