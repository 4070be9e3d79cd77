import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { connect, type TLSSocket } from "node:tls"
import { beforeJudged } from "../../../src/platform/patches/RefusedCertificate.ts"
import { removable } from "../../harness/Patches.ts"
import { startRawReceiver } from "../../harness/Receiver.ts"
import { testCa } from "../../harness/Tls.ts"

/** The end of an expired certificate, read at its refusal and at the connection. */
const readEnd = Effect.gen(function*() {
  const ca = testCa()
  const server = ca.certificate({ names: ["127.0.0.1"], validDays: -1 })
  const { port } = yield* startRawReceiver(() => {}, { ca, server })
  const read = ({ getPeerCertificate }: TLSSocket, socket: TLSSocket) => getPeerCertificate.call(socket)?.valid_to
  let before: string | undefined
  const refused = yield* Effect.callback<string | undefined>((resume) => {
    const socket = connect({ host: "127.0.0.1", port, ca: ca.caPem })
    beforeJudged(socket, () => {
      before = read(socket, socket)
    })
    socket.on("error", () => resume(Effect.sync(() => read(socket, socket))))
  })
  return { before, refused }
})

describe("A certificate that is refused because it ended", () => {
  it.effect("cannot be read where its refusal is told, without the patch", () =>
    Effect.gen(function*() {
      assert.isUndefined((yield* readEnd).refused, removable("RefusedCertificate"))
    }))

  it.effect("is read before it is judged", () =>
    Effect.gen(function*() {
      assert.match(String((yield* readEnd).before), /GMT$/)
    }))
})
