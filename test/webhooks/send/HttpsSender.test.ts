import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Metric, Result } from "effect"
import { Dns, NetAddress } from "effect/net"
import { TestClock } from "effect/testing"
import { writeFileSync } from "node:fs"
import type { TLSSocket } from "node:tls"
import { Addresses } from "../../../src/webhooks/send/Addresses.ts"
import { vectorLines } from "../../harness/Lines.ts"
import { startRawReceiver, startReceiver } from "../../harness/Receiver.ts"
import { caFile, testCa } from "../../harness/Tls.ts"
import { body, failed, namesOf, post, startSender, succeeded } from "./Sending.ts"
import { countDials } from "./Wire.ts"

const a = (address: string) =>
  Dns.makeRecordUnsafe("A", {
    address: NetAddress.ipv4FromBytesUnsafe(Uint8Array.from(address.split(".").map(Number)))
  })

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

describe("a request", () => {
  it.effect("is a POST of the given headers and bytes that asks for no compression", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver()
      const sender = yield* startSender({ ca: receiver.ca })
      assert.deepStrictEqual(yield* sender.send(post(`${receiver.url}hooks/a%20b?x=1#part`)), succeeded)
      const { body: received, headers, method, path } = yield* receiver.next
      assert.deepStrictEqual({ method, path }, { method: "POST", path: "/hooks/a%20b?x=1" })
      assert.deepStrictEqual(headers, {
        "accept-encoding": "identity",
        connection: "keep-alive",
        "content-length": String(body.length),
        "content-type": "application/json",
        host: `127.0.0.1:${receiver.port}`,
        "user-agent": "turma-webhooks/1",
        "webhook-id": "a"
      })
      assert.deepStrictEqual(new Uint8Array(received), body)
    }))

  it.effect("goes to the addresses of a name, under that name", () =>
    Effect.gen(function*() {
      const seen: Array<unknown> = []
      const ca = testCa()
      const receiver = yield* startRawReceiver((socket) => {
        seen.push({ servername: socket.servername, protocol: socket.alpnProtocol })
        socket.on("data", () => socket.write(ok))
      }, { ca, server: { ...ca.certificate({ names: ["hooks.example.com"] }), ALPNProtocols: ["h2", "http/1.1"] } })
      const dns = namesOf({ "hooks.example.com": [a("127.0.0.1")] })
      const sender = yield* startSender({ ca, dns })
      for (const host of ["hooks.example.com", "hooks.example.com."]) {
        const { error, response_body } = yield* sender.send(post(`https://${host}:${receiver.port}/`))
        assert.deepStrictEqual({ error, response_body }, { error: null, response_body: "ok" })
      }
      const expected = { servername: "hooks.example.com", protocol: "http/1.1" }
      assert.deepStrictEqual(seen, [expected, expected])
    }))

  it.effect("goes to the next address a quarter of a second after one that does not answer", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver({ names: ["hooks.example.com"] })
      const dns = namesOf({ "hooks.example.com": [a("127.0.0.2"), a("127.0.0.3"), a("127.0.0.1")] })
      const sender = yield* startSender({ ca: receiver.ca, dns })
      const dials = yield* countDials
      const sending = yield* Effect.forkChild(sender.send(post(`https://hooks.example.com:${receiver.port}/`)))
      yield* dials.reached(1)
      yield* TestClock.adjust("250 millis")
      yield* dials.reached(2)
      assert.strictEqual(dials.count(), 2)
      yield* TestClock.adjust("250 millis")
      assert.deepStrictEqual(yield* Fiber.join(sending), succeeded)
    }))

  it.effect("fails where nobody listens", () =>
    Effect.gen(function*() {
      const { port } = yield* Effect.scoped(startReceiver())
      const sender = yield* startSender()
      assert.deepStrictEqual(yield* sender.send(post(`https://127.0.0.1:${port}/`)), failed("connection"))
    }))

  it.effect("closes its connection when it is interrupted", () =>
    Effect.gen(function*() {
      const heard = Promise.withResolvers<TLSSocket>()
      const receiver = yield* startRawReceiver((socket) => void socket.once("data", () => heard.resolve(socket)))
      const sender = yield* startSender({ ca: receiver.ca })
      const sending = yield* Effect.forkChild(sender.send(post(receiver.url)))
      const socket = yield* Effect.promise(() => heard.promise)
      const closed = Effect.callback<void>((resume) => void socket.once("close", () => resume(Effect.void)))
      const closing = yield* Effect.forkChild(closed)
      yield* Fiber.interrupt(sending)
      yield* Fiber.join(closing)
    }))
})

describe("a connection", () => {
  const turns = Effect.gen(function*() {
    const counters = yield* Metric.snapshot
    const countOf = (id: string) =>
      counters.flatMap((metric) =>
        metric.id === id && metric.type === "Counter" ? [Number(metric.state.count)] : []
      )[0] ?? 0
    return {
      opened: countOf("turma_webhook_connections_opened_total"),
      reused: countOf("turma_webhook_connections_reused_total")
    }
  })

  it.effect("carries one request after the other, and is counted", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver({ answer: { status: 200, body: "ok" } })
      const sender = yield* startSender({ ca: receiver.ca })
      const before = yield* turns
      yield* Effect.repeat(sender.send(post(receiver.url)), { times: 4 })
      const after = yield* turns
      assert.deepStrictEqual(receiver.requests.map(({ connection }) => connection), [1, 1, 1, 1, 1])
      assert.strictEqual(after.opened - before.opened, 1)
      assert.strictEqual(after.reused - before.reused, 4)
    }))

  it.effect("carries one request at a time", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver()
      const sender = yield* startSender({ ca: receiver.ca })
      yield* Effect.all(Array.from({ length: 3 }, () => sender.send(post(receiver.url))), { concurrency: 3 })
      assert.sameMembers(receiver.requests.map(({ connection }) => connection), [1, 2, 3])
    }))

  it.effect("is not shared by two ports of a host", () =>
    Effect.gen(function*() {
      const ca = testCa()
      const one = yield* startReceiver({ ca })
      const other = yield* startReceiver({ ca })
      const sender = yield* startSender({ ca })
      yield* sender.send(post(one.url))
      yield* sender.send(post(other.url))
      assert.deepStrictEqual([one.requests.length, other.requests.length], [1, 1])
    }))

  it.effect("is used for a minute, then its address is checked again", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver({ names: ["hooks.example.com"] })
      let address = "127.0.0.1"
      let asked = 0
      const dns = Layer.succeed(
        Dns.Dns,
        Dns.make({
          lookup: () => Effect.die("Names are asked of the DNS alone"),
          resolve: (_, type) => Effect.sync(() => type === "A" && ++asked ? [a(address)] : [])
        })
      )
      const sender = yield* startSender({ ca: receiver.ca, dns, allowed: "127.0.0.1/32" })
      const send = sender.send(post(`https://hooks.example.com:${receiver.port}/`))
      assert.deepStrictEqual(yield* send, succeeded)
      address = "127.0.0.2"
      yield* TestClock.adjust("59999 millis")
      assert.deepStrictEqual(yield* send, succeeded)
      assert.strictEqual(asked, 1)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* send, failed("address_not_allowed"))
      assert.strictEqual(asked, 2)
    }))

  it.effect("resumes the TLS session of an earlier one, for ten minutes", () =>
    Effect.gen(function*() {
      const resumed: Array<boolean> = []
      const receiver = yield* startRawReceiver((socket) => {
        resumed.push(socket.isSessionReused())
        socket.on("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"))
      })
      const sender = yield* startSender({ ca: receiver.ca })
      yield* sender.send(post(receiver.url))
      yield* sender.send(post(receiver.url))
      yield* TestClock.adjust("9 minutes")
      yield* sender.send(post(receiver.url))
      yield* TestClock.adjust("1 minute")
      yield* sender.send(post(receiver.url))
      assert.deepStrictEqual(resumed, [false, true, true, false])
    }))

  it.effect("that was kept and now stays silent is closed at the deadline of its attempt", () =>
    Effect.gen(function*() {
      const heard = Promise.withResolvers<void>()
      const closed = Promise.withResolvers<void>()
      let requests = 0
      const receiver = yield* startRawReceiver((socket) => {
        socket.on("close", () => closed.resolve())
        socket.on("data", () => ++requests === 1 ? socket.write(ok) : heard.resolve())
      })
      const sender = yield* startSender({ ca: receiver.ca })
      yield* sender.send(post(receiver.url))
      const sending = yield* Effect.forkChild(sender.send(post(receiver.url)))
      yield* Effect.promise(() => heard.promise)
      yield* TestClock.adjust("14999 millis")
      assert.isUndefined(sending.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* Fiber.join(sending), failed("timeout"))
      yield* Effect.promise(() => closed.promise)
    }))

  it.effect("that is left over is closed with the sender", () =>
    Effect.gen(function*() {
      const closed = Promise.withResolvers<void>()
      const receiver = yield* startRawReceiver((socket) => {
        socket.on("close", () => closed.resolve())
        socket.on("data", () => socket.write(ok))
      })
      yield* Effect.scoped(Effect.flatMap(startSender({ ca: receiver.ca }), ({ send }) => send(post(receiver.url))))
      yield* Effect.promise(() => closed.promise)
    }))
})

describe("an address that is not allowed", () => {
  it.effect.each([...vectorLines("hostile-urls.txt"), "https://turma.example/"])(
    "gets not even a SYN: %s",
    (url) =>
      Effect.gen(function*() {
        const dials = yield* countDials
        const sender = yield* startSender({ allowed: "" })
        assert.deepStrictEqual(yield* sender.send(post(url)), failed("address_not_allowed"))
        assert.strictEqual(dials.count(), 0)
      })
  )

  it.effect("gets not even a SYN when a name leads there, among good ones", () =>
    Effect.gen(function*() {
      const dials = yield* countDials
      const dns = namesOf({ "hooks.example.com": [a("127.0.0.1"), a("10.0.0.1")] })
      const sender = yield* startSender({ dns })
      assert.deepStrictEqual(yield* sender.send(post("https://hooks.example.com/")), failed("address_not_allowed"))
      assert.strictEqual(dials.count(), 0)
    }))

  it.effect("is noticed of the peer before a byte is written, whatever was vetted", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver()
      const addresses = Layer.mock(Addresses, {
        read: (raw) => Result.succeed(new URL(raw)),
        vet: () => Effect.succeed([NetAddress.ipv4Loopback]),
        isAllowed: () => false
      })
      const sender = yield* startSender({ ca: receiver.ca, addresses })
      assert.deepStrictEqual(yield* sender.send(post(receiver.url)), failed("address_not_allowed"))
      assert.deepStrictEqual({ connections: receiver.connections(), requests: receiver.requests }, {
        connections: 0,
        requests: []
      })
    }))
})

describe("the extra authorities", () => {
  it.effect("are nobody's unless set", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver()
      const sender = yield* startSender()
      assert.deepStrictEqual(yield* sender.send(post(receiver.url)), failed("tls"))
      assert.deepStrictEqual(receiver.requests, [])
    }))

  const refusalOf = (file: string) =>
    startSender({ variables: { WEBHOOK_EXTRA_CA_FILE: file } }).pipe(
      Effect.flip,
      Effect.map((error) => error.message)
    )

  it.effect("must be in a file that can be read", () =>
    Effect.gen(function*() {
      const message = yield* refusalOf("/nowhere/ca.pem")
      assert.match(
        message,
        /^WEBHOOK_EXTRA_CA_FILE: expected a file of certificates in PEM, but \/nowhere\/ca\.pem .*: there is no such file/
      )
    }))

  it.effect("must be certificates", () =>
    Effect.gen(function*() {
      const file = yield* caFile(testCa())
      writeFileSync(file, "-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n")
      assert.match(yield* refusalOf(file), /^WEBHOOK_EXTRA_CA_FILE: /)
    }))
})
