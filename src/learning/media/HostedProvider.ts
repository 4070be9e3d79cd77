import type { MediaProvider } from "./Media.ts"

/** A provider that hosts videos for the club. */
export type HostedProvider = Exclude<MediaProvider, "storage">

interface Host {
  /** The form of the provider's ids. Only ids of this form get into an address. */
  readonly id: RegExp
  readonly watch: (id: string) => string
}

const guid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

/**
 * Vimeo's id may carry the hash of an unlisted video, `76979871/8272103f6e`. With Panda and Bunny an id is known in its
 * library alone: `vz-1a2b3c4d-5e6/{guid}` and `12345/{guid}`. Mux: the playback id.
 */
const hosts: Readonly<Record<HostedProvider, Host>> = {
  youtube: { id: /^[\w-]{11}$/, watch: (id) => `https://www.youtube.com/watch?v=${id}` },
  vimeo: { id: /^\d{1,20}(?:\/[0-9a-f]{1,40})?$/, watch: (id) => `https://vimeo.com/${id}` },
  panda: {
    id: new RegExp(`^vz-[0-9a-z-]{1,40}/${guid}$`),
    watch: (id) => {
      const [library, video] = id.split("/")
      return `https://player-${library}.tv.pandavideo.com.br/embed/?v=${video}`
    }
  },
  bunny: { id: new RegExp(`^\\d{1,12}/${guid}$`), watch: (id) => `https://iframe.mediadelivery.net/play/${id}` },
  mux: { id: /^[0-9A-Za-z]{1,128}$/, watch: (id) => `https://player.mux.com/${id}` }
}

/** True if the text has the form of the provider's ids. */
export const isExternalId = (provider: HostedProvider, id: string): boolean => hosts[provider].id.test(id)

/** The one page on which the provider shows it. */
export const watchUrl = (provider: HostedProvider, id: string): string => hosts[provider].watch(id)
