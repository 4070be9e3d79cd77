import { Option } from "effect"
import { NetAddress } from "effect/net"
import { parseAddress } from "../../identity/limits/forwardedAddress.ts"

/** The parts of a request that show its sender. */
interface Asked {
  readonly peer: Option.Option<string>
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Of HTTP: a proxy that says nothing of itself may still speak an old one. */
  readonly version: string
}

/** A name of this machine for itself, as a `Host` header or a URL has it. */
const isOwnName = (host: string) =>
  /^(?:localhost|(?:[\w-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host)

/** True if the service has a name that only this machine uses, or listens on all addresses without a name. */
export const isLocalService = ({ host, hostname }: URL): boolean =>
  isOwnName(host) || hostname === "0.0.0.0" || hostname === "[::]"

/**
 * The address for a browser at this machine: a name of this machine, since no browser can open the address of all
 * addresses.
 */
export const localUrl = (api: URL): URL => {
  const url = new URL(api)
  if (!isOwnName(api.host)) url.hostname = "127.0.0.1"
  return url
}

const isLoopback = (address: NetAddress.IpAddress) => /^127\.|^::1$/.test(NetAddress.formatIp(address))

/** Headers in which a proxy describes the original request. */
const proxied = /^(?:forwarded|via|x-forwarded-.+|x-real-ip|true-client-ip|cf-.+|cdn-loop)$/

/** True if a page of another origin asks, if only by another port of this machine. */
const isFromElsewhere = (headers: Asked["headers"]) =>
  headers["origin"] !== undefined || !["none", "same-origin", undefined].includes(headers["sec-fetch-site"])

/**
 * True if a person at this machine asks, with a browser that uses this machine's own name. A page elsewhere whose name
 * was pointed here sends that name, and a proxy sends its headers.
 */
export const isDeveloper = ({ headers, peer, version }: Asked): boolean =>
  version === "1.1" &&
  Option.exists(Option.flatMap(peer, parseAddress), isLoopback) &&
  isOwnName(headers["host"] ?? "") && !isFromElsewhere(headers) &&
  !Object.keys(headers).some((name) => proxied.test(name))
