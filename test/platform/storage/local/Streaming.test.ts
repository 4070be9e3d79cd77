import { NodeHttpServer } from "@effect/platform-node"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Context, Effect, FileSystem, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServer } from "effect/http"
import { once } from "node:events"
import { request, type Server } from "node:http"
import { connect, type Socket } from "node:net"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { ClientAddress } from "../../../../src/identity/limits/ClientAddress.ts"
import { UploadCountingLayer } from "../../../../src/identity/limits/UploadCounting.ts"
import { WriteCounters } from "../../../../src/identity/limits/WriteCounters.ts"
import { RequestLimitsLayer } from "../../../../src/platform/http/server/RequestLimits.ts"
import { createApiServer } from "../../../../src/platform/http/server/Server.ts"
import { Sealing } from "../../../../src/platform/sql/Sealing.ts"
import { FreeSpace } from "../../../../src/platform/storage/local/FreeSpace.ts"
import { LocalFiles } from "../../../../src/platform/storage/local/LocalFiles.ts"
import { LocalRoutesLayer } from "../../../../src/platform/storage/local/LocalRoutes.ts"
import { LocalStorageLayer } from "../../../../src/platform/storage/local/LocalStorage.ts"
import { SignedUrls } from "../../../../src/platform/storage/local/SignedUrls.ts"
import { Storage } from "../../../../src/platform/storage/Storage.ts"
import { eventually } from "../../../harness/Eventually.ts"
import { key, localFolder, uploadPath } from "./LocalFolder.ts"

const mebibyte = 1024 * 1024
const { empty, folder, list } = localFolder()

/** The lower side of the service: the server's sockets, and the bytes on the disk. */
class Below extends Context.Service<Below, {
  readonly server: Server
  readonly sockets: Array<Socket>
  written: number
  /** The most bytes that had come over the socket but were not on the disk yet. */
  ahead: number
}>()("test/Below") {}

const BelowLayer = Layer.sync(Below, () => {
  const server = createApiServer(() => false)
  const sockets: Array<Socket> = []
  server.on("connection", (socket) => void sockets.push(socket))
  return { server, sockets, written: 0, ahead: 0 }
})

const WatchedFilesLayer = Layer.effect(
  FileSystem.FileSystem,
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const below = yield* Below
    return {
      ...fs,
      open: (...given: Parameters<typeof fs.open>) =>
        Effect.map(fs.open(...given), (file) => {
          const writeAll = (bytes: Uint8Array) =>
            Effect.tap(file.writeAll(bytes), () =>
              Effect.sync(() => {
                const come = below.sockets.at(-1)?.bytesRead ?? 0
                below.ahead = Math.max(below.ahead, come - below.written)
                below.written += bytes.length
              }))
          return Object.assign(Object.create(file), { writeAll })
        })
    }
  })
).pipe(Layer.provide(NodeServices.layer))

const ServerLayer = Layer.unwrap(Effect.map(Below, ({ server }) => NodeHttpServer.layer(() => server, { port: 0 })))

const ServiceLayer = HttpRouter.serve(LocalRoutesLayer, { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provide(RequestLimitsLayer),
  Layer.provide(UploadCountingLayer),
  Layer.provide([ClientAddress.layer, WriteCounters.layer]),
  Layer.provideMerge(ServerLayer),
  Layer.provideMerge(LocalStorageLayer),
  Layer.provideMerge(Layer.mergeAll(LocalFiles.layerNoDeps, SignedUrls.layer)),
  Layer.provide(Sealing.layerKeys(Redacted.make(new Uint8Array(32)))),
  Layer.provide(SecureRandom.layerWebCrypto),
  Layer.provide([FreeSpace.layer, WatchedFilesLayer]),
  Layer.provide(NodeServices.layer),
  Layer.provideMerge(BelowLayer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ DATA_DIR: folder, STORAGE_FREE_FLOOR: "0 B" })))
)

const portOf = Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
  address._tag === "UnixPathAddress"
    ? Effect.die(new Error("The server listens on no port"))
    : Effect.succeed(address.port))

layer(ServiceLayer)("A large upload", (it) => {
  it.effect("goes to the disk as it comes, and never waits in memory", () =>
    Effect.gen(function*() {
      empty()
      const size = 64 * mebibyte
      const path = yield* uploadPath({ size_bytes: size })
      const port = yield* portOf
      const status = yield* Effect.promise(async () => {
        const headers = { "Content-Type": "text/plain", "Content-Length": size }
        const sent = request({ port, path, method: "PUT", headers, agent: false })
        const answered = once(sent, "response")
        const chunk = Buffer.alloc(mebibyte, "a")
        await pipeline(Readable.from(Array.from({ length: size / mebibyte }, () => chunk)), sent)
        const [response] = await answered
        response.resume()
        return response.statusCode
      })
      const { ahead, written } = yield* Below
      assert.deepStrictEqual([status, written], [204, size])
      assert.isBelow(ahead, mebibyte)
      const storage = yield* Storage
      assert.deepStrictEqual(yield* storage.settle(key), Option.some(size))
    }))

  it.effect("may take longer than any other request, as long as it comes", () =>
    Effect.gen(function*() {
      empty()
      const { server, sockets } = yield* Below
      const path = yield* uploadPath({ size_bytes: 10 })
      const socket = connect(yield* portOf, "127.0.0.1")
      const answered = once(socket, "data")
      socket.write(`PUT ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nhello`)
      yield* eventually(Effect.sync(list), (found) => found.length === 1)
      const theirs = sockets.at(-1)
      // Node reports this way that a request takes too long.
      server.emit("clientError", Object.assign(new Error(), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), theirs)
      assert.strictEqual(theirs?.timeout, 60_000)
      socket.write("world")
      const [answer] = yield* Effect.promise(() => answered)
      assert.match(String(answer), /^HTTP\/1\.1 204 /)
      assert.deepStrictEqual(list(), ["uploads/club.file"])
      socket.destroy()
    }))

  it.effect("is given up when nothing comes any more, and nothing is left", () =>
    Effect.gen(function*() {
      empty()
      const { sockets } = yield* Below
      const path = yield* uploadPath({ size_bytes: 10 })
      const socket = connect(yield* portOf, "127.0.0.1")
      socket.on("error", () => {})
      socket.write(`PUT ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nhello`)
      yield* eventually(Effect.sync(list), (found) => found.length === 1)
      // Node reports this way that a socket is idle.
      sockets.at(-1)?.emit("timeout")
      yield* eventually(Effect.sync(list), (found) => found.length === 0)
    }))

  it.effect("is asked for by who waits to be asked", () =>
    Effect.gen(function*() {
      empty()
      const { sockets } = yield* Below
      const path = yield* uploadPath({ size_bytes: 5 })
      const socket = connect(yield* portOf, "127.0.0.1")
      const asked = once(socket, "data")
      socket
        .write(`PUT ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n`)
      const [first] = yield* Effect.promise(() => asked)
      assert.match(String(first), /^HTTP\/1\.1 100 /)
      assert.strictEqual(sockets.at(-1)?.timeout, 60_000)
      const answered = once(socket, "data")
      socket.write("hello")
      const [second] = yield* Effect.promise(() => answered)
      assert.match(String(second), /^HTTP\/1\.1 204 /)
      socket.destroy()
    }))
})
