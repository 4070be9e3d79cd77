import { Context, Effect, Layer, Redacted } from "effect"
import { Storage } from "../../platform/storage/Storage.ts"
import { watchUrl } from "./HostedProvider.ts"
import type { StoredMedia } from "./MediaRepo.ts"
import type { MediaDownload } from "./Upload.ts"

/** The addresses at which media can be opened. */
export class MediaAddresses extends Context.Service<MediaAddresses, {
  /** A file in our storage gets an address that ends; a hosted one the provider's page, which does not. */
  of(stored: StoredMedia, inline: boolean): Effect.Effect<MediaDownload>
}>()("turma/learning/media/MediaAddresses") {
  static readonly layer = Layer.effect(
    MediaAddresses,
    Effect.gen(function*() {
      const storage = yield* Storage

      const of = Effect.fnUntraced(function*({ media, storage_key }: StoredMedia, inline: boolean) {
        const { external_id, file_name, mime, provider, title } = media
        if (provider !== "storage") {
          return { url: Redacted.make(watchUrl(provider, external_id ?? "")), expires_at: null, signed: false }
        }
        if (storage_key === null) return yield* Effect.die(new Error("A stored file without its place"))
        const presentation = { file_name: file_name ?? title, mime: mime ?? "application/octet-stream", inline }
        const { expires_at, url } = yield* storage.download(storage_key, presentation)
        return { url, expires_at, signed: true }
      })

      return MediaAddresses.of({ of })
    })
  )
}
