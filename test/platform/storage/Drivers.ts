import { NodeHttpServer } from "@effect/platform-node"
import { ConfigProvider, Context, Duration, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServer } from "effect/http"
import { ClientAddress } from "../../../src/identity/limits/ClientAddress.ts"
import { UploadCountingLayer } from "../../../src/identity/limits/UploadCounting.ts"
import { WriteCounters } from "../../../src/identity/limits/WriteCounters.ts"
import { RequestLimitsLayer } from "../../../src/platform/http/server/RequestLimits.ts"
import { createApiServer } from "../../../src/platform/http/server/Server.ts"
import { Sealing } from "../../../src/platform/sql/Sealing.ts"
import { StorageLayer, StorageRoutesLayer } from "../../../src/platform/storage/driver/StorageLayer.ts"
import { LocalFiles } from "../../../src/platform/storage/local/LocalFiles.ts"
import { SignedUrls } from "../../../src/platform/storage/local/SignedUrls.ts"
import { s3Times } from "../../../src/platform/storage/s3/S3Client.ts"
import { s3Layer } from "../../../src/platform/storage/s3/S3Layer.ts"
import { configuredBucket } from "../../../src/platform/storage/StorageSettings.ts"
import { roomyLimits } from "../../harness/App.ts"
import { startS3, type TestS3 } from "../../harness/S3.ts"
import { localFolder } from "./local/LocalFolder.ts"

/** A driver of storage, as its disk and its clients see it. */
export class Driver extends Context.Service<Driver, {
  /** The paths of the stored files. */
  readonly list: () => ReadonlyArray<string>
  /** The address at which a client reaches a URL. */
  readonly reach: (url: Redacted.Redacted) => string
  /** Addresses that an attacker could make from this one. */
  readonly forged: (url: string) => ReadonlyArray<string>
}>()("test/Driver") {}

/** The server of S3 behind the driver. */
export class S3 extends Context.Service<S3, TestS3>()("test/S3") {
  static readonly layer = Layer.effect(S3, startS3)
}

/** The storage that `STORAGE_URL` chooses, with the services that both drivers need. */
export const storageOf = (variables: Record<string, string>) =>
  StorageLayer.pipe(
    Layer.provideMerge(Layer.mergeAll(LocalFiles.layer, SignedUrls.layer)),
    Layer.provide(Sealing.layerKeys(Redacted.make(new Uint8Array(32)))),
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ STORAGE_FREE_FLOOR: "0 B", ...variables })))
  )

const places = [
  "club/other",
  "../etc/passwd",
  "%2e%2e/%2e%2e/etc/passwd",
  "..%2F..%2Fetc%2Fpasswd",
  "club.file%00",
  ""
]

const forgedTokens = (url: string) => {
  const { origin, pathname } = new URL(url)
  const [, storage, kind, token = ""] = pathname.split("/")
  const [payload = "", mac = ""] = token.split(".")
  const said = Buffer.from(payload, "base64url").toString()
  const wider = [
    said.replace(/"key":"[^"]*"/, `"key":"club/other"`),
    said.replace(/"key":"[^"]*"/, `"key":"../other"`),
    said.replace(/"mime":"[^"]*"/, `"mime":"text/html"`),
    said.replace(/"size_bytes":\d+/, `"size_bytes":6`),
    said.replace(/"expires_at":\d+/, `"expires_at":9999999999999`),
    said.replace(/"kind":"\w+"/, `"kind":"${kind === "files" ? "upload" : "download"}"`)
  ].filter((text) => text !== said)
  const tokens = [
    ...wider.map((text) => `${Buffer.from(text).toString("base64url")}.${mac}`),
    `${payload}.${"A".repeat(43)}`,
    `${payload}.${mac.slice(1)}`,
    `${payload}.`,
    payload,
    ...places.map(encodeURIComponent)
  ]
  return tokens.map((forged) => `${origin}/${storage}/${kind}/${forged}`)
}

const forgedSignatures = (url: string) => {
  const changed = [...new URL(url).searchParams.keys()].flatMap((name) => {
    const [other, without] = [new URL(url), new URL(url)]
    const value = other.searchParams.get(name) ?? ""
    other.searchParams.set(
      name,
      name === "X-Amz-Expires" ? "604800" : `${value.startsWith("0") ? "1" : "0"}${value.slice(1)}`
    )
    without.searchParams.delete(name)
    return [other.href, without.href]
  })
  const { origin, pathname, search } = new URL(url)
  const more = `${url}&response-content-type=text%2Fhtml`
  return [
    ...changed,
    ...(url.includes("response-content-type") ? [] : [more]),
    pathname.replace("uploads/", "kept/").replace("kept/kept/", "uploads/"),
    ...places.map((place) => pathname.replace(/(?:club\.file|club\/file)$/, place))
  ].map((place) => place.startsWith("/") ? `${origin}${place}${search}` : place).filter((forged) => forged !== url)
}

const localDriver = () => {
  const { folder, list } = localFolder()
  const DriverLayer = Layer.effect(
    Driver,
    Effect.gen(function*() {
      const { address } = yield* HttpServer.HttpServer
      if (address._tag === "UnixPathAddress") return yield* Effect.die(new Error("The server listens on no port"))
      const origin = `http://127.0.0.1:${address.port}`
      return { list, reach: (url) => `${origin}${new URL(Redacted.value(url)).pathname}`, forged: forgedTokens }
    })
  )
  return HttpRouter.serve(StorageRoutesLayer, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(RequestLimitsLayer),
    Layer.provide(UploadCountingLayer),
    Layer.provide([ClientAddress.layer, WriteCounters.layer]),
    Layer.provideMerge(DriverLayer),
    Layer.provide(NodeHttpServer.layer(() => createApiServer(() => false), { port: 0 })),
    Layer.provideMerge(storageOf({ DATA_DIR: folder })),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ ...roomyLimits, DATA_DIR: folder })))
  )
}

/** Storage in the bucket of `S3`. */
export const BucketLayer = Layer.unwrap(Effect.map(S3, ({ url }) => storageOf({ STORAGE_URL: url })))
  .pipe(Layer.provideMerge(S3.layer))

/** The same, without pauses between tries. */
export const HastyBucketLayer = Layer.unwrap(Effect.gen(function*() {
  const { url } = yield* S3
  const variables = ConfigProvider.layer(ConfigProvider.fromUnknown({ STORAGE_URL: url }))
  const bucket = yield* Effect.fromOption(yield* Effect.provide(configuredBucket, variables))
  return s3Layer(bucket, { ...s3Times, backoff: Duration.zero })
})).pipe(Layer.provideMerge(S3.layer))

const s3Driver = () =>
  Layer.effect(
    Driver,
    Effect.map(S3, ({ list }) => ({
      list,
      reach: (url: Redacted.Redacted) => Redacted.value(url),
      forged: forgedSignatures
    }))
  ).pipe(Layer.provideMerge(BucketLayer))

/** Each driver with the parts that a test needs, new for each block. */
export const drivers = { "files on this machine": localDriver, "a bucket": s3Driver } as const
