import { Duration } from "effect"

/** How long requests in flight may take once the process is told to stop. The others are then answered 503. */
export const drainTime = Duration.seconds(14)

const patience = `up to ${Duration.toSeconds(drainTime)} seconds; another Ctrl-C ends at once`

/** What a process says that stops with so many requests in flight. */
export const stopping = (requests: number): string => {
  if (requests === 0) return "Stopping: no request is in flight"
  return `Stopping: ${requests} ${requests === 1 ? "request" : "requests"} in flight, waiting ${patience}`
}

/** What the supervisor of so many processes says for all of them. */
export const stoppingAll = (size: number): string =>
  `Stopping ${size} processes: requests in flight are waited for ${patience}`
