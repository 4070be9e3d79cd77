import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { Dns, NetAddress } from "effect/net"
import { TestClock } from "effect/testing"
import type { TLSSocket } from "node:tls"
import type { AttemptPhases } from "../../../src/webhooks/model/AttemptPhases.ts"
import { startRawReceiver, startReceiver } from "../../harness/Receiver.ts"
import { body, namesOf, post, startSender } from "./Sending.ts"
import { countDials, countHeads, countRequests } from "./Wire.ts"

// Uses the test clock, so a phase lasts as long as the test moves the clock.

const none: AttemptPhases = {
  lookup_ms: null,
  connect_ms: null,
  tls_ms: null,
  send_ms: null,
  wait_ms: null,
  read_ms: null
}

const loopback = Dns.makeRecordUnsafe("A", { address: NetAddress.ipv4Loopback })

/** Names resolve to the loopback interface, 40 ms after `asked`. */
const slowNames = (asked: () => void) =>
  Layer.succeed(
    Dns.Dns,
    Dns.make({
      lookup: () => Effect.die("Names are asked of the DNS alone"),
      resolve: (_, type) =>
        Effect.suspend(() => {
          asked()
          return type === "A" ? Effect.delay(Effect.succeed([loopback]), "40 millis") : Effect.succeed([])
        })
    })
  )

const names = ["hooks.example.com"]

/** A receiver whose requests the test answers itself. */
const startSilent = Effect.gen(function*() {
  const sockets: Array<TLSSocket> = []
  const receiver = yield* startRawReceiver((socket) => {
    sockets.push(socket)
    socket.on("data", () => undefined)
  })
  return { ...receiver, say: (text: string) => sockets.at(-1)?.write(text) }
})

describe("an attempt", () => {
  it.effect("on a connection of its own is timed from the look-up of the name to the end of the answer", () =>
    Effect.gen(function*() {
      const answers: Array<() => void> = []
      const receiver = yield* startReceiver({
        names,
        answer: () => new Promise((resolve) => answers.push(() => resolve({ status: 204 })))
      })
      const asked = Promise.withResolvers<void>()
      const sender = yield* startSender({ ca: receiver.ca, dns: slowNames(asked.resolve) })
      const timing = yield* Effect.forkChild(sender.time(post(`https://hooks.example.com:${receiver.port}/`)))
      yield* Effect.promise(() => asked.promise)
      yield* TestClock.adjust("40 millis")
      yield* receiver.next
      yield* TestClock.adjust("300 millis")
      answers.shift()?.()
      assert.deepStrictEqual(yield* Fiber.join(timing), {
        phases: { lookup_ms: 40, connect_ms: 0, tls_ms: 0, send_ms: 0, wait_ms: 300, read_ms: 0 },
        connection_reused: false
      })
      const again = yield* Effect.forkChild(sender.time(post(`https://hooks.example.com:${receiver.port}/`)))
      yield* receiver.next
      yield* TestClock.adjust("200 millis")
      answers.shift()?.()
      assert.deepStrictEqual(yield* Fiber.join(again), {
        phases: { ...none, send_ms: 0, wait_ms: 200, read_ms: 0 },
        connection_reused: true
      })
    }))

  it.effect("waits for an answer until that begins, and reads it from then on", () =>
    Effect.gen(function*() {
      const requests = yield* countRequests
      const heads = yield* countHeads
      const receiver = yield* startSilent
      const sender = yield* startSender({ ca: receiver.ca })
      const timing = yield* Effect.forkChild(sender.time(post(receiver.url)))
      yield* requests.reached(1)
      yield* TestClock.adjust("100 millis")
      receiver.say("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n")
      yield* heads.reached(1)
      yield* TestClock.adjust("70 millis")
      receiver.say("ok")
      const { phases } = yield* Fiber.join(timing)
      assert.deepStrictEqual(phases, { ...none, connect_ms: 0, tls_ms: 0, send_ms: 0, wait_ms: 100, read_ms: 70 })
    }))

  it.effect("waits on after an interim answer, until the final one begins", () =>
    Effect.gen(function*() {
      const requests = yield* countRequests
      const heads = yield* countHeads
      const receiver = yield* startSilent
      const sender = yield* startSender({ ca: receiver.ca })
      const timing = yield* Effect.forkChild(sender.time(post(receiver.url)))
      yield* requests.reached(1)
      yield* TestClock.adjust("100 millis")
      receiver.say("HTTP/1.1 100 Continue\r\n\r\n")
      yield* heads.reached(1)
      yield* TestClock.adjust("70 millis")
      receiver.say("HTTP/1.1 204 No Content\r\n\r\n")
      const { phases } = yield* Fiber.join(timing)
      assert.deepStrictEqual(phases, { ...none, connect_ms: 0, tls_ms: 0, send_ms: 0, wait_ms: 170, read_ms: 0 })
    }))

  it.effect("that ends without an answer keeps its phases, the last of them until its deadline", () =>
    Effect.gen(function*() {
      const requests = yield* countRequests
      const receiver = yield* startSilent
      const sender = yield* startSender({ ca: receiver.ca })
      const timing = yield* Effect.forkChild(sender.time(post(receiver.url)))
      yield* requests.reached(1)
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(yield* Fiber.join(timing), {
        phases: { ...none, connect_ms: 0, tls_ms: 0, send_ms: 0, wait_ms: 15_000 },
        connection_reused: false
      })
    }))

  it.effect("sends for as long as the receiver does not take all of the body", () =>
    Effect.gen(function*() {
      const requests = yield* countRequests
      const receiver = yield* startRawReceiver((socket) => void socket.pause())
      const sender = yield* startSender({ ca: receiver.ca })
      const large = { ...post(receiver.url), body: Buffer.alloc(32 * 2 ** 20) }
      const timing = yield* Effect.forkChild(sender.time(large))
      yield* requests.reached(1)
      yield* TestClock.adjust("15 seconds")
      const { phases } = yield* Fiber.join(timing)
      assert.deepStrictEqual(phases, { ...none, connect_ms: 0, tls_ms: 0, send_ms: 15_000 })
    }))

  it.effect("connects for as long as it tries one address after the other", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver({ names })
      const dns = namesOf({
        "hooks.example.com": [
          Dns.makeRecordUnsafe("A", { address: NetAddress.ipv4FromBytesUnsafe(Uint8Array.of(127, 0, 0, 2)) }),
          loopback
        ]
      })
      const dials = yield* countDials
      const sender = yield* startSender({ ca: receiver.ca, dns })
      const timing = yield* Effect.forkChild(sender.time(post(`https://hooks.example.com:${receiver.port}/`)))
      yield* dials.reached(1)
      yield* TestClock.adjust("250 millis")
      const { phases } = yield* Fiber.join(timing)
      assert.deepStrictEqual(phases, { lookup_ms: 0, connect_ms: 250, tls_ms: 0, send_ms: 0, wait_ms: 0, read_ms: 0 })
    }))

  it.effect("that finds no connection says in which phase it ended, and was sent on none", () =>
    Effect.gen(function*() {
      const { port } = yield* Effect.scoped(startReceiver())
      const untrusted = yield* startReceiver()
      const sender = yield* startSender()
      const timed = yield* Effect.forEach(
        ["https://nowhere.example/", `https://127.0.0.1:${port}/`, untrusted.url, "https://10.0.0.1/"],
        (url) => sender.time(post(url))
      )
      assert.deepStrictEqual(timed, [
        { phases: { ...none, lookup_ms: 0 }, connection_reused: null },
        { phases: { ...none, connect_ms: 0 }, connection_reused: null },
        { phases: { ...none, connect_ms: 0, tls_ms: 0 }, connection_reused: null },
        { phases: null, connection_reused: null }
      ])
    }))

  it.effect("that meets a closed connection is timed as the one that it is sent with instead", () =>
    Effect.gen(function*() {
      const receiver = yield* startRawReceiver((socket) => {
        let requests = 0
        socket.on("data", () => {
          if (++requests === 2) socket.destroy()
          else socket.write("HTTP/1.1 204 No Content\r\n\r\n")
        })
      })
      const sender = yield* startSender({ ca: receiver.ca })
      const timed = yield* Effect.forEach([1, 2], () => sender.time(post(receiver.url)))
      const fresh = { ...none, connect_ms: 0, tls_ms: 0, send_ms: 0, wait_ms: 0, read_ms: 0 }
      assert.deepStrictEqual(timed, [
        { phases: fresh, connection_reused: false },
        { phases: fresh, connection_reused: false }
      ])
      assert.strictEqual(receiver.connections(), 2)
    }))

  it.effect("that meets a closed connection and finds no other has been sent all the same, on that one", () =>
    Effect.gen(function*() {
      const receiver = yield* startRawReceiver((socket) => {
        let requests = 0
        socket.on("data", () => {
          if (++requests === 1) return socket.write("HTTP/1.1 204 No Content\r\n\r\n")
          receiver.refuse()
          return socket.destroy()
        })
      })
      const sender = yield* startSender({ ca: receiver.ca })
      const timed = yield* Effect.forEach([1, 2], () => sender.time(post(receiver.url)))
      assert.deepStrictEqual(timed[1], { phases: { ...none, connect_ms: 0 }, connection_reused: true })
    }))

  it.effect("is answered before all of it is written where the receiver cannot wait", () =>
    Effect.gen(function*() {
      const receiver = yield* startRawReceiver((socket) => {
        socket.once("data", () => {
          socket.pause()
          socket.end("HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        })
      })
      const sender = yield* startSender({ ca: receiver.ca })
      const { phases } = yield* sender.time({ ...post(receiver.url), body: Buffer.alloc(32 * 2 ** 20, body) })
      assert.deepStrictEqual(phases, { ...none, connect_ms: 0, tls_ms: 0, send_ms: 0, read_ms: 0 })
    }))
})
