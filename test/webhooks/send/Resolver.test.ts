import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { Dns, NetAddress } from "effect/net"
import { PublicUrls } from "../../../src/platform/http/ServerSettings.ts"
import { Addresses } from "../../../src/webhooks/send/Addresses.ts"
import { resolverLayer } from "../../../src/webhooks/send/Resolver.ts"
import { startNameServer } from "../../harness/NameServer.ts"

describe("the resolver", () => {
  const zone = {
    "hooks.example.com": { A: [Buffer.from([9, 9, 9, 9])], AAAA: [Buffer.from(`2600${"0".repeat(27)}1`, "hex")] },
    "four.example.com": { A: [Buffer.from([8, 8, 8, 8])] },
    "inside.example.com": { A: [Buffer.from([9, 9, 9, 9]), Buffer.from([10, 0, 0, 1])] },
    "broken.example.com": "SERVFAIL"
  } as const

  const vet = Effect.fnUntraced(function*(hostname: string) {
    const { address, asked } = yield* startNameServer(zone)
    const context = yield* Layer.build(Addresses.layerNoDeps.pipe(
      Layer.provide([resolverLayer([address]), PublicUrls.layer]),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({})))
    ))
    const addresses = Context.get(context, Addresses)
    const said = yield* Effect.match(addresses.vet(hostname), {
      onFailure: ({ _tag }) => _tag,
      onSuccess: (all) => all.map(NetAddress.formatIp)
    })
    return { said, asked }
  })

  it.live("asks the DNS for both families, as a complete name", () =>
    Effect.gen(function*() {
      const { asked, said } = yield* vet("hooks.example.com")
      assert.deepStrictEqual(said, ["9.9.9.9", "2600::1"])
      assert.deepStrictEqual(asked, ["hooks.example.com", "hooks.example.com"])
    }))

  it.live.each([
    { hostname: "four.example.com", expected: ["8.8.8.8"] },
    { hostname: "inside.example.com", expected: "AddressNotAllowed" },
    { hostname: "missing.example.com", expected: "DnsFailure" },
    { hostname: "broken.example.com", expected: "DnsFailure" }
  ])(
    "finds for $hostname: $expected",
    ({ expected, hostname }) => Effect.map(vet(hostname), ({ said }) => assert.deepStrictEqual<unknown>(said, expected))
  )

  it.live("has never heard of the hosts file", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* vet("localhost"), { said: "DnsFailure", asked: ["localhost", "localhost"] })
    }))

  it.live("finds a name while the answer for another one cannot be read", () =>
    Effect.gen(function*() {
      const names = Array.from({ length: 20 }, (_, number) => number)
      const { address } = yield* startNameServer(Object.fromEntries(names.flatMap((number) => [
        [`garbage${number}.example.com`, "garbage"],
        [`four${number}.example.com`, zone["four.example.com"]]
      ])))
      const dns = Context.get(yield* Layer.build(resolverLayer([address])), Dns.Dns)
      const found = yield* Effect.forEach(
        names.flatMap((number) => [`four${number}.example.com`, `garbage${number}.example.com`]),
        (name) => Effect.match(dns.resolve(name, "A"), { onFailure: () => "none", onSuccess: ({ length }) => length }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(found, names.flatMap(() => [1, "none"]))
    }))
})
