import { Option } from "effect"
import { NetAddress } from "effect/net"
import { parseAddress } from "../../identity/limits/forwardedAddress.ts"

/** What of a request says who asks. */
interface Asked {
  readonly peer: Option.Option<string>
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Of HTTP: a proxy that says nothing of itself may still speak an old one. */
  readonly version: string
}

/** A name of this machine for itself, as a `Host` header or a URL has it. */
const isOwnName = (host: string) =>
  /^(?:localhost|(?:[\w-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host)

/** Whether the service is known by a name that only this machine uses, or by none: it listens on all addresses. */
export const isLocalService = ({ host, hostname }: URL): boolean =>
  isOwnName(host) || hostname === "0.0.0.0" || hostname === "[::]"

/** Where a browser at this machine asks for it: by a name of this machine, since the address of all addresses is none. */
export const localUrl = (api: URL): URL => {
  const url = new URL(api)
  if (!isOwnName(api.host)) url.hostname = "127.0.0.1"
  return url
}

const isLoopback = (address: NetAddress.IpAddress) => /^127\.|^::1$/.test(NetAddress.formatIp(address))

/** What a proxy in between says of whom it asks for. */
const proxied = /^(?:forwarded|via|x-forwarded-.+|x-real-ip|true-client-ip|cf-.+|cdn-loop)$/

/** Whether a page of another origin asks, if only by another port of this machine. */
const isFromElsewhere = (headers: Asked["headers"]) =>
  headers["origin"] !== undefined || !["none", "same-origin", undefined].includes(headers["sec-fetch-site"])

/**
 * Whether somebody at this machine asks, with a browser that was told this machine's own name. A page elsewhere whose name
 * was made to lead here sends that name, and a proxy says so.
 */
export const isDeveloper = ({ headers, peer, version }: Asked): boolean =>
  version === "1.1" &&
  Option.exists(Option.flatMap(peer, parseAddress), isLoopback) &&
  isOwnName(headers["host"] ?? "") && !isFromElsewhere(headers) &&
  !Object.keys(headers).some((name) => proxied.test(name))
