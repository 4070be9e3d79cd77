import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { ApiError, saying } from "../../platform/http/ApiError.ts"

/** The `url` is not an https URL. */
export class UrlNotHttps extends ApiError<UrlNotHttps>()("UrlNotHttps", {
  status: 422,
  code: "url_not_https",
  message: {
    en: "url must be an https URL of at most 2048 characters",
    "pt-BR": "A URL precisa ser https e ter no máximo 2048 caracteres."
  }
}) {}

/** The `url` does not lead to the public internet. Never says which address a name resolved to. */
export class UrlNotPublic extends ApiError<UrlNotPublic>()("UrlNotPublic", {
  status: 422,
  code: "url_not_public",
  message: {
    en: "url must be a URL of the public internet, without a user or a password",
    "pt-BR": "A URL precisa levar à internet pública, sem usuário nem senha."
  }
}) {}

/** Why a URL is not public, in sentences that name the field (http-surface, Rulings: they share one code). */
const notPublic = {
  credentials: {
    en: "url must have no user, no password and no port 0",
    "pt-BR": "A URL não pode ter usuário, senha nem porta 0."
  },
  own: {
    en: "url must lead to another service than this one",
    "pt-BR": "A URL não pode levar a este mesmo serviço."
  },
  private: {
    en:
      "url must be a URL of the public internet: its host belongs to a private or reserved network, or resolves to one",
    "pt-BR": "A URL precisa levar à internet pública: o host é de uma rede privada ou reservada, ou aponta para uma."
  },
  unresolved: {
    en: "url must have a host name that resolves: the DNS has no usable address for it",
    "pt-BR": "O DNS não tem um endereço válido para o host da URL."
  }
}

/** The refusal of a URL for this reason. */
export const urlNotPublic = (reason: keyof typeof notPublic): UrlNotPublic =>
  new UrlNotPublic(saying(notPublic[reason]))

type Networks = ReadonlyArray<IpNetwork.IpNetwork>

const networks = (...list: ReadonlyArray<string>): Networks => list.map(IpNetwork.fromStringUnsafe)

// IANA IPv4 Special-Purpose Address Registry, and multicast. Networks that the registry
// calls reachable (AS112, AMT) are refused too: they have no receivers.
const specialIpv4 = networks(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4"
)

// Everything else is refused by construction: mapped, compatible, NAT64, unique local, link-local, multicast.
const globalIpv6 = IpNetwork.fromStringUnsafe("2000::/3")
// Teredo, ORCHID and other protocol assignments; documentation; 6to4; documentation.
const specialIpv6 = networks("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

const within = (list: Networks, address: NetAddress.IpAddress) =>
  list.some((network) => IpNetwork.contains(network, address))

/** True if an address belongs to the public internet, judged as a number (webhook-engine, Address rules). */
export const isPublic = (address: NetAddress.IpAddress): boolean =>
  NetAddress.isIpv4Address(address)
    ? !within(specialIpv4, address)
    : IpNetwork.contains(globalIpv6, address) && !within(specialIpv6, address)

/** The networks that a process may reach beside the public internet, and its own addresses, which it may not reach. */
export interface Reach {
  /** Let through although they are not public. */
  readonly allowedNetworks: Networks
  /** The origins of the service itself. */
  readonly ownOrigins: ReadonlyArray<URL>
}

/** True if the process may connect to this address. */
export const isAllowed = (address: NetAddress.IpAddress, { allowedNetworks }: Pick<Reach, "allowedNetworks">) =>
  isPublic(address) || within(allowedNetworks, address)

/** Why a URL is refused. Text that is not a URL is not an https URL either. */
export type UrlRefusal = UrlNotHttps | UrlNotPublic

/** The longest URL, in characters, as it is sent and as it is stored. */
export const longestUrl = 2048

// Control characters and white space: `new URL` drops some of them in silence.
const invisible = /[\p{Cc}\p{Z}]/u

const localDomains = new Set(["localhost", "local", "internal", "arpa", "onion"])

/** The address of a URL whose host is not a name. */
export const literalOf = (hostname: string): NetAddress.IpAddress | undefined =>
  Result.getOrUndefined(NetAddress.ipFromString(hostname.replace(/^\[(.*)\]$/, "$1")))

/** A name without its final dot, as certificates and our own lists have it. */
export const nameOf = (hostname: string): string => hostname.replace(/\.$/, "")

const isPublicName = (hostname: string): boolean => {
  const labels = nameOf(hostname).split(".")
  const last = labels.at(-1) ?? ""
  return labels.length > 1 && !labels.includes("") && !localDomains.has(last)
}

// Ports are compared as written, so that http on its port and https on its own are the same place.
const isOwn = ({ hostname, port }: URL, ownOrigins: ReadonlyArray<URL>) =>
  ownOrigins.some((own) => nameOf(own.hostname) === nameOf(hostname) && own.port === port)

/**
 * Judges a URL by what it says, before any name is resolved (webhook-engine, Address rules). Answers the
 * parsed URL, whose `href` is stored; the raw text is never parsed again.
 */
export const judgeUrl = (raw: string, reach: Reach): Result.Result<URL, UrlRefusal> => {
  if (raw.length > longestUrl || invisible.test(raw)) return Result.fail(new UrlNotHttps())
  const url = URL.parse(raw)
  if (url === null || url.protocol !== "https:" || url.href.length > longestUrl) return Result.fail(new UrlNotHttps())
  const { hostname, password, port, username } = url
  if (username !== "" || password !== "" || port === "0") return Result.fail(urlNotPublic("credentials"))
  const literal = literalOf(hostname)
  const reachable = literal === undefined ? isPublicName(hostname) : isAllowed(literal, reach)
  if (!reachable) return Result.fail(urlNotPublic("private"))
  return isOwn(url, reach.ownOrigins) ? Result.fail(urlNotPublic("own")) : Result.succeed(url)
}
