import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { Dns, NetAddress } from "effect/net"
import { TestClock } from "effect/testing"
import type { Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import { gzipSync } from "node:zlib"
import type { AttemptError } from "../../../src/webhooks/model/AttemptError.ts"
import { type Answer, startRawReceiver, startReceiver, startTcpReceiver } from "../../harness/Receiver.ts"
import { type Certificate, selfSigned, testCa } from "../../harness/Tls.ts"
import { failed, post, startSender, succeeded } from "./Sending.ts"
import { countDials, countHeads } from "./Wire.ts"

const ca = testCa()
const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

/** The result of one attempt at a receiver that sends these bytes after each request. */
const sendTo = Effect.fnUntraced(function*(say: (socket: TLSSocket, number: number) => void) {
  const receiver = yield* startRawReceiver((socket, number) => socket.on("data", () => say(socket, number)), { ca })
  const sender = yield* startSender({ ca })
  const result = yield* sender.send(post(receiver.url))
  return { receiver, result, sender }
})

const says = (bytes: string) => Effect.map(sendTo((socket) => socket.write(bytes)), ({ result }) => result)

/** The result of one attempt at an HTTPS receiver with this answer. */
const answered = Effect.fnUntraced(function*(answer: Answer) {
  const receiver = yield* startReceiver({ ca, answer })
  const sender = yield* startSender({ ca })
  return yield* sender.send(post(receiver.url))
})

/** Lets seconds pass one by one, and runs `each` in every second, until the attempt ends. Returns the seconds. */
const secondsOf = Effect.fnUntraced(function*<A, E>(attempt: Fiber.Fiber<A, E>, each: () => void = () => {}) {
  let seconds = 0
  while (attempt.pollUnsafe() === undefined && seconds < 60) {
    each()
    yield* TestClock.adjust("1 second")
    seconds++
  }
  return seconds
})

/** The most growth of the process during the work, in MiB. */
const growth = <A, E, R>(sending: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const used = () => {
      const { arrayBuffers, external, heapUsed } = process.memoryUsage()
      return (heapUsed + external + arrayBuffers) / 2 ** 20
    }
    const before = used()
    let most = before
    const timer = setInterval(() => (most = Math.max(most, used())), 1)
    const result = yield* Effect.ensuring(sending, Effect.sync(() => clearInterval(timer)))
    return { result, grown: Math.max(most, used()) - before }
  })

describe("a body", () => {
  it.effect("1: that is a gzip bomb is not unpacked", () =>
    Effect.gen(function*() {
      const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20))
      const receiver = yield* startReceiver({
        ca,
        answer: { status: 200, headers: { "content-encoding": "gzip" }, body: bomb }
      })
      const sender = yield* startSender({ ca })
      const { grown, result } = yield* growth(sender.send(post(receiver.url)))
      assert.deepStrictEqual({ error: result.error, status: result.status_code }, { error: null, status: 200 })
      assert.isAtMost(Buffer.byteLength(result.response_body ?? ""), 2048)
      assert.strictEqual((yield* receiver.next).headers["accept-encoding"], "identity")
      assert.isBelow(grown, 16)
    }))

  it.effect("2: that comes a byte a second is cut at the deadline, and the attempt has succeeded", () =>
    Effect.gen(function*() {
      const heads = yield* countHeads
      const sockets: Array<TLSSocket> = []
      const closed = Promise.withResolvers<void>()
      const receiver = yield* startRawReceiver((socket) => {
        sockets.push(socket)
        socket.once("close", () => closed.resolve())
        socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n"))
      }, { ca })
      const sender = yield* startSender({ ca })
      const attempt = yield* Effect.forkChild(sender.send(post(receiver.url)))
      yield* heads.reached(1)
      assert.strictEqual(yield* secondsOf(attempt, () => sockets[0]?.write("a")), 15)
      const { error, status_code } = yield* Fiber.join(attempt)
      assert.deepStrictEqual({ error, status_code }, { error: null, status_code: 200 })
      yield* Effect.promise(() => closed.promise)
    }))

  it.effect("8: without an end is read for 2 KB, then the connection is gone", () =>
    Effect.gen(function*() {
      const closed = Promise.withResolvers<void>()
      const flood = Buffer.alloc(65_536, "a")
      const { grown, result: { result } } = yield* growth(sendTo((socket) => {
        socket.on("close", () => closed.resolve())
        socket.write("HTTP/1.1 200 OK\r\n\r\n")
        const pour = () => {
          while (!socket.destroyed && socket.write(flood));
        }
        socket.on("drain", pour)
        pour()
      }))
      yield* Effect.promise(() => closed.promise)
      assert.deepStrictEqual(result, { ...succeeded, status_code: 200, response_body: "a".repeat(2048) })
      assert.isBelow(grown, 16)
    }))

  it.effect("8: of 2 KB and not more leaves the connection for the next attempt", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver({ ca, answer: { status: 200, body: "a".repeat(2048) } })
      const sender = yield* startSender({ ca })
      yield* sender.send(post(receiver.url))
      yield* sender.send(post(receiver.url))
      receiver.answerWith({ status: 200, body: "a".repeat(2049) })
      yield* sender.send(post(receiver.url))
      yield* sender.send(post(receiver.url))
      assert.deepStrictEqual(receiver.requests.map(({ connection }) => connection), [1, 1, 1, 2])
    }))

  it.effect.each([
    { name: "NUL bytes", sent: Buffer.from("a\0b\0"), kept: "ab" },
    { name: "only NUL bytes", sent: Buffer.from("\0\0"), kept: null },
    { name: "nothing", sent: Buffer.from(""), kept: null },
    { name: "an unfinished code point", sent: Buffer.from([0x61, 0xe2, 0x82]), kept: "a" },
    { name: "bytes that are no UTF-8", sent: Buffer.from([0x61, 0xff, 0x62]), kept: "a\u00ffb" },
    { name: "a code point over the 2048th byte", sent: Buffer.from(`${"a".repeat(2047)}ç`), kept: "a".repeat(2047) },
    { name: "a character of four bytes over it", sent: Buffer.from(`${"a".repeat(2046)}🎻`), kept: "a".repeat(2046) },
    { name: "2048 bytes that are no UTF-8", sent: Buffer.alloc(2048, 0xff), kept: "\u00ff".repeat(1024) }
  ])("14: with $name is kept readable", ({ kept, sent }) =>
    Effect.gen(function*() {
      const { error, response_body } = yield* answered({ status: 200, body: sent })
      assert.deepStrictEqual({ error, response_body }, { error: null, response_body: kept })
    }))
})

describe("a head", () => {
  it.effect("3: that comes a byte a second is a timeout after 15 s in all", () =>
    Effect.gen(function*() {
      const heard = Promise.withResolvers<TLSSocket>()
      const receiver = yield* startRawReceiver((socket) => void socket.once("data", () => heard.resolve(socket)), {
        ca
      })
      const sender = yield* startSender({ ca })
      const attempt = yield* Effect.forkChild(sender.send(post(receiver.url)))
      const socket = yield* Effect.promise(() => heard.promise)
      const bytes = [..."HTTP/1.1 200 OK\r\nx-slow: a long header that has no end in sight"]
      assert.strictEqual(yield* secondsOf(attempt, () => socket.write(bytes.shift() ?? "a")), 15)
      assert.deepStrictEqual(yield* Fiber.join(attempt), failed("timeout"))
    }))

  it.effect.each([301, 302, 303, 307, 308])("4: of %i is not followed", (status) =>
    Effect.gen(function*() {
      const dials = yield* countDials
      const receiver = yield* startReceiver({ ca })
      for (const location of ["https://169.254.169.254/", receiver.url, "http://127.0.0.1/"]) {
        receiver.answerWith({ status, headers: { location } })
        const sender = yield* startSender({ ca })
        const result = yield* sender.send(post(receiver.url))
        assert.deepStrictEqual(result, { ...failed("redirect"), status_code: status })
      }
      assert.strictEqual(receiver.requests.length, 3)
      assert.strictEqual(dials.count(), 3)
    }))

  it.effect.each(["", "Connection: upgrade\r\nUpgrade: websocket\r\n"])(
    "5: of 101 breaks the protocol (%j)",
    (headers) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* says(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`), failed("protocol"))
      })
  )

  it.effect.each(["100 Continue", "102 Processing", "103 Early Hints"])(
    "6: of 50 000 × %s breaks the protocol",
    (line) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* says(`HTTP/1.1 ${line}\r\n\r\n`.repeat(50_000) + ok), failed("protocol"))
      })
  )

  const interim = {
    "100": "HTTP/1.1 100 Continue\r\n\r\n",
    "100 with headers": "HTTP/1.1 100 Continue\r\nx: a\r\ny: HTTP/1.1 100\r\n\r\n",
    "100 behind an empty line": "\r\nHTTP/1.1 100 \r\n\r\n",
    "102": "HTTP/1.1 102 Processing\r\n\r\n",
    "103": "HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n",
    "199": "HTTP/1.1 199 Whatever\r\n\r\n",
    "100, 102 and 103": ["100 Continue", "102 Processing", "100 Continue", "103 Early Hints"]
      .map((line) => `HTTP/1.1 ${line}\r\n\r\n`).join("")
  }

  it.effect.each(Object.entries(interim))(
    "6: may follow an interim %s, and its status decides",
    ([, hint]) =>
      Effect.gen(function*() {
        const refusal = "HTTP/1.1 503 No\r\nretry-after: 7\r\ncontent-length: 0\r\n\r\n"
        assert.deepStrictEqual(yield* says(hint + ok), { ...succeeded, status_code: 200, response_body: "ok" })
        assert.deepStrictEqual(yield* says(hint + refusal), {
          ...failed("http_status"),
          status_code: 503,
          retry_after: "7"
        })
      })
  )

  it.effect("6: may follow an interim one that comes byte by byte, on a connection of its own and on one that was kept", () =>
    Effect.gen(function*() {
      // One byte in each TLS record, so that the sender reads them one by one.
      const { receiver, result, sender } = yield* sendTo((socket) => {
        for (const byte of interim["100, 102 and 103"] + ok) socket.write(byte)
      })
      assert.deepStrictEqual(result, { ...succeeded, status_code: 200, response_body: "ok" })
      assert.strictEqual((yield* sender.send(post(receiver.url))).response_body, "ok")
      assert.strictEqual(receiver.connections(), 1)
    }))

  it.effect("6: may hold in its body what looks like an interim one", () =>
    Effect.gen(function*() {
      const body = interim["100"]
      const head = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`
      assert.strictEqual((yield* says(interim["100"] + head + body)).response_body, body)
    }))

  it.effect.each([["100", 16], ["103", 16], ["100, 102 and 103", 4]] as const)(
    "6: may follow 16 interim ones and not 17 (%s)",
    ([name, times]) =>
      Effect.gen(function*() {
        const row = interim[name].repeat(times)
        assert.deepStrictEqual((yield* says(row + ok)).response_body, "ok")
        assert.deepStrictEqual(yield* says(row + interim["103"] + ok), failed("protocol"))
      })
  )

  it.effect("6: of an endless row of interim ones ends at once, in bounded memory", () =>
    Effect.gen(function*() {
      const row = Buffer.from(interim["100"].repeat(4096))
      const { grown, result: { result } } = yield* growth(sendTo((socket) => {
        const pour = () => {
          while (!socket.destroyed && socket.write(row));
        }
        socket.on("drain", pour)
        pour()
      }))
      assert.deepStrictEqual(result, failed("protocol"))
      assert.isBelow(grown, 16)
    }))

  it.effect("6: of interim ones that come a second apart is a timeout after 15 s in all", () =>
    Effect.gen(function*() {
      const heard = Promise.withResolvers<TLSSocket>()
      const receiver = yield* startRawReceiver((socket) => void socket.once("data", () => heard.resolve(socket)), {
        ca
      })
      const sender = yield* startSender({ ca })
      const attempt = yield* Effect.forkChild(sender.send(post(receiver.url)))
      const socket = yield* Effect.promise(() => heard.promise)
      assert.strictEqual(yield* secondsOf(attempt, () => void socket.write(interim["100"])), 15)
      assert.deepStrictEqual(yield* Fiber.join(attempt), failed("timeout"))
    }))

  it.effect("7: of 20 KB breaks the protocol, one of 15 KB does not", () =>
    Effect.gen(function*() {
      const headed = (size: number) => `HTTP/1.1 200 OK\r\nx: ${"a".repeat(size)}\r\ncontent-length: 2\r\n\r\nok`
      assert.deepStrictEqual(yield* says(headed(20 * 1024)), failed("protocol"))
      assert.deepStrictEqual((yield* says(headed(15 * 1024))).response_body, "ok")
    }))

  it.effect("7: of many small headers breaks the protocol too", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* says(`HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(10_000)}\r\n`), failed("protocol"))
    }))

  it.effect.each(["SSH-2.0-OpenSSH_9.9\r\n", "HTTP/1.1 099 No\r\n\r\n", "HTTP/1.1 200 OK\r\nbad header\r\n\r\n"])(
    "that is none breaks the protocol: %j",
    (bytes) => Effect.map(says(bytes), (result) => assert.deepStrictEqual(result, failed("protocol")))
  )

  it.effect("of success stays one when the body breaks the protocol", () =>
    Effect.gen(function*() {
      const { error, status_code } = yield* says("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n")
      assert.deepStrictEqual({ error, status_code }, { error: null, status_code: 200 })
    }))

  it.effect("of an answer that nobody asked for is not taken for the next one's", () =>
    Effect.gen(function*() {
      const forged = "HTTP/1.1 204 No Content\r\n\r\n"
      const { receiver, result, sender } = yield* sendTo((socket, number) =>
        socket.write(number === 1 ? ok + forged : "HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n")
      )
      assert.strictEqual(result.status_code, 200)
      assert.strictEqual((yield* sender.send(post(receiver.url))).status_code, 500)
    }))

  const succeeding = [200, 201, 204, 205, 299]
  it.effect.each([...succeeding, 300, 304, 400, 404, 410, 429, 500, 503, 599, 600, 999])(
    "15: of %i",
    (status) =>
      Effect.gen(function*() {
        const { error, status_code } = yield* says(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)
        const expected = succeeding.includes(status) ? null : status < 400 ? "redirect" : "http_status"
        assert.deepStrictEqual({ error, status_code }, { error: expected, status_code: status })
      })
  )
})

describe("Retry-After", () => {
  const values = ["-1", "NaN", "1e9", "120.5", "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 01 Jan 2099 00:00:00 GMT", "7"]

  it.effect.each(values)("13: of %j is handed on as it came, of 429 and 503 only", (value) =>
    Effect.gen(function*() {
      for (const status of [429, 503, 500, 200, 302]) {
        const { retry_after } = yield* answered({ status, headers: { "retry-after": value } })
        assert.strictEqual(retry_after, status === 429 || status === 503 ? value : null)
      }
    }))

  it.effect("13: that comes twice is the first", () =>
    Effect.gen(function*() {
      const twice = "HTTP/1.1 503 No\r\nRetry-After: 5\r\nRetry-After: 900\r\ncontent-length: 0\r\n\r\n"
      assert.strictEqual((yield* says(twice)).retry_after, "5")
      assert.isNull((yield* says("HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n")).retry_after)
    }))
})

describe("TLS", () => {
  const silent = (socket: Socket) => void socket.on("data", () => {})

  it.effect("9: that is never spoken is a timeout, and the connection is closed", () =>
    Effect.gen(function*() {
      const heard = Promise.withResolvers<void>()
      const closed = Promise.withResolvers<void>()
      const receiver = yield* startTcpReceiver((socket) => {
        silent(socket)
        socket.once("data", () => heard.resolve())
        socket.once("close", () => closed.resolve())
      })
      const sender = yield* startSender({ ca })
      const attempt = yield* Effect.forkChild(sender.send(post(receiver.url)))
      yield* Effect.promise(() => heard.promise)
      assert.strictEqual(yield* secondsOf(attempt), 15)
      assert.deepStrictEqual(yield* Fiber.join(attempt), failed("timeout"))
      yield* Effect.promise(() => closed.promise)
    }))

  it.effect("9: that is spoken a byte a second is a timeout", () =>
    Effect.gen(function*() {
      const heard = Promise.withResolvers<Socket>()
      const receiver = yield* startTcpReceiver((socket) => void socket.once("data", () => heard.resolve(socket)))
      const sender = yield* startSender({ ca })
      const attempt = yield* Effect.forkChild(sender.send(post(receiver.url)))
      const socket = yield* Effect.promise(() => heard.promise)
      const bytes = [0x16, 0x03, 0x03, 0x00, 0x7a, 0x02, 0x00, 0x00, 0x76, 0x03, 0x03]
      const second = () => void socket.write(Buffer.from([bytes.shift() ?? 0]))
      assert.strictEqual(yield* secondsOf(attempt, second), 15)
      assert.deepStrictEqual(yield* Fiber.join(attempt), failed("timeout"))
    }))

  const tcp = Effect.fnUntraced(function*(handle: (socket: Socket) => void) {
    const receiver = yield* startTcpReceiver(handle)
    const sender = yield* startSender({ ca })
    return yield* sender.send(post(receiver.url))
  })

  it.effect("10: that ends in an alert is refused", () =>
    Effect.gen(function*() {
      const alert = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28])
      assert.deepStrictEqual(yield* tcp((socket) => void socket.write(alert)), failed("tls"))
    }))

  it.effect("10: that is plain HTTP is refused", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* tcp((socket) => void socket.write(ok)), failed("tls"))
    }))

  const certificates: ReadonlyArray<{ readonly name: string; readonly certificate: Certificate }> = [
    { name: "has expired", certificate: ca.certificate({ validDays: -1 }) },
    { name: "vouches for itself", certificate: selfSigned() },
    { name: "is of an unknown authority", certificate: testCa().certificate() },
    { name: "is for another name", certificate: ca.certificate({ names: ["hooks.example.com"] }) },
    { name: "is for a name and not for the address", certificate: ca.certificate({ names: ["localhost"] }) },
    { name: "is for another address", certificate: ca.certificate({ names: ["127.0.0.2"] }) }
  ]

  it.effect.each(certificates)(
    "10: whose certificate $name is refused before a byte is sent",
    ({ certificate }) =>
      Effect.gen(function*() {
        const receiver = yield* startReceiver({ ca, server: certificate })
        const sender = yield* startSender({ ca })
        assert.deepStrictEqual(yield* sender.send(post(receiver.url)), failed("tls"))
        assert.deepStrictEqual(receiver.requests, [])
      })
  )

  it.effect("10: whose certificate is for the address alone is good", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver({ ca, server: ca.certificate({ names: ["127.0.0.1"] }) })
      const sender = yield* startSender({ ca })
      assert.deepStrictEqual(yield* sender.send(post(receiver.url)), succeeded)
    }))

  it.effect("10: is checked even where the environment says not to", () =>
    Effect.gen(function*() {
      yield* Effect.acquireRelease(
        Effect.sync(() => void (process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0")),
        () => Effect.sync(() => void delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"])
      )
      const receiver = yield* startReceiver({ ca, server: selfSigned() })
      const sender = yield* startSender({ ca })
      assert.deepStrictEqual(yield* sender.send(post(receiver.url)), failed("tls"))
    }))

  it.effect.each(["TLSv1", "TLSv1.1"] as const)("10: of %s is refused", (version) =>
    Effect.gen(function*() {
      const server = { minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" } as const
      const receiver = yield* startReceiver({ ca, server })
      const sender = yield* startSender({ ca })
      assert.deepStrictEqual(yield* sender.send(post(receiver.url)), failed("tls"))
    }))

  it.effect("that is broken off is broken TLS, unlike a receiver that cannot be reached", () =>
    Effect.gen(function*() {
      const reset = yield* tcp((socket) => void socket.once("data", () => socket.resetAndDestroy()))
      assert.deepStrictEqual(reset, failed("tls"))
      assert.deepStrictEqual(yield* tcp((socket) => void socket.once("data", () => socket.end())), failed("tls"))
      const receiver = yield* startRawReceiver(() => {}, { ca })
      receiver.refuse()
      const sender = yield* startSender({ ca })
      assert.deepStrictEqual(yield* sender.send(post(receiver.url)), failed("connection"))
    }))
})

describe("a lost connection", () => {
  /** Sends some bytes after the first request, waits until the sender has read this many heads, and breaks off. */
  const losing = Effect.fnUntraced(function*(bytes: string, heads: number, manner: "FIN" | "RST") {
    const counted = yield* countHeads
    const heard = Promise.withResolvers<void>()
    const receiver = yield* startRawReceiver(
      (socket) => void socket.once("data", () => socket.write(bytes, () => heard.resolve())),
      { ca }
    )
    const sender = yield* startSender({ ca })
    const attempt = yield* Effect.forkChild(sender.send(post(receiver.url)))
    yield* Effect.promise(() => heard.promise)
    yield* counted.reached(heads)
    for (const socket of receiver.sockets) {
      if (manner === "RST") socket.resetAndDestroy()
      else socket.destroy()
    }
    const { error, status_code } = yield* Fiber.join(attempt)
    return { error, status_code, connections: receiver.connections() }
  })

  it.effect.each(["FIN", "RST"] as const)(
    "11: before or during the head is a failure, not tried again (%s)",
    (manner) =>
      Effect.gen(function*() {
        const lost = { error: "connection", status_code: null, connections: 1 } as const
        assert.deepStrictEqual(yield* losing("", 0, manner), lost)
        assert.deepStrictEqual(yield* losing("HTTP/1.1 200 OK\r\ncontent-", 0, manner), lost)
      })
  )

  it.effect.each(["FIN", "RST"] as const)(
    "11: after the head of a 2xx is a success, of another status its failure (%s)",
    (manner) =>
      Effect.gen(function*() {
        const head = (status: number) => `HTTP/1.1 ${status} X\r\ncontent-length: 5\r\n\r\nab`
        const won = { error: null, status_code: 200, connections: 1 } as const
        assert.deepStrictEqual(yield* losing(head(200), 1, manner), won)
        const refused = { error: "http_status", status_code: 500, connections: 1 } as const
        assert.deepStrictEqual(yield* losing(head(500), 1, manner), refused)
      })
  )

  it.effect("12: between two requests is not noticed by the second", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver({ ca })
      const sender = yield* startSender({ ca })
      for (let i = 0; i < 5; i++) {
        assert.deepStrictEqual(yield* sender.send(post(receiver.url)), succeeded)
        yield* receiver.dropConnections
      }
      assert.strictEqual(receiver.requests.length, 5)
    }))

  /** A receiver that calls `second` at every request except the first one of each connection. */
  const hangingUp = (second: (socket: TLSSocket) => void) =>
    Effect.gen(function*() {
      const requests: Array<number> = []
      const receiver = yield* startRawReceiver((socket, number) => {
        let count = 0
        socket.on("data", () => {
          requests.push(number)
          if (++count === 1) socket.write(ok)
          else second(socket)
        })
      }, { ca })
      const sender = yield* startSender({ ca })
      const send = Effect.map(sender.send(post(receiver.url)), ({ error }) => error)
      return { results: [yield* send, yield* send], requests }
    })

  it.effect("12: as the second request is written on it is made good by a fresh one", () =>
    Effect.gen(function*() {
      const { requests, results } = yield* hangingUp((socket) => socket.destroy())
      assert.deepStrictEqual(results, [null, null])
      assert.deepStrictEqual(requests, [1, 1, 2])
    }))

  it.effect("12: that had begun to answer the second request is a failure", () =>
    Effect.gen(function*() {
      const { requests, results } = yield* hangingUp((socket) => socket.end("HTTP/1.1 200"))
      assert.deepStrictEqual(results, [null, "connection"])
      assert.deepStrictEqual(requests, [1, 1])
    }))

  it.effect.each(["reset", "untrusted"] as const)(
    "12: is made good once, and what the fresh one meets counts (%s)",
    (fresh) =>
      Effect.gen(function*() {
        let attempts = 0
        const receiver = yield* startRawReceiver((socket) => {
          socket.on("data", () => ++attempts === 1 ? socket.write(ok) : socket.destroy())
        }, { ca })
        const sender = yield* startSender({ ca })
        assert.strictEqual((yield* sender.send(post(receiver.url))).error, null)
        if (fresh === "untrusted") receiver.replaceCertificate(selfSigned())
        const expected: AttemptError = fresh === "reset" ? "connection" : "tls"
        assert.deepStrictEqual(yield* sender.send(post(receiver.url)), failed(expected))
        assert.strictEqual(attempts, fresh === "reset" ? 3 : 2)
      })
  )
})

describe("a name", () => {
  const host = "hooks.example.com"
  const a = (address: string) =>
    Dns.makeRecordUnsafe("A", {
      address: NetAddress.ipv4FromBytesUnsafe(Uint8Array.from(address.split(".").map(Number)))
    })
  type Answers = Effect.Effect<ReadonlyArray<string>, Dns.DnsError>
  const servfail: Answers = Effect
    .fail(new Dns.DnsError({ reason: "ServerFailure", method: "resolve", hostname: host }))

  const dnsOf = (answers: () => Answers) =>
    Layer.succeed(
      Dns.Dns,
      Dns.make({
        lookup: () => Effect.die("Names are asked of the DNS alone"),
        resolve: (_, type) => type === "A" ? Effect.map(answers(), (all) => all.map(a)) : Effect.succeed([])
      })
    )

  it.effect("16: that leads inside on the next connection is refused there", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver({ ca, names: [host], server: ca.certificate({ names: [host] }) })
      receiver.answerWith({ status: 204, headers: { connection: "close" } })
      const answers = [["127.0.0.1"], ["127.0.0.2"]]
      const dns = dnsOf(() => Effect.sync(() => answers.shift() ?? []))
      const sender = yield* startSender({ ca, dns, allowed: "127.0.0.1/32" })
      const dials = yield* countDials
      assert.deepStrictEqual(yield* sender.send(post(`https://${host}:${receiver.port}/`)), succeeded)
      const second = yield* sender.send(post(`https://${host}:${receiver.port}/`))
      assert.deepStrictEqual(second, failed("address_not_allowed"))
      assert.strictEqual(dials.count(), 1)
    }))

  it.effect.each([
    {
      what: "500 answers",
      answers: Effect.succeed(Array.from({ length: 500 }, (_, i) => `127.0.${i >> 8}.${i & 255}`))
    },
    { what: "a server that fails", answers: servfail }
  ])("17: with $what is no name", ({ answers }) =>
    Effect.gen(function*() {
      const sender = yield* startSender({ ca, dns: dnsOf(() => answers) })
      assert.deepStrictEqual(yield* sender.send(post(`https://${host}/`)), failed("dns"))
    }))

  it.effect("17: whose server is silent is none after 5 s, and keeps nobody else waiting", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver({ ca })
      const sender = yield* startSender({ ca, dns: dnsOf(() => Effect.never) })
      const silent = yield* Effect.forkChild(sender.send(post(`https://${host}/`)))
      assert.deepStrictEqual(yield* sender.send(post(receiver.url)), succeeded)
      assert.isUndefined(silent.pollUnsafe())
      assert.strictEqual(yield* secondsOf(silent), 5)
      assert.deepStrictEqual(yield* Fiber.join(silent), failed("dns"))
    }))

  it.effect("17: whose server takes longer than the attempt may is a timeout", () =>
    Effect.gen(function*() {
      const variables = { WEBHOOK_ATTEMPT_TIMEOUT: "3 seconds" }
      const sender = yield* startSender({ ca, dns: dnsOf(() => Effect.never), variables })
      const silent = yield* Effect.forkChild(sender.send(post(`https://${host}/`)))
      assert.strictEqual(yield* secondsOf(silent), 3)
      assert.deepStrictEqual(yield* Fiber.join(silent), failed("timeout"))
    }))
})
