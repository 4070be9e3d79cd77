import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { isAllowed, isPublic, judgeUrl, type Reach } from "../../../src/webhooks/send/AddressRules.ts"
import { vectorLines } from "../../harness/Lines.ts"

const strict: Reach = { allowedNetworks: [], ownOrigins: [new URL("https://turma.example")] }
const judged = (raw: string, reach = strict) =>
  Result.match(judgeUrl(raw, reach), { onFailure: ({ error }) => error.code, onSuccess: ({ href }) => href })
const notHttps = "url_not_https"
const notPublic = "url_not_public"

describe("the address rules", () => {
  it.each(vectorLines("hostile-urls.txt"))("refuse %s", (url) => {
    assert.oneOf(judged(url), [notHttps, notPublic])
  })

  it.each(vectorLines("allowed-urls.txt"))("let %s pass", (url) => {
    assert.strictEqual(judged(url), new URL(url).href)
  })

  it("store what the parser made of the URL, so that nothing is parsed twice", () => {
    assert.strictEqual(
      judged("https:\\\\HOOKS.example。com\\a b?ç".replace(" ", "%20")),
      "https://hooks.example.com/a%20b?%C3%A7"
    )
  })

  it.each([
    "ftp://8.8.8.8/",
    "http://8.8.8.8/",
    "javascript:1",
    "8.8.8.8",
    "",
    "https://",
    "https://[fe80::1%25eth0]/"
  ])(
    "call %j no https URL",
    (url) => assert.strictEqual(judged(url), notHttps)
  )

  it.each(["\t", "\n", "\r", "\0", " ", "\u00a0", "\u3000", "\u2028", "\u0085", "\u007f"])(
    "refuse %j anywhere in what was sent",
    (character) => {
      assert.strictEqual(judged(`https://hooks.example${character}.com/`), notHttps)
      assert.strictEqual(judged(`${character}https://hooks.example.com/`), notHttps)
      assert.strictEqual(judged(`https://hooks.example.com/a${character}`), notHttps)
    }
  )

  it("take 2048 characters and no more", () => {
    const longest = `https://hooks.example.com/${"a".repeat(2048 - 26)}`
    assert.strictEqual(judged(longest), longest)
    assert.strictEqual(judged(`${longest}a`), notHttps)
  })

  it("count the characters that were sent and those that are stored", () => {
    assert.strictEqual(judged(`https://hooks.example.com/${"./".repeat(1100)}`), notHttps)
    assert.strictEqual(judged(`https://hooks.example.com/${"ç".repeat(1000)}`), notHttps)
  })

  it.each([
    "https://user@hooks.example.com/",
    "https://:pass@hooks.example.com/",
    "https://user:pass@hooks.example.com/"
  ])(
    "refuse the credentials of %s",
    (url) => assert.strictEqual(judged(url), notPublic)
  )

  it("refuse port 0", () => assert.strictEqual(judged("https://hooks.example.com:0/"), notPublic))

  it.each([
    "localhost",
    "a.localhost",
    "printer.local",
    "metadata.google.internal",
    "1.0.0.127.in-addr.arpa",
    "a.onion"
  ])(
    "refuse the name %s, with and without its final dot, in any case",
    (name) => {
      for (const host of [name, `${name}.`, name.toUpperCase(), `${name}..`]) {
        assert.strictEqual(judged(`https://${host}/`), notPublic)
      }
    }
  )

  it.each(["backend", "backend.", "com", "a..example.com", ".example.com", "hooks.example.com.."])(
    "refuse %s, which is no name of the public internet",
    (host) => assert.strictEqual(judged(`https://${host}/`), notPublic)
  )

  it.each([
    "hooks.example.com",
    "hooks.example.com.",
    "localhost.example.com",
    "local.example",
    "xn--bcher-kva.example"
  ])(
    "let the name %s pass",
    (host) => assert.strictEqual(judged(`https://${host}/x`), `https://${host}/x`)
  )

  it.each(["https://turma.example/v1", "https://TURMA.example:443/", "https://turma.example./"])(
    "refuse %s, which is our own origin",
    (url) => assert.strictEqual(judged(url), notPublic)
  )

  it("take another port or another name of ours for somebody else's", () => {
    assert.strictEqual(judged("https://turma.example:8443/"), "https://turma.example:8443/")
    assert.strictEqual(judged("https://hooks.turma.example/"), "https://hooks.turma.example/")
  })

  it("refuse our own origin over https where it is known as http", () => {
    const ownOrigins = [new URL("http://turma.example"), new URL("http://127.0.0.1:3000")]
    const allowedNetworks = [IpNetwork.fromStringUnsafe("127.0.0.0/8")]
    assert.strictEqual(judged("https://turma.example/", { allowedNetworks, ownOrigins }), notPublic)
    assert.strictEqual(judged("https://127.0.0.1:3000/", { allowedNetworks, ownOrigins }), notPublic)
  })

  it("let literals of the allowed networks pass, and neither names nor http", () => {
    const reach = { ...strict, allowedNetworks: ["127.0.0.0/8", "::1/128"].map(IpNetwork.fromStringUnsafe) }
    assert.strictEqual(judged("https://127.1:8443/", reach), "https://127.0.0.1:8443/")
    assert.strictEqual(judged("https://[::1]/", reach), "https://[::1]/")
    assert.strictEqual(judged("https://localhost/", reach), notPublic)
    assert.strictEqual(judged("https://10.0.0.1/", reach), notPublic)
    assert.strictEqual(judged("https://[::ffff:127.0.0.1]/", reach), notPublic)
    assert.strictEqual(judged("http://127.0.0.1/", reach), notHttps)
  })
})

const Octet = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
// Most addresses are public. Ranges of other addresses begin at these first bytes and groups.
const Telling = Schema.Literals([0, 2, 10, 18, 31, 51, 52, 64, 88, 99, 100, 113, 127, 128, 168, 169, 172, 175])
const Edge = Schema.Literals([191, 192, 193, 196, 198, 203, 223, 224, 239, 240, 254, 255])
const Byte = Schema.Union([Telling, Edge, Octet])
const Segment = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff }))
const Head = Schema.Union([
  Schema.Literals([
    0,
    0x64,
    0x100,
    0x1fff,
    0x2000,
    0x2001,
    0x2002,
    0x2003,
    0x3ffe,
    0x3fff,
    0x4000,
    0x5f00,
    0xfc00,
    0xfe80
  ]),
  Segment
])
const Second = Schema.Union([Schema.Literals([0, 0x1ff, 0x200, 0xdb7, 0xdb8, 0xdb9, 0xfff, 0x1000]), Segment])

/** Follows the registries, bit by bit, without code of src. */
const isPublicIpv4 = ([a, b, c]: ReadonlyArray<number>) => {
  if (a === undefined || b === undefined || c === undefined || a >= 0b1110_0000) return false
  const first24 = (a << 16) | (b << 8) | c
  if ([0xc00000, 0xc00002, 0xc01fc4, 0xc034c1, 0xc05863, 0xc0af30, 0xc63364, 0xcb0071].includes(first24)) return false
  const first16 = (a << 8) | b
  if (first16 === 0xa9fe || first16 === 0xc0a8) return false
  if ((first16 & 0xfffe) === 0xc612 || (first16 & 0xfff0) === 0xac10 || (first16 & 0xffc0) === 0x6440) return false
  return ![0, 10, 127].includes(a)
}
const isPublicIpv6 = ([a, b]: ReadonlyArray<number>) => {
  if (a === undefined || b === undefined || a >> 13 !== 0b001) return false
  if (a === 0x2001) return b >= 0x200 && b !== 0xdb8
  return a !== 0x2002 && !(a === 0x3fff && b >> 12 === 0)
}

const ipv4 = (bytes: ReadonlyArray<number>) => NetAddress.ipFromStringUnsafe(bytes.join("."))
const ipv6 = (groups: ReadonlyArray<number>) =>
  NetAddress.ipFromStringUnsafe(groups.map((group) => group.toString(16)).join(":"))
const allowing = (network: string) => ({ allowedNetworks: [IpNetwork.fromStringUnsafe(network)] })

describe("a public address", () => {
  it.prop(
    "is what no IPv4 registry reserves",
    { bytes: Schema.Tuple([Byte, Byte, Byte, Octet]) },
    ({ bytes }) => isPublic(ipv4(bytes)) === isPublicIpv4(bytes),
    { arbitrary: { runs: 5000 } }
  )

  it.prop(
    "is what IPv6 has handed out to the public",
    { groups: Schema.Tuple([Head, Second, Segment, Segment, Segment, Segment, Segment, Segment]) },
    ({ groups }) => isPublic(ipv6(groups)) === isPublicIpv6(groups),
    { arbitrary: { runs: 5000 } }
  )

  it.prop(
    "is never one that holds an IPv4 address in IPv6",
    { bytes: Schema.Tuple([Segment, Segment]) },
    ({ bytes: [high, low] }) =>
      [[0, 0, 0, 0, 0, 0xffff, high, low], [0, 0, 0, 0, 0, 0, high, low], [0x64, 0xff9b, 0, 0, 0, 0, high, low]]
        .concat([[0x2002, high, low, 0, 0, 0, 0, 0], [0x2001, 0, 0, 0, 0, 0, high, low]])
        .every((groups) => !isPublic(ipv6(groups)))
  )

  it.each([
    { first: "0.0.0.0", last: "0.255.255.255", after: "1.0.0.0" },
    { first: "10.0.0.0", last: "10.255.255.255", before: "9.255.255.255", after: "11.0.0.0" },
    { first: "100.64.0.0", last: "100.127.255.255", before: "100.63.255.255", after: "100.128.0.0" },
    { first: "127.0.0.0", last: "127.255.255.255", before: "126.255.255.255", after: "128.0.0.0" },
    { first: "169.254.0.0", last: "169.254.255.255", before: "169.253.255.255", after: "169.255.0.0" },
    { first: "172.16.0.0", last: "172.31.255.255", before: "172.15.255.255", after: "172.32.0.0" },
    { first: "192.0.0.0", last: "192.0.0.255", before: "191.255.255.255", after: "192.0.1.0" },
    { first: "192.0.2.0", last: "192.0.2.255", before: "192.0.1.255", after: "192.0.3.0" },
    { first: "192.31.196.0", last: "192.31.196.255", before: "192.31.195.255", after: "192.31.197.0" },
    { first: "192.52.193.0", last: "192.52.193.255", before: "192.52.192.255", after: "192.52.194.0" },
    { first: "192.88.99.0", last: "192.88.99.255", before: "192.88.98.255", after: "192.88.100.0" },
    { first: "192.168.0.0", last: "192.168.255.255", before: "192.167.255.255", after: "192.169.0.0" },
    { first: "192.175.48.0", last: "192.175.48.255", before: "192.175.47.255", after: "192.175.49.0" },
    { first: "198.18.0.0", last: "198.19.255.255", before: "198.17.255.255", after: "198.20.0.0" },
    { first: "198.51.100.0", last: "198.51.100.255", before: "198.51.99.255", after: "198.51.101.0" },
    { first: "203.0.113.0", last: "203.0.113.255", before: "203.0.112.255", after: "203.0.114.0" },
    { first: "224.0.0.0", last: "255.255.255.255", before: "223.255.255.255" },
    { first: "::", last: "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", after: "2000::" },
    { first: "2001::", last: "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", before: "2000:ffff::", after: "2001:200::" },
    { first: "2001:db8::", last: "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", before: "2001:db7::", after: "2001:db9::" },
    { first: "2002::", last: "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", before: "2001:ffff::", after: "2003::" },
    { first: "3fff::", last: "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", before: "3ffe:ffff::", after: "3fff:1000::" },
    { first: "4000::", last: "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", before: "3fff:ffff::" }
  ])("is none from $first to $last, and is one right beside them", ({ after, before, first, last }) => {
    const judge = (address: string) => isPublic(NetAddress.ipFromStringUnsafe(address))
    assert.deepStrictEqual([first, last].map(judge), [false, false])
    for (const beside of [before, after]) assert.isTrue(beside === undefined || judge(beside))
  })

  it("may be reached, and any other in an allowed network only", () => {
    assert.isTrue(isAllowed(ipv4([8, 8, 8, 8]), { allowedNetworks: [] }))
    assert.isFalse(isAllowed(ipv4([127, 0, 0, 1]), { allowedNetworks: [] }))
    assert.isTrue(isAllowed(ipv4([127, 0, 0, 1]), allowing("127.0.0.0/8")))
    assert.isFalse(isAllowed(ipv4([10, 0, 0, 1]), allowing("127.0.0.0/8")))
  })
})
