// Videos of providers in a frame. Pure.

/** Providers whose players begin at a second, by the host of the frame. */
const starts: ReadonlyArray<readonly [host: RegExp, at: (url: URL, seconds: number) => void]> = [
  [/^www\.youtube-nocookie\.com$/, (url, seconds) => url.searchParams.set("start", `${seconds}`)],
  [/^player\.vimeo\.com$/, (url, seconds) => (url.hash = `t=${seconds}s`)],
  [/^player-[\w-]+\.tv\.pandavideo\.com(?:\.br)?$/, (url, seconds) => url.searchParams.set("startTime", `${seconds}`)],
  [/^iframe\.mediadelivery\.net$/, (url, seconds) => url.searchParams.set("t", `${seconds}`)],
  [/^player\.mux\.com$/, (url, seconds) => url.searchParams.set("start-time", `${seconds}`)]
]

/** The address of a frame that begins at a second; from the beginning where the provider cannot. */
export const framedAt = (address: string, seconds: number): string => {
  const at = Math.floor(seconds)
  if (at <= 0) return address
  const url = new URL(address)
  starts.find(([host]) => host.test(url.hostname))?.[1](url, at)
  return url.href
}
