import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Exit, Scope } from "effect"
import { X509Certificate } from "node:crypto"
import { startRawReceiver, startReceiver } from "../../harness/Receiver.ts"
import { testCa } from "../../harness/Tls.ts"
import { post, startSender } from "./Sending.ts"

const ca = testCa()

/** A certificate with a known end. */
const certified = (validDays = 9) => {
  const certificate = ca.certificate({ names: ["127.0.0.1"], validDays })
  return { certificate, ends: DateTime.makeUnsafe(new X509Certificate(certificate.cert).validTo) }
}

describe("the peer of an attempt", () => {
  it.effect("is the address that was connected to, its TLS and its certificate's end, on a kept connection too", () =>
    Effect.gen(function*() {
      const { certificate, ends } = certified()
      const receiver = yield* startReceiver({ ca, server: certificate })
      const sender = yield* startSender({ ca })
      const [first, second] = yield* Effect.forEach([1, 2], () => sender.peer(post(receiver.url)))
      assert.deepStrictEqual(first, {
        peer_address: "127.0.0.1",
        tls_version: "TLSv1.3",
        certificate_ends_at: ends
      })
      assert.deepStrictEqual(second, first)
      assert.strictEqual(receiver.connections(), 1)
    }))

  it.effect.each(["TLSv1.2", "TLSv1.3"] as const)(
    "of a resumed session of %s shows the certificate of before",
    (version) =>
      Effect.gen(function*() {
        const { certificate, ends } = certified()
        const resumed: Array<boolean> = []
        const receiver = yield* startRawReceiver((socket) => {
          resumed.push(socket.isSessionReused())
          socket.on("data", () => socket.end("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n"))
        }, { ca, server: { ...certificate, maxVersion: version } })
        const sender = yield* startSender({ ca })
        const peers = yield* Effect.forEach([1, 2], () => sender.peer(post(receiver.url)))
        const peer = { peer_address: "127.0.0.1", tls_version: version, certificate_ends_at: ends }
        assert.deepStrictEqual(peers, [peer, peer])
        assert.deepStrictEqual(resumed, [false, true])
      })
  )

  it.effect("is its address and its certificate's end where that is why TLS fails", () =>
    Effect.gen(function*() {
      const { certificate, ends } = certified(-1)
      const receiver = yield* startReceiver({ ca, server: certificate })
      const sender = yield* startSender({ ca })
      const request = post(receiver.url)
      assert.strictEqual((yield* sender.send(request)).error, "tls")
      assert.deepStrictEqual(yield* sender.peer(request), {
        peer_address: "127.0.0.1",
        tls_version: null,
        certificate_ends_at: ends
      })
    }))

  it.effect("is its address alone where TLS fails", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver()
      const sender = yield* startSender({ ca })
      assert.deepStrictEqual(yield* sender.peer(post(receiver.url)), {
        peer_address: "127.0.0.1",
        tls_version: null,
        certificate_ends_at: null
      })
    }))

  it.effect("is nobody where nothing was connected to, and none of a refused address is told", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { port } = yield* Scope.provide(startReceiver(), scope)
      yield* Scope.close(scope, Exit.void)
      const sender = yield* startSender()
      for (const url of [`https://127.0.0.1:${port}/`, "https://10.0.0.1/", "https://nowhere.example/", "http://a/"]) {
        assert.isNull(yield* sender.peer(post(url)), url)
      }
    }))

  it.effect("is that of the connection that it went out on last", () =>
    Effect.gen(function*() {
      const [before, after] = [certified(), { certificate: ca.certificate({ validDays: 90 }) }]
      const receiver = yield* startRawReceiver((socket) => {
        let requests = 0
        socket.on("data", () => {
          if (++requests === 2) socket.destroy()
          else socket.write("HTTP/1.1 204 No Content\r\n\r\n")
        })
      }, { ca, server: before.certificate })
      const sender = yield* startSender({ ca })
      const first = yield* sender.peer(post(receiver.url))
      receiver.replaceCertificate(after.certificate)
      const second = yield* sender.peer(post(receiver.url))
      assert.deepStrictEqual(first?.certificate_ends_at, before.ends)
      assert.deepStrictEqual(
        second?.certificate_ends_at,
        DateTime.makeUnsafe(new X509Certificate(after.certificate.cert).validTo)
      )
      assert.strictEqual(receiver.connections(), 2)
    }))
})
