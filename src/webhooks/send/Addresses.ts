import { Context, Duration, Effect, Layer, Option, type Result, Schema } from "effect"
import { Dns, IpNetwork, type NetAddress } from "effect/net"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"
import { isAllowed, judgeUrl, literalOf, nameOf, urlNotPublic, type UrlRefusal } from "./AddressRules.ts"
import { addressSettings } from "./AddressSettings.ts"
import { resolverLayer } from "./Resolver.ts"

/** A name or a literal leads to an address that webhooks may not reach. */
export class AddressNotAllowed extends Schema.TaggedError<AddressNotAllowed>()("AddressNotAllowed", {}) {}

/** A name has no usable address: it has no address, or more than 32, or no answer came within 5 s. */
export class DnsFailure extends Schema.TaggedError<DnsFailure>()("DnsFailure", {}) {}

/** Why registration refuses a name that may not be connected to. */
const refusals = { AddressNotAllowed: "private", DnsFailure: "unresolved" } as const

type Vetted = ReadonlyArray<NetAddress.IpAddress>

/** More addresses than this are an attack. */
const mostAnswers = 32

/** The time that the DNS has to answer: a person who registers a URL waits for it, and it is a third of an attempt. */
const answerTime = Duration.seconds(5)

/** URLs that are remembered at most: a few for each endpoint that a process is at work on. */
const knownUrls = 2000

/** The address rules as this process runs with them (contract, Address rules). */
export class Addresses extends Context.Service<Addresses, {
  /**
   * For registration and update: the `href` to store. Its text and the current DNS must lead to the public internet.
   * Takes 5 s at most.
   */
  judge(raw: string): Effect.Effect<string, UrlRefusal>
  /** The rules that need no resolver, for every attempt. */
  read(raw: string): Result.Result<URL, UrlRefusal>
  /**
   * For every connection: the addresses that a URL's host leads to at this moment, IPv4 first, at least one and all of
   * them allowed. One refused answer refuses all.
   */
  vet(hostname: string): Effect.Effect<Vetted, AddressNotAllowed | DnsFailure>
  /** True if an open connection may be used. The peer's address is checked again before a byte is written. */
  isAllowed(address: NetAddress.IpAddress): boolean
}>()("turma/webhooks/send/Addresses") {
  static readonly layerNoDeps = Layer.effect(
    Addresses,
    Effect.gen(function*() {
      const dns = yield* Dns.Dns
      const { api } = yield* PublicUrls
      const allowedNetworks = Option.getOrElse(yield* addressSettings.WEBHOOK_ALLOWED_NETWORKS.read, () => [])
      const reach = { allowedNetworks, ownOrigins: [api] }
      if (allowedNetworks.length > 0) {
        const networks = allowedNetworks.map(IpNetwork.format).join(", ")
        yield* Effect
          .logWarning(`WEBHOOK_ALLOWED_NETWORKS is set: webhooks reach ${networks}. This is for development and tests only`)
      }

      // Many names have one family only, so a failure for the other one does not matter.
      const answersOf = (name: string, family: "A" | "AAAA"): Effect.Effect<Vetted> =>
        dns.resolve(name, family).pipe(
          Effect.map((records) => records.map(({ address }) => address)),
          Effect.timeout(answerTime),
          Effect.orElseSucceed(() => [])
        )

      const resolve = Effect.fnUntraced(function*(name: string) {
        const families = [answersOf(name, "A"), answersOf(name, "AAAA")]
        const answers = (yield* Effect.all(families, { concurrency: 2 })).flat()
        return answers.length > 0 && answers.length <= mostAnswers ? answers : yield* new DnsFailure({})
      })

      const vet = Effect.fnUntraced(function*(hostname: string) {
        const literal = literalOf(hostname)
        const addresses: Vetted = literal === undefined ? yield* resolve(nameOf(hostname)) : [literal]
        return addresses.every((address) => isAllowed(address, reach)) ? addresses : yield* new AddressNotAllowed({})
      })

      const judge = Effect.fn("Addresses.judge")(function*(raw: string) {
        const { hostname, href } = yield* Effect.fromResult(judgeUrl(raw, reach))
        yield* Effect.mapError(vet(hostname), ({ _tag }) => urlNotPublic(refusals[_tag]))
        return href
      })

      // The same few URLs are read for every attempt, and the answer for one does not change.
      const known = new Map<string, ReturnType<typeof judgeUrl>>()
      const read = (raw: string) => {
        const before = known.get(raw)
        if (before !== undefined) return before
        if (known.size >= knownUrls) known.clear()
        const judged = judgeUrl(raw, reach)
        known.set(raw, judged)
        return judged
      }

      return Addresses.of({
        judge,
        read,
        vet,
        isAllowed: (address) => isAllowed(address, reach)
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([resolverLayer(), PublicUrls.layer]))
}
