import { Option, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/** An address as a socket or a header writes it, without zone and brackets; IPv4-mapped IPv6 becomes IPv4. */
export const parseAddress = (text: string): Option.Option<NetAddress.IpAddress> => {
  const bare = text.trim().replace(/^\[([^\]]*)\]$/, "$1").replace(/%.*$/s, "")
  return Option.map(Result.getSuccess(NetAddress.ipFromString(bare)), (address) => NetAddress.toCanonical(address))
}

// As proxies write the port of a connection: behind IPv4, or behind brackets.
const port = /^((?:\d{1,3}\.){3}\d{1,3}|\[[^\]]*\]):\d{1,5}$/

/** An address as `X-Forwarded-For` has it, with or without a port, brackets and quotes. */
const parseEntry = (entry: string): Option.Option<NetAddress.IpAddress> =>
  parseAddress(entry.trim().replace(/^"(.*)"$/s, "$1").replace(port, "$1"))

/** The key of the window that a request counts in: an IPv4 address, or the /64 of one IPv6 customer. */
export const addressKey = (address: NetAddress.IpAddress): string =>
  NetAddress.isIpv4Address(address)
    ? NetAddress.formatIp(address)
    : IpNetwork.format(IpNetwork.fromAddressUnsafe(address, 64))

/** The network in which one attacker easily has many addresses: an IPv4 /24 or an IPv6 /48. */
export const networkKey = (address: NetAddress.IpAddress): string =>
  IpNetwork.format(IpNetwork.fromAddressUnsafe(address, NetAddress.isIpv4Address(address) ? 24 : 48))

/**
 * The right-most address that is not one of our proxies. Each proxy appends the address that it saw, so only the client
 * itself claims the entries before the first foreign address. An entry that cannot be read counts as the nearest one to
 * its right that can: anybody may have written the entries before it.
 */
export const forwardedAddress = (
  peer: NetAddress.IpAddress,
  forwardedFor: string | undefined,
  trusted: ReadonlyArray<IpNetwork.IpNetwork>
): NetAddress.IpAddress => {
  const isTrusted = (address: NetAddress.IpAddress) => trusted.some((network) => IpNetwork.contains(network, address))
  let client = peer
  for (const entry of forwardedFor?.split(",").toReversed() ?? []) {
    if (!isTrusted(client)) return client
    const address = parseEntry(entry)
    if (Option.isNone(address)) return client
    client = address.value
  }
  return client
}
