import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Fiber, Layer, Logger, Result } from "effect"
import { Dns, NetAddress } from "effect/net"
import { TestClock } from "effect/testing"
import { PublicUrls } from "../../../src/platform/http/ServerSettings.ts"
import { Addresses } from "../../../src/webhooks/send/Addresses.ts"
import { vectorLines } from "../../harness/Lines.ts"

type Answers = Effect.Effect<ReadonlyArray<string>, Dns.DnsError>

const failing = (reason: Dns.DnsErrorReason): Answers =>
  Effect.fail(new Dns.DnsError({ reason, method: "resolve", hostname: "hooks.example.com" }))

const record = (address: NetAddress.IpAddress) =>
  NetAddress.isIpv4Address(address) ? Dns.makeRecordUnsafe("A", { address }) : Dns.makeRecordUnsafe("AAAA", { address })

/** A resolver with these answers to the two questions. It counts the questions. */
const resolver = ({ A, AAAA }: { readonly A: Answers; readonly AAAA: Answers }) => {
  const asked: Array<string> = []
  const layer = Layer.succeed(
    Dns.Dns,
    Dns.make({
      lookup: () => Effect.die("Names are asked of the DNS alone"),
      resolve: (name, type) => {
        asked.push(`${name} ${type}`)
        const answers = type === "A" ? A : AAAA
        return Effect.map(answers, (all) => all.map((address) => record(NetAddress.ipFromStringUnsafe(address))))
      }
    })
  )
  return { asked, layer }
}

const some = (...answers: ReadonlyArray<string>): Answers => Effect.succeed(answers)
const none = failing("NotFound")

const addressesWith = (dns: Layer.Layer<Dns.Dns>, variables: Record<string, string> = {}) =>
  Addresses.layerNoDeps.pipe(
    Layer.provide([dns, PublicUrls.layer]),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(variables))),
    Layer.build,
    Effect.map((context) => Context.get(context, Addresses))
  )

const name = "hooks.example.com"
const url = `https://${name}/x`
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `9.9.${i >> 8}.${i & 255}`)

/** The code that registration answers for the URL, and the addresses that a connection to its name gets. */
const saidTo = Effect.fnUntraced(function*(A: Answers, AAAA: Answers, variables?: Record<string, string>) {
  const addresses = yield* addressesWith(resolver({ A, AAAA }).layer, variables)
  const judged = Effect.match(addresses.judge(url), {
    onFailure: ({ error }) => error.code,
    onSuccess: (href) => href
  })
  const vetted = Effect.match(addresses.vet(name), {
    onFailure: ({ _tag }) => _tag,
    onSuccess: (all) => all.map(NetAddress.formatIp)
  })
  return { judged: yield* judged, vetted: yield* vetted }
})

const refused = { judged: "url_not_public", vetted: "AddressNotAllowed" } as const
const unknown = { judged: "url_not_public", vetted: "DnsFailure" } as const

describe("a name", () => {
  it.effect("is good when all its addresses are, of both families", () =>
    Effect.gen(function*() {
      const said = yield* saidTo(some("9.9.9.9", "8.8.8.8"), some("2606:4700:4700::1111"))
      assert.deepStrictEqual(said, { judged: url, vetted: ["9.9.9.9", "8.8.8.8", "2606:4700:4700::1111"] })
    }))

  it.effect.each([none, failing("ServerFailure"), failing("Timeout")])(
    "needs one family only",
    (other) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* saidTo(some("9.9.9.9"), other), { judged: url, vetted: ["9.9.9.9"] })
        assert.deepStrictEqual(yield* saidTo(other, some("2600::1")), { judged: url, vetted: ["2600::1"] })
      })
  )

  it.effect("is refused for one refused address among good ones", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* saidTo(some("9.9.9.9", "10.0.0.1"), none), refused)
      assert.deepStrictEqual(yield* saidTo(some("9.9.9.9"), some("2600::1", "::1")), refused)
      assert.deepStrictEqual(yield* saidTo(some("9.9.9.9"), some("::ffff:9.9.9.9")), refused)
    }))

  it.effect.each([none, failing("ServerFailure"), failing("Refused"), failing("Timeout")])(
    "leads nowhere when no family has an answer",
    (both) => Effect.map(saidTo(both, both), (said) => assert.deepStrictEqual(said, unknown))
  )

  it.effect("may have 32 addresses", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* saidTo(some(...numbered(31)), some("2600::1"))).vetted.length, 32)
    }))

  it.effect.each([32, 500])(
    "leads nowhere with more than 32 addresses, however good",
    (count) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* saidTo(some(...numbered(count)), some("2600::1")), unknown)
      })
  )

  it.effect("may lead into an allowed network", () =>
    Effect.gen(function*() {
      const variables = { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8, ::1/128" }
      const said = yield* saidTo(some("127.0.0.1", "9.9.9.9"), some("::1"), variables)
      assert.deepStrictEqual(said, { judged: url, vetted: ["127.0.0.1", "9.9.9.9", "::1"] })
      assert.deepStrictEqual(yield* saidTo(some("127.0.0.1"), some("::2"), variables), refused)
    }))

  it.effect("is given up after 5 s of silence at registration", () =>
    Effect.gen(function*() {
      const addresses = yield* addressesWith(resolver({ A: Effect.never, AAAA: Effect.never }).layer)
      const judging = yield* Effect.forkChild(Effect.flip(addresses.judge(url)))
      yield* TestClock.adjust("4999 millis")
      assert.isUndefined(judging.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* Fiber.join(judging)).error.code, "url_not_public")
    }))

  it.effect("needs no answer from a family that is silent", () =>
    Effect.gen(function*() {
      const addresses = yield* addressesWith(resolver({ A: some("9.9.9.9"), AAAA: Effect.never }).layer)
      const judging = yield* Effect.forkChild(addresses.judge(url))
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* Fiber.join(judging), url)
    }))

  it.effect("is asked for without its final dot, and again every time", () =>
    Effect.gen(function*() {
      const dns = resolver({ A: some("9.9.9.9"), AAAA: none })
      const addresses = yield* addressesWith(dns.layer)
      yield* addresses.vet(`${name}.`)
      yield* addresses.vet(name)
      assert.deepStrictEqual(dns.asked, [`${name} A`, `${name} AAAA`, `${name} A`, `${name} AAAA`])
    }))
})

describe("registration", () => {
  it.effect.each([...vectorLines("hostile-urls.txt"), "https://turma.example/"])(
    "refuses %s without asking the DNS",
    (hostile) =>
      Effect.gen(function*() {
        const dns = resolver({ A: some("9.9.9.9"), AAAA: none })
        const addresses = yield* addressesWith(dns.layer, { PUBLIC_URL: "https://turma.example" })
        const { error } = yield* Effect.flip(addresses.judge(hostile))
        assert.oneOf(error.code, ["url_not_https", "url_not_public"])
        assert.match(error.message, /^url must /)
        assert.deepStrictEqual(dns.asked, [])
      })
  )

  it.effect.each(vectorLines("allowed-urls.txt"))(
    "takes %s without asking the DNS",
    (allowed) =>
      Effect.gen(function*() {
        const dns = resolver({ A: none, AAAA: none })
        const addresses = yield* addressesWith(dns.layer)
        assert.strictEqual(yield* addresses.judge(allowed), new URL(allowed).href)
        assert.deepStrictEqual(dns.asked, [])
      })
  )

  it.effect("says of a name that leads inside, of one that does not exist and of a bad URL what each is", () =>
    Effect.gen(function*() {
      const sentenceOf = Effect.fnUntraced(function*(A: Answers, raw: string) {
        const variables = { PUBLIC_URL: "https://turma.example" }
        const addresses = yield* addressesWith(resolver({ A, AAAA: none }).layer, variables)
        return (yield* Effect.flip(addresses.judge(raw))).error.message
      })
      const inside = yield* sentenceOf(some("10.1.2.3"), url)
      assert.match(inside, /^url must .*private or reserved network/)
      assert.notInclude(inside, "10.1.2.3")
      // A literal address and a name with this address cause the same sentence.
      assert.strictEqual(yield* sentenceOf(none, "https://10.1.2.3/"), inside)
      assert.match(yield* sentenceOf(none, url), /^url must have a host name that resolves/)
      assert.match(yield* sentenceOf(none, `http://${name}/`), /^url must be an https URL/)
      assert.match(yield* sentenceOf(none, `https://user@${name}/`), /^url must have no user/)
      assert.match(yield* sentenceOf(none, "https://turma.example/"), /^url must lead to another service/)
    }))
})

describe("a literal", () => {
  it.effect("is vetted without asking the DNS", () =>
    Effect.gen(function*() {
      const dns = resolver({ A: none, AAAA: none })
      const addresses = yield* addressesWith(dns.layer, { WEBHOOK_ALLOWED_NETWORKS: "::1/128" })
      assert.deepStrictEqual((yield* addresses.vet("8.8.8.8")).map(NetAddress.formatIp), ["8.8.8.8"])
      assert.deepStrictEqual((yield* addresses.vet("[::1]")).map(NetAddress.formatIp), ["::1"])
      assert.strictEqual((yield* Effect.flip(addresses.vet("127.0.0.1")))._tag, "AddressNotAllowed")
      assert.deepStrictEqual(dns.asked, [])
    }))
})

describe("the allowed networks", () => {
  const warningsOf = Effect.fnUntraced(function*(variables: Record<string, string>) {
    const messages: Array<unknown> = []
    const logger = Logger.make(({ logLevel, message }) => void (logLevel === "Warn" && messages.push(message)))
    const layer = Logger.layer([logger])
    yield* Effect.provide(addressesWith(resolver({ A: none, AAAA: none }).layer, variables), layer)
    return messages.flat().join()
  })

  it.effect("are warned of at start", () =>
    Effect.gen(function*() {
      const warned = yield* warningsOf({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128" })
      assert.include(warned, "WEBHOOK_ALLOWED_NETWORKS is set: webhooks reach 127.0.0.0/8, ::1/128")
    }))

  it.effect("are none unless set, without a word", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* warningsOf({}), "")
    }))

  it.effect("are refused where they could never match", () =>
    Effect.gen(function*() {
      const layer = resolver({ A: none, AAAA: none }).layer
      const started = addressesWith(layer, { WEBHOOK_ALLOWED_NETWORKS: "::ffff:127.0.0.0/104" })
      assert.isTrue(Result.isFailure(yield* Effect.result(started)))
    }))
})
