import { Effect, Option, Schema, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { MalformedRequest, NotFound } from "../../http/errors.ts"
import { mediaTypeOf } from "../../http/MediaType.ts"
import { disposition } from "../Disposition.ts"
import { byteRange } from "./ByteRange.ts"
import { LocalFiles } from "./LocalFiles.ts"
import { storagePaths } from "./LocalStorage.ts"
import { RangeNotSatisfiable, UploadSizeWrong, uploadTypeWrong } from "./Refusals.ts"
import { type DownloadGrant, SignedUrls } from "./SignedUrls.ts"
import { UploadCounter } from "./UploadCounter.ts"

/** The routes that answer the addresses of `LocalStorageLayer`. */
export const storageRoutes = [
  { method: "PUT", path: `${storagePaths.upload}/:token` },
  { method: "PUT", path: `${storagePaths.part}/:token` },
  { method: "GET", path: `${storagePaths.download}/:token` }
] as const

const Token = Schema.Struct({ token: Schema.RedactedFromValue(Schema.String) })
const tokenOf = Effect.map(HttpRouter.schemaPathParams(Token), ({ token }) => token)

// An alias counts too: the client announced the upload under any name of its type.
const isType = (header: string | undefined, mime: string) => mediaTypeOf(header ?? "") === mediaTypeOf(mime)

/** The body, which has this size. */
const bodyOf = Effect.fnUntraced(function*(size_bytes: number) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const length = request.headers["content-length"]
  if (length !== undefined && Number(length) !== size_bytes) return yield* new UploadSizeWrong()
  // The failure of the body holds the request, whose URL is a secret.
  return Stream.mapError(request.stream, () => new MalformedRequest())
})

const upload = Effect.fnUntraced(function*(files: LocalFiles["Service"], urls: SignedUrls["Service"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { key, mime, size_bytes } = yield* urls.verify(yield* tokenOf, "upload")
  if (!isType(request.headers["content-type"], mime)) return yield* uploadTypeWrong(mime)
  yield* files.write(key, size_bytes, yield* bodyOf(size_bytes))
  return HttpServerResponse.empty({ status: 204 })
})

const uploadPart = Effect.fnUntraced(function*(files: LocalFiles["Service"], urls: SignedUrls["Service"]) {
  const { key, number, size_bytes } = yield* urls.verify(yield* tokenOf, "part")
  yield* files.writePart(key, number, size_bytes, yield* bodyOf(size_bytes))
  return HttpServerResponse.empty({ status: 204 })
})

/** A settled file never changes, so its place names its content. */
const tagOf = ({ key }: DownloadGrant) => `"${createHash("sha256").update(key).digest("base64url")}"`

const headersOf = (grant: DownloadGrant) => ({
  "accept-ranges": "bytes",
  "cache-control": "private, max-age=3600",
  "content-disposition": disposition(grant),
  // A file of any kind runs nothing, and is shown only as the type that it states.
  "content-security-policy": "sandbox",
  "etag": tagOf(grant),
  "x-content-type-options": "nosniff"
})

const refuseRange = (size: number) =>
  Effect.map(
    HttpServerRespondable.toResponse(new RangeNotSatisfiable()),
    HttpServerResponse.setHeader("content-range", `bytes */${size}`)
  )

const download = Effect.fnUntraced(function*(files: LocalFiles["Service"], urls: SignedUrls["Service"]) {
  const { headers: sent } = yield* HttpServerRequest.HttpServerRequest
  const grant = yield* urls.verify(yield* tokenOf, "download")
  const size = yield* Effect.mapError(files.size(grant.key), () => new NotFound())
  const isStale = sent["if-range"] !== undefined && sent["if-range"] !== tagOf(grant)
  const range = byteRange(isStale ? undefined : sent["range"], size)
  if (Option.isNone(range)) return yield* refuseRange(size)
  const headers = headersOf(grant)
  if (range.value === "whole") {
    return HttpServerResponse.stream(files.read(grant.key), { contentType: grant.mime, contentLength: size, headers })
  }
  const { first, last } = range.value
  const bytes = last - first + 1
  return HttpServerResponse.stream(files.read(grant.key, { offset: first, bytes }), {
    status: 206,
    contentType: grant.mime,
    contentLength: bytes,
    headers: { ...headers, "content-range": `bytes ${first}-${last}/${size}` }
  })
})

/** The routes, on the files of this machine. */
export const LocalRoutesLayer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const files = yield* LocalFiles
  const urls = yield* SignedUrls
  const { count } = yield* UploadCounter
  const [put, putPart, get] = storageRoutes
  // An answer, and no failure: it is neither unexpected nor anybody's fault, and there may be many of them.
  const counted = (answer: ReturnType<typeof upload> | ReturnType<typeof uploadPart>) =>
    Effect.andThen(count, Effect.catchTag(answer, "StorageFull", HttpServerRespondable.toResponse))
  yield* router.add(put.method, put.path, counted(upload(files, urls)))
  yield* router.add(putPart.method, putPart.path, counted(uploadPart(files, urls)))
  yield* router.add(get.method, get.path, download(files, urls))
}))
