import { Config, Context, Effect, Layer, Option, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { type IpNetwork, NetAddress } from "effect/net"
import { optionalSetting } from "../../platform/config/Setting.ts"
import { addressKey, forwardedAddress, networkKey, parseAddress } from "./forwardedAddress.ts"

// Addresses are compared as IPv4 where they can be, so a mapped network would never match.
const Network = Schema.Trim.pipe(Schema.decodeTo(Schema.IpNetworkFromString))
  .check(Schema.makeFilter(({ address }: IpNetwork.IpNetwork) =>
    NetAddress.isIpv4Address(address) || !NetAddress.isIpv4Mapped(address)
  ))

/** Which peers are our own proxies. */
export const clientAddressSettings = {
  TRUSTED_PROXIES: optionalSetting(
    {
      variable: "TRUSTED_PROXIES",
      meaning: "CIDR list of proxies whose `X-Forwarded-For` is believed",
      expected: "networks in CIDR notation with no host bits set, separated by commas",
      example: "10.0.0.0/8,fd00::/8",
      unset: "empty: nobody's"
    },
    (variable) => Config.Array(Network, variable)
  )
}

/** The address that a request counts under (http-surface, Conventions). */
export class ClientAddress extends Context.Service<ClientAddress, {
  /** The address itself; `None` if the peer cannot be read. */
  readonly address: Effect.Effect<Option.Option<NetAddress.IpAddress>, never, HttpServerRequest.HttpServerRequest>
  /** The key of the request's window. Requests without a readable peer share the key `unknown`. */
  readonly key: Effect.Effect<string, never, HttpServerRequest.HttpServerRequest>
  /** The key of the request's network; `unknown` as above. */
  readonly network: Effect.Effect<string, never, HttpServerRequest.HttpServerRequest>
}>()("turma/identity/limits/ClientAddress") {
  static readonly layer = Layer.effect(
    ClientAddress,
    Effect.gen(function*() {
      const trusted = Option.getOrElse(yield* clientAddressSettings.TRUSTED_PROXIES.read, () => [])
      const address = Effect.map(
        HttpServerRequest.HttpServerRequest,
        ({ headers, peerAddress }) =>
          Option.map(
            Option.flatMap(peerAddress, parseAddress),
            (peer) => forwardedAddress(peer, headers["x-forwarded-for"], trusted)
          )
      )
      const keyBy = (keyOf: (address: NetAddress.IpAddress) => string) =>
        Effect.map(address, Option.match({ onNone: () => "unknown", onSome: keyOf }))
      return ClientAddress.of({ address, key: keyBy(addressKey), network: keyBy(networkKey) })
    })
  )
}
