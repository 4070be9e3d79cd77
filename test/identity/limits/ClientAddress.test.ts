import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option, Schema } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { clientAddressSettings } from "../../../src/identity/limits/ClientAddress.ts"
import {
  addressKey,
  forwardedAddress,
  networkKey,
  parseAddress
} from "../../../src/identity/limits/forwardedAddress.ts"

const parsed = (text: string) => Option.getOrThrow(parseAddress(text))
const key = (text: string) => addressKey(parsed(text))
const proxies = ["10.0.0.0/8", "fd00::/8"].map(IpNetwork.fromStringUnsafe)
const client = (peer: string, forwardedFor: string | undefined, trusted = proxies) =>
  NetAddress.formatIp(forwardedAddress(parsed(peer), forwardedFor, trusted))

const Octet = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
const Octets = Schema.Tuple([Octet, Octet, Octet, Octet])
const Segment = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff }))
const Half = Schema.Tuple([Segment, Segment, Segment, Segment])
const text = (octets: typeof Octets.Type) => octets.join(".")
const hex = (half: typeof Half.Type) => half.map((segment) => segment.toString(16)).join(":")

describe("ClientAddress", () => {
  it.prop(
    "ignores whatever X-Forwarded-For an untrusted peer sends",
    { header: Schema.String },
    ({ header }) => client("203.0.113.9", header) === "203.0.113.9"
  )

  it.prop(
    "ignores a forged list of addresses too",
    { forged: Schema.Array(Octets) },
    ({ forged }) => client("203.0.113.9", forged.map(text).join(", ")) === "203.0.113.9"
  )

  it.prop(
    "takes what our proxy appended, whatever the client had sent before it",
    { forged: Schema.Array(Schema.Union([Schema.String, Octets])) },
    ({ forged }) => {
      const claims = forged.map((claim) => typeof claim === "string" ? claim : text(claim))
      return client("10.0.0.1", [...claims, "198.51.100.7"].join(", ")) === "198.51.100.7"
    }
  )

  it.prop(
    "walks through as many of our proxies as there are",
    { hops: Schema.Array(Octets) },
    ({ hops }) => {
      const ours = hops.map(([, b, c, d]) => text([10, b, c, d]))
      return client("10.0.0.1", ["198.51.100.7", ...ours].join(",")) === "198.51.100.7"
    }
  )

  it.prop(
    "reads an address with the port of its connection, in brackets and in quotes",
    { octets: Octets, half: Half, port: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 })) },
    ({ half, octets, port }) => {
      const [four, six] = [text(octets), `2001:db8:${hex(half)}:0:1`]
      if (octets[0] === 10) return true
      const read = (entry: string) => client("10.0.0.1", `192.0.2.1, ${entry}, 10.0.0.2:443, [fd00::1]:8443`)
      return [four, `${four}:${port}`, ` "${four}:${port}" `].every((entry) =>
        read(entry) === NetAddress.formatIp(parsed(four))
      ) &&
        [six, `[${six}]`, `[${six}]:${port}`, `"[${six}]:${port}"`].every((entry) =>
          read(entry) === NetAddress.formatIp(parsed(six))
        )
    }
  )

  it.prop(
    "is never what a client claims to the left of an entry that cannot be read",
    {
      claim: Octets,
      odd: Schema.Literals(["", "unknown", "_hidden", "1.2.3.4:", "1.2.3.4:port", "1.2.3:80", "::1]:80", "[1.2.3.4"])
    },
    ({ claim, odd }) => client("10.0.0.1", `${text(claim)}, ${odd}, 10.0.0.2:443`) === "10.0.0.2"
  )

  it("stops at what it cannot read and uses the last address that it could", () => {
    assert.strictEqual(client("10.0.0.1", "198.51.100.7, unknown, 10.0.0.2"), "10.0.0.2")
    assert.strictEqual(client("10.0.0.1", "198.51.100.7, "), "10.0.0.1")
  })

  it("uses the left-most address when all of them are ours", () => {
    assert.strictEqual(client("10.0.0.1", "10.0.0.3, 10.0.0.2"), "10.0.0.3")
  })

  it("uses the peer when a trusted proxy sends no header", () => {
    assert.strictEqual(client("10.0.0.1", undefined), "10.0.0.1")
  })

  it("believes nobody when no proxy is trusted", () => {
    assert.strictEqual(client("127.0.0.1", "198.51.100.7", []), "127.0.0.1")
  })

  it("knows a trusted proxy by its IPv4-mapped address as well", () => {
    assert.strictEqual(client("::ffff:10.0.0.1", "198.51.100.7"), "198.51.100.7")
  })

  it.prop(
    "counts all of an IPv6 /64 under one key",
    { net: Half, one: Half, other: Half },
    ({ net, one, other }) =>
      key(`${hex(net)}:${hex(one)}`) === key(`${hex(net)}:${hex(other)}`) || hex(net) === "0:0:0:0"
  )

  it("tells neighbouring /64 networks apart", () => {
    assert.notStrictEqual(key("2001:db8:0:1::1"), key("2001:db8:0:2::1"))
  })

  it.prop(
    "counts IPv4-mapped IPv6 as IPv4",
    { octets: Octets },
    ({ octets }) => key(`::ffff:${text(octets)}`) === key(text(octets)) && key(text(octets)) === text(octets)
  )

  it("takes an IPv4 /24 and an IPv6 /48 for one network", () => {
    const network = (text: string) => networkKey(parsed(text))
    assert.deepStrictEqual(["198.51.100.7", "::ffff:198.51.100.250"].map(network), Array(2).fill("198.51.100.0/24"))
    assert.deepStrictEqual(["2001:db8:1:2::3", "2001:db8:1:ffff::"].map(network), Array(2).fill("2001:db8:1::/48"))
  })

  it("drops a zone and brackets", () => {
    assert.strictEqual(key("fe80::1%eth0"), "fe80::/64")
    assert.strictEqual(key("[2001:db8::1]"), "2001:db8::/64")
  })

  const read = (TRUSTED_PROXIES: string) =>
    Effect.provide(
      clientAddressSettings.TRUSTED_PROXIES.read,
      ConfigProvider.layer(ConfigProvider.fromUnknown({ TRUSTED_PROXIES }))
    )

  it.effect("reads the trusted networks from a comma-separated list", () =>
    Effect.gen(function*() {
      const networks = Option.getOrThrow(yield* read("10.0.0.0/8, fd00::/8"))
      assert.deepStrictEqual(networks.map(IpNetwork.format), ["10.0.0.0/8", "fd00::/8"])
    }))

  it.effect.each(["10.0.0.0/8,nonsense", "10.0.0.1", "10.0.0.1/8", "10.0.0.0/33", "::ffff:10.0.0.0/104"])(
    "refuses TRUSTED_PROXIES=%s with a line that names the variable",
    (list) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(read(list))
        assert.match(error.message, /^TRUSTED_PROXIES: expected networks in CIDR notation/)
      })
  )
})
