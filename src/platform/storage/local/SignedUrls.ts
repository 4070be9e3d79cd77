import { Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { Sealing } from "../../sql/Sealing.ts"
import { utf8Option } from "../../text/Utf8.ts"
import { StorageKey } from "../Storage.ts"
import { UrlInvalid } from "./Refusals.ts"

const common = { key: StorageKey, mime: Schema.String, expires_at: Schema.DateTimeUtcFromMillis }

/** That one file of this type and size may be uploaded. */
const UploadGrant = Schema.Struct({
  kind: Schema.Literal("upload"),
  ...common,
  size_bytes: Schema.Int
})
type UploadGrant = typeof UploadGrant.Type

/** That one part of a file may be uploaded. */
const PartGrant = Schema.Struct({
  kind: Schema.Literal("part"),
  key: StorageKey,
  number: Schema.Int,
  size_bytes: Schema.Int,
  expires_at: Schema.DateTimeUtcFromMillis
})
type PartGrant = typeof PartGrant.Type

/** That one file may be read, and how it is presented. */
export const DownloadGrant = Schema.Struct({
  kind: Schema.Literal("download"),
  ...common,
  file_name: Schema.String,
  inline: Schema.Boolean
})
export type DownloadGrant = typeof DownloadGrant.Type

type Grant = UploadGrant | PartGrant | DownloadGrant

const toText = Schema.fromJsonString(Schema.Union([UploadGrant, PartGrant, DownloadGrant]))
const encode = Schema.encodeEffect(toText)
const decode = Schema.decodeUnknownOption(toText)

const shape = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/

const macOf = (key: Redacted.Redacted<Uint8Array>, payload: string) =>
  createHmac("sha256", Redacted.value(key)).update(payload).digest()

/**
 * Tokens that say for themselves what they allow: base64url of the grant, a point, and its HMAC-SHA256. Nothing of them is
 * stored, so any process with the key knows them, and only their end takes them back.
 */
export class SignedUrls extends Context.Service<SignedUrls, {
  sign(grant: Grant): Effect.Effect<Redacted.Redacted>
  /** The grant that the token gives now. */
  verify<Kind extends Grant["kind"]>(
    token: Redacted.Redacted,
    kind: Kind
  ): Effect.Effect<Extract<Grant, { readonly kind: Kind }>, UrlInvalid>
}>()("turma/platform/storage/local/SignedUrls") {
  static readonly layer = Layer.effect(
    SignedUrls,
    Effect.gen(function*() {
      const sealing = yield* Sealing
      const keys = sealing.signingKeys("storage addresses")

      const sign = Effect.fnUntraced(function*(grant: Grant) {
        const payload = Buffer.from(yield* Effect.orDie(encode(grant))).toString("base64url")
        return Redacted.make(`${payload}.${macOf(keys[0], payload).toString("base64url")}`)
      })

      const opened = (token: Redacted.Redacted): Option.Option<Grant> => {
        const [, payload, mac] = shape.exec(Redacted.value(token)) ?? []
        if (payload === undefined || mac === undefined) return Option.none()
        const given = Buffer.from(mac, "base64url")
        if (!keys.some((key) => timingSafeEqual(macOf(key, payload), given))) return Option.none()
        return Option.flatMap(utf8Option(Buffer.from(payload, "base64url")), decode)
      }

      const isOf =
        <Kind extends Grant["kind"]>(kind: Kind) => (grant: Grant): grant is Extract<Grant, { readonly kind: Kind }> =>
          grant.kind === kind

      const verify = Effect.fnUntraced(function*<Kind extends Grant["kind"]>(token: Redacted.Redacted, kind: Kind) {
        const grant = Option.filter(opened(token), isOf(kind))
        if (Option.isNone(grant)) return yield* new UrlInvalid()
        if (DateTime.isLessThanOrEqualTo(grant.value.expires_at, yield* DateTime.now)) return yield* new UrlInvalid()
        return grant.value
      })

      return SignedUrls.of({ sign, verify })
    })
  )
}
