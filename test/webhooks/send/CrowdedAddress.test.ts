import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Result, Schema } from "effect"
import { Dns, NetAddress } from "effect/net"
import { TestClock } from "effect/testing"
import { createServer } from "node:net"
import { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { TargetsFull } from "../../../src/webhooks/send/Targets.ts"
import { type Answer, startRawReceiver, startReceiver } from "../../harness/Receiver.ts"
import { testCa } from "../../harness/Tls.ts"
import { body, namesOf, post, startSender } from "./Sending.ts"

const club = (n: number) => ClubId.make(`00000000-0000-7000-8000-${`${n}`.padStart(12, "0")}`)
const loopback = Dns.makeRecordUnsafe("A", { address: NetAddress.ipv4Loopback })
const hosts = ["a.example.com", "b.example.com"]
const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

/** A receiver that answers on the test's command. `open` has one answer for each request, in order. */
const startHolding = Effect.gen(function*() {
  const open: Array<() => void> = []
  const answer = () => {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    open.push(() => resolve({ status: 204 }))
    return promise
  }
  return { ...yield* startReceiver({ names: hosts, answer }), open }
})

describe("An address", () => {
  it.effect("gets no more attempts at once than it may, whatever names lead to it, and each club leaves room for others", () =>
    Effect.gen(function*() {
      const receiver = yield* startHolding
      const dns = namesOf(Object.fromEntries(hosts.map((host) => [host, [loopback]])))
      const sender = yield* startSender({ ca: receiver.ca, dns, variables: { WEBHOOK_TARGET_CONCURRENCY: "2" } })
      const send = (host: number, by: number) =>
        sender.sendWhole({ ...post(`https://${hosts[host]}:${receiver.port}/`), club_id: club(by) })
      const isFull = (host: number, by: number) =>
        Effect.map(Effect.flip(send(host, by)), (full) => full instanceof TargetsFull)
      const first = yield* Effect.forkChild(send(0, 1))
      yield* receiver.next
      assert.isTrue(yield* isFull(1, 1))
      const second = yield* Effect.forkChild(send(1, 2))
      yield* receiver.next
      assert.isTrue(yield* isFull(0, 3))
      for (const answer of receiver.open) answer()
      for (const sending of [first, second]) assert.isNull((yield* Fiber.join(sending)).error)
      // This attempt uses the kept connection, which counts like any other.
      const third = yield* Effect.forkChild(send(0, 1))
      yield* receiver.next
      assert.isTrue(yield* isFull(0, 1))
      receiver.open.at(-1)?.()
      assert.isTrue((yield* Fiber.join(third)).connection_reused)
      assert.lengthOf(receiver.requests, 3)
    }))

  it.effect("has room again however an attempt ended", () =>
    Effect.gen(function*() {
      const receiver = yield* startHolding
      const sender = yield* startSender({ ca: receiver.ca, variables: { WEBHOOK_TARGET_CONCURRENCY: "1" } })
      const send = sender.sendWhole({ ...post(receiver.url), club_id: club(1) })
      const interrupted = yield* Effect.forkChild(send)
      yield* receiver.next
      yield* Fiber.interrupt(interrupted)
      const late = yield* Effect.forkChild(send)
      yield* receiver.next
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual((yield* Fiber.join(late)).error, "timeout")
      const dropped = yield* Effect.forkChild(send)
      yield* receiver.next
      yield* receiver.dropConnections
      assert.isNotNull((yield* Fiber.join(dropped)).error)
      const last = yield* Effect.forkChild(send)
      yield* receiver.next
      receiver.open.at(-1)?.()
      assert.isNull((yield* Fiber.join(last)).error)
    }))

  it.effect("counts what is sent once more where its name leads by then", () =>
    Effect.gen(function*() {
      const silent = createServer()
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => void silent.listen(0, "127.0.0.2", () => resume(Effect.void))),
        () => Effect.sync(() => silent.close())
      )
      const ca = testCa()
      let requests = 0
      const receiver = yield* startRawReceiver((socket) => {
        socket.on("data", (bytes: Buffer) => {
          if (bytes.at(-1) !== body.at(-1)) return
          requests += 1
          if (requests === 1) socket.write(ok)
          else socket.destroy()
        })
      }, { ca, server: ca.certificate({ names: hosts }) })
      const [host = ""] = hosts
      const leading = (last: 1 | 2) => {
        const record = Dns.makeRecordUnsafe("A", {
          address: NetAddress.ipv4FromBytesUnsafe(Uint8Array.of(127, 0, 0, last))
        })
        return Result.getOrThrow(Dns.makeStatic({ records: { [host]: [record] } }))
      }
      let dns = leading(1)
      const sender = yield* startSender({
        ca: receiver.ca,
        dns: Layer.succeed(Dns.Dns, {
          ...dns,
          get resolve() {
            return dns.resolve
          }
        }),
        variables: { WEBHOOK_TARGET_CONCURRENCY: "1" }
      })
      const send = sender.sendWhole({ ...post(`https://${host}:${receiver.port}/`), club_id: club(1) })
      assert.isNull((yield* send).error)
      const { port } = Schema.decodeUnknownSync(Schema.Struct({ port: Schema.Int }))(silent.address())
      const other = { ...post(`https://127.0.0.2:${port}/`), club_id: club(2) }
      yield* Effect.forkChild(sender.sendWhole(other), { startImmediately: true })
      yield* Effect.callback<void>((resume) => void silent.once("connection", () => resume(Effect.void)))
      dns = leading(2)
      assert.isTrue((yield* Effect.flip(send)) instanceof TargetsFull)
      assert.strictEqual(requests, 2)
    }))

  it.effect("keeps the room of an attempt that is sent once more", () =>
    Effect.gen(function*() {
      const receiver = yield* startRawReceiver((socket) => {
        let requests = 0
        socket.on("data", (bytes: Buffer) => {
          const isWhole = bytes.at(-1) === body.at(-1)
          if (!isWhole) return
          requests += 1
          if (requests === 1) socket.write(ok)
          else socket.destroy()
        })
      })
      const sender = yield* startSender({ ca: receiver.ca, variables: { WEBHOOK_TARGET_CONCURRENCY: "1" } })
      const send = Effect.map(sender.send(post(receiver.url)), ({ error }) => error)
      assert.deepStrictEqual([yield* send, yield* send], [null, null])
      assert.strictEqual(receiver.connections(), 2)
    }))
})
