import { Config, Schema } from "effect"
import { type IpNetwork, NetAddress } from "effect/net"
import { optionalSetting } from "../../platform/config/Setting.ts"

// An IPv4-mapped network would let nothing through: a socket to such an address is an IPv4 one.
const Network = Schema.Trim.pipe(Schema.decodeTo(Schema.IpNetworkFromString))
  .check(Schema.makeFilter(({ address }: IpNetwork.IpNetwork) =>
    NetAddress.isIpv4Address(address) || !NetAddress.isIpv4Mapped(address)
  ))

/** Settings that widen the address rules, for development and tests only. The service logs both loudly at start. */
export const addressSettings = {
  WEBHOOK_ALLOWED_NETWORKS: optionalSetting(
    {
      variable: "WEBHOOK_ALLOWED_NETWORKS",
      meaning: "CIDR list of networks that webhooks may reach although they are not public; development only",
      expected: "networks in CIDR notation with no host bits set, separated by commas",
      example: "127.0.0.0/8,::1/128",
      unset: "empty: public addresses only"
    },
    (variable) => Config.Array(Network, variable)
  ),
  WEBHOOK_EXTRA_CA_FILE: optionalSetting(
    {
      variable: "WEBHOOK_EXTRA_CA_FILE",
      meaning: "PEM file of authorities that webhooks trust beside the usual ones; development only",
      expected: "a file of certificates in PEM",
      example: "/etc/turma/ca.pem",
      unset: "empty: the usual ones"
    },
    Config.NonEmptyString
  )
}
