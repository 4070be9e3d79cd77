import type { MediaProvider } from "./Media.ts"

/** A provider that hosts videos for the club. */
export type HostedProvider = Exclude<MediaProvider, "storage">

interface Host {
  /** The form of the provider's ids. Only ids of this form get into an address. */
  readonly id: RegExp
  readonly watch: (id: string) => string
  /** The address for a frame. */
  readonly embed: (id: string) => string
}

const guid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

const pandaPlayer = (id: string) => {
  const [library, video] = id.split("/")
  return `https://player-${library}.tv.pandavideo.com.br/embed/?v=${video}`
}

/**
 * Vimeo's id may carry the hash of an unlisted video, `76979871/8272103f6e`. With Panda and Bunny an id is known in its
 * library alone: `vz-1a2b3c4d-5e6/{guid}` and `12345/{guid}`. Mux: the playback id.
 */
const hosts: Readonly<Record<HostedProvider, Host>> = {
  youtube: {
    id: /^[\w-]{11}$/,
    watch: (id) => `https://www.youtube.com/watch?v=${id}`,
    embed: (id) => `https://www.youtube-nocookie.com/embed/${id}`
  },
  vimeo: {
    id: /^\d{1,20}(?:\/[0-9a-f]{1,40})?$/,
    watch: (id) => `https://vimeo.com/${id}`,
    embed: (id) => {
      const [video, hash] = id.split("/")
      return `https://player.vimeo.com/video/${video}${hash === undefined ? "" : `?h=${hash}`}`
    }
  },
  panda: {
    id: new RegExp(`^vz-[0-9a-z-]{1,40}/${guid}$`),
    watch: pandaPlayer,
    embed: pandaPlayer
  },
  bunny: {
    id: new RegExp(`^\\d{1,12}/${guid}$`),
    watch: (id) => `https://iframe.mediadelivery.net/play/${id}`,
    embed: (id) => `https://iframe.mediadelivery.net/embed/${id}`
  },
  mux: {
    id: /^[0-9A-Za-z]{1,128}$/,
    watch: (id) => `https://player.mux.com/${id}`,
    embed: (id) => `https://player.mux.com/${id}`
  }
}

/** True if the text has the form of the provider's ids. */
export const isExternalId = (provider: HostedProvider, id: string): boolean => hosts[provider].id.test(id)

/** The one page on which the provider shows it. */
export const watchUrl = (provider: HostedProvider, id: string): string => hosts[provider].watch(id)

/** The address at which a frame in a page shows it. */
export const embedUrl = (provider: HostedProvider, id: string): string => hosts[provider].embed(id)

/** The origins of all these addresses, for the directive `frame-src` of a page. A library of Panda has its own host. */
export const frameOrigins: ReadonlyArray<string> = [
  "https://www.youtube-nocookie.com",
  "https://player.vimeo.com",
  "https://*.tv.pandavideo.com.br",
  "https://iframe.mediadelivery.net",
  "https://player.mux.com"
]
