import { Duration } from "effect"

/** How long requests in flight may take after the signal to stop. The others are then answered 503. */
export const shutdownGrace = Duration.seconds(14)

/**
 * How long a request may take whose head has not come by then. It has caused no work yet, so nothing is lost with it.
 */
export const headGrace = Duration.seconds(3)

const many = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`

/**
 * The log line of a process in shutdown, while so many connections have sent a part of a request's head, or nothing at
 * all.
 */
export const waitingForHeads = (connections: number): string =>
  `Stopping: waiting up to ${Duration.toSeconds(headGrace)} seconds for ${
    many(connections, "connection")
  } on which no whole request has come`

const patience = `up to ${Duration.toSeconds(shutdownGrace)} seconds; another Ctrl-C ends at once`

/** The log line of a process in shutdown with so many requests in flight. */
export const stopping = (requests: number): string => {
  if (requests === 0) return "Stopping: no request is in flight"
  return `Stopping: ${many(requests, "request")} in flight, waiting ${patience}`
}

/** The log line of the supervisor of so many processes, for all of them. */
export const stoppingAll = (size: number): string =>
  `Stopping ${size} processes: requests in flight are waited for ${patience}`
