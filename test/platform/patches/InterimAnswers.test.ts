import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { connect, type TLSSocket } from "node:tls"
import { Client } from "undici"
import { InterimAnswers } from "../../../src/platform/patches/InterimAnswers.ts"
import { removable } from "../../harness/Patches.ts"
import { startRawReceiver } from "../../harness/Receiver.ts"

/** Posts over our own socket to a receiver that first answers `100 Continue`. Returns the status or the failure. */
const post = (prepare: (socket: TLSSocket) => void) =>
  Effect.gen(function*() {
    const { ca, port } = yield* startRawReceiver((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
      })
    })
    const socket = yield* Effect.acquireRelease(
      Effect.callback<TLSSocket>((resume) => {
        const made = connect({ host: "127.0.0.1", port, ca: ca.caPem }, () => resume(Effect.succeed(made)))
      }),
      (made) => Effect.sync(() => made.destroy())
    )
    prepare(socket)
    const client = yield* Effect.acquireRelease(
      Effect.sync(() =>
        new Client(`https://127.0.0.1:${port}`, { connect: (_, done) => queueMicrotask(() => done(null, socket)) })
      ),
      (made) => Effect.promise(() => made.destroy())
    )
    return yield* Effect.match(
      Effect.tryPromise(() => client.request({ method: "POST", path: "/", body: "a" })),
      { onSuccess: ({ statusCode }) => String(statusCode), onFailure: ({ cause }) => String(cause) }
    )
  })

describe("An answer behind `100 Continue`", () => {
  it.effect("breaks the connection, without the patch", () =>
    Effect.gen(function*() {
      assert.match(yield* post(() => {}), /SocketError/, removable("InterimAnswers"))
    }))

  it.effect("is read", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* post((socket) => new InterimAnswers(socket).expect()), "200")
    }))
})
