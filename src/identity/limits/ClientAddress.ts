import { Config, Context, Effect, Layer, Option, Result, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"
import { optionalSetting } from "../../platform/config/Setting.ts"

// Addresses are compared as IPv4 where they can be, so a mapped network would never match.
const Network = Schema.Trim.pipe(Schema.decodeTo(Schema.IpNetworkFromString)).check(
  Schema.makeFilter(({ address }: IpNetwork.IpNetwork) =>
    NetAddress.isIpv4Address(address) || !NetAddress.isIpv4Mapped(address)
  )
)

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

/** An address as a socket or a header writes it, without zone and brackets; IPv4-mapped IPv6 becomes IPv4. */
export const parseAddress = (text: string): Option.Option<NetAddress.IpAddress> => {
  const bare = text.trim().replace(/^\[([^\]]*)\]$/, "$1").replace(/%.*$/s, "")
  return Option.map(Result.getSuccess(NetAddress.ipFromString(bare)), (address) => NetAddress.toCanonical(address))
}

/** Whose window a request counts in: an IPv4 address, or the /64 that one IPv6 customer holds. */
export const addressKey = (address: NetAddress.IpAddress): string =>
  NetAddress.isIpv4Address(address)
    ? NetAddress.formatIp(address)
    : IpNetwork.format(IpNetwork.fromAddressUnsafe(address, 64))

/** The neighbourhood that one attacker easily has addresses in: an IPv4 /24 or an IPv6 /48. */
export const networkKey = (address: NetAddress.IpAddress): string =>
  IpNetwork.format(IpNetwork.fromAddressUnsafe(address, NetAddress.isIpv4Address(address) ? 24 : 48))

/**
 * The right-most address that none of our proxies vouches for. Each proxy appends
 * what it saw, so everything left of the first stranger is that stranger's claim;
 * what cannot be read ends the walk at the last address that could.
 */
export const clientAddress = (
  peer: NetAddress.IpAddress,
  forwardedFor: string | undefined,
  trusted: ReadonlyArray<IpNetwork.IpNetwork>
): NetAddress.IpAddress => {
  const isTrusted = (address: NetAddress.IpAddress) => trusted.some((network) => IpNetwork.contains(network, address))
  let client = peer
  for (const entry of forwardedFor?.split(",").toReversed() ?? []) {
    if (!isTrusted(client)) return client
    const address = parseAddress(entry)
    if (Option.isNone(address)) return client
    client = address.value
  }
  return client
}

/** The address that a request counts under (http-surface, Conventions). */
export class ClientAddress extends Context.Service<ClientAddress, {
  /** The key of the request's window. Requests without a readable peer share the key `unknown`. */
  readonly key: Effect.Effect<string, never, HttpServerRequest.HttpServerRequest>
  /** The key of the network that it comes from; `unknown` as above. */
  readonly network: Effect.Effect<string, never, HttpServerRequest.HttpServerRequest>
}>()("turma/limits/ClientAddress") {
  static readonly layer = Layer.effect(
    ClientAddress,
    Effect.gen(function*() {
      const trusted = Option.getOrElse(yield* clientAddressSettings.TRUSTED_PROXIES.read, () => [])
      const keyBy = (keyOf: (address: NetAddress.IpAddress) => string) =>
        Effect.map(
          HttpServerRequest.HttpServerRequest,
          ({ headers, peerAddress }) =>
            Option.match(Option.flatMap(peerAddress, parseAddress), {
              onNone: () => "unknown",
              onSome: (peer) => keyOf(clientAddress(peer, headers["x-forwarded-for"], trusted))
            })
        )
      return ClientAddress.of({ key: keyBy(addressKey), network: keyBy(networkKey) })
    })
  )
}
