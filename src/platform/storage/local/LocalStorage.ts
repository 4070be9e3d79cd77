import { DateTime, type Duration, Effect, Layer, Redacted } from "effect"
import { PublicUrls } from "../../http/ServerSettings.ts"
import { downloadLifetime, Storage, uploadLifetime } from "../Storage.ts"
import { uploadInParts } from "../UploadInParts.ts"
import { LocalFiles } from "./LocalFiles.ts"
import { SignedUrls } from "./SignedUrls.ts"

/** Where uploads and downloads are answered, outside the contract; behind each comes the token that allows it. */
export const storagePaths = {
  upload: "/storage/uploads",
  part: "/storage/uploads/parts",
  download: "/storage/files"
} as const

/** Files of this machine, by addresses of this service. */
export const LocalStorageLayer = Layer.effect(
  Storage,
  Effect.gen(function*() {
    const files = yield* LocalFiles
    const urls = yield* SignedUrls
    const { api } = yield* PublicUrls

    const addressOf = (path: string, token: Redacted.Redacted) =>
      Redacted.make(`${api.href.replace(/\/$/, "")}${path}/${Redacted.value(token)}`)

    const after = (lifetime: Duration.Duration) => Effect.map(DateTime.now, DateTime.addDuration(lifetime))

    return Storage.of({
      upload: Effect.fn("LocalStorage.upload")(function*({ key, mime, size_bytes }) {
        const expires_at = yield* after(uploadLifetime)
        const token = yield* urls.sign({ kind: "upload", key, mime, size_bytes, expires_at })
        return {
          method: "PUT",
          url: addressOf(storagePaths.upload, token),
          headers: { "content-type": mime },
          expires_at
        }
      }),
      resume: Effect.fn("LocalStorage.resume")(function*({ key, size_bytes }) {
        const isReceived = yield* files.resume(key)
        return yield* uploadInParts(size_bytes, isReceived, ({ number, size_bytes }, expires_at) =>
          Effect.map(
            urls.sign({ kind: "part", key, number, size_bytes, expires_at }),
            (token) => addressOf(storagePaths.part, token)
          ))
      }),
      assemble: files.assemble,
      download: Effect.fn("LocalStorage.download")(function*(key, { file_name, inline, mime }) {
        const expires_at = yield* after(downloadLifetime)
        const token = yield* urls.sign({ kind: "download", key, mime, file_name, inline, expires_at })
        return { url: addressOf(storagePaths.download, token), expires_at }
      }),
      settle: files.settle,
      read: files.read,
      copy: files.copy,
      remove: files.remove,
      sweep: files.sweep
    })
  })
).pipe(Layer.provide(PublicUrls.layer))
