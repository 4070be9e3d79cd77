import { ApiError } from "../../platform/http/ApiError.ts"
import { embedUrl, type HostedProvider, isExternalId } from "./HostedProvider.ts"

/** No provider shows a video at this address. */
export class VideoAddressUnknown extends ApiError<VideoAddressUnknown>()("VideoAddressUnknown", {
  status: 422,
  code: "video_address_unknown",
  message: {
    en: "url must be the address of a video at YouTube, Vimeo, Panda, Bunny or Mux",
    "pt-BR": "O endereço precisa ser o de um vídeo no YouTube, Vimeo, Panda, Bunny ou Mux."
  }
}) {}

/** A video of a provider, as media records name it. */
export interface HostedVideo {
  readonly provider: HostedProvider
  readonly external_id: string
}

interface Address {
  /** In lower case, without `www.`. */
  readonly host: string
  /** The parts of the path, without empty ones. */
  readonly path: ReadonlyArray<string>
  readonly query: URLSearchParams
}

/** The id that an address of the provider names; null if it names no video. */
type Reading = (address: Address) => string | null

const youtubeHosts = new Set(["youtube.com", "m.youtube.com", "music.youtube.com", "youtube-nocookie.com"])

const youtube: Reading = ({ host, path: [first, second], query }) => {
  if (host === "youtu.be") return first ?? null
  if (!youtubeHosts.has(host)) return null
  if (first === "watch") return query.get("v")
  return first !== undefined && ["embed", "shorts", "live", "v"].includes(first) ? second ?? null : null
}

const vimeoPath =
  /^(?:(?:channels|groups|showcase|album)\/[^/]+\/(?:videos?\/)?|video\/|manage\/videos\/)?(\d+)(?:\/([0-9a-f]{6,40}))?(?:\/|$)/

// The hash of an unlisted video is the next part of the path, or `h`.
const vimeo: Reading = ({ host, path, query }) => {
  if (host !== "vimeo.com" && host !== "player.vimeo.com") return null
  const [, id, hash = query.get("h")] = vimeoPath.exec(path.join("/")) ?? []
  if (id === undefined) return null
  return hash === null ? id : `${id}/${hash}`
}

const panda: Reading = ({ host, path: [first], query }) => {
  const [, library] = /^player-(.+)\.tv\.pandavideo\.com(?:\.br)?$/.exec(host) ?? []
  const video = query.get("v")
  return library === undefined || first !== "embed" || video === null ? null : `${library}/${video.toLowerCase()}`
}

const bunnyHosts = new Set(["iframe.mediadelivery.net", "player.mediadelivery.net", "video.bunnycdn.com"])

const bunny: Reading = ({ host, path: [first, library, video] }) =>
  bunnyHosts.has(host) && (first === "embed" || first === "play") && video !== undefined
    ? `${library}/${video.toLowerCase()}`
    : null

const mux: Reading = ({ host, path: [first] }) =>
  host === "player.mux.com" || host === "stream.mux.com" ? first?.replace(/\.m3u8$/, "") ?? null : null

const readings: Readonly<Record<HostedProvider, Reading>> = { youtube, vimeo, panda, bunny, mux }
const providers = ["youtube", "vimeo", "panda", "bunny", "mux"] as const satisfies ReadonlyArray<HostedProvider>

/** The address in a code for embedding, or the text itself, without the white space around it. */
const addressIn = (text: string) => (/<iframe\b[^>]*?\bsrc\s*=\s*["']([^"']+)["']/i.exec(text)?.[1] ?? text).trim()

const withScheme = (address: string) => /^https?:/i.test(address) ? address : `https://${address.replace(/^\/\//, "")}`

/**
 * The video that a pasted address names: a page of the provider, its player, a short address, or a code for embedding.
 * Null for any other text.
 */
export const hostedVideoAt = (text: string): HostedVideo | null => {
  const url = URL.parse(withScheme(addressIn(text).replaceAll("&amp;", "&")))
  if (url === null) return null
  const address = {
    host: url.hostname.replace(/^www\./, ""),
    path: url.pathname.split("/").filter((part) => part !== ""),
    query: url.searchParams
  }
  for (const provider of providers) {
    const external_id = readings[provider](address)
    if (external_id !== null && isExternalId(provider, external_id)) return { provider, external_id }
  }
  return null
}

/** The address for a frame that shows what is at this page of a provider; null if no provider's video is there. */
export const embedUrlOf = (page: string): string | null => {
  const video = hostedVideoAt(page)
  return video === null ? null : embedUrl(video.provider, video.external_id)
}
