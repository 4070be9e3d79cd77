import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { directAnswer, idOf } from "./DirectAnswer.ts"

/** The answer to a request that does not arrive in time. */
export const tooLate = {
  status: 408,
  code: "request_timeout",
  message: "The request took too long to arrive: send it again"
}

/** Connections on which a request is to come, or whose head has come in part. */
export interface Unarrived {
  /** Their number. Close the idle ones first. */
  readonly count: () => number
  /** Answers on all of them that it took too long, and closes them. */
  readonly end: () => void
}

/** Watches the connections of a server that does not listen yet. */
export const watchUnarrived = (server: Server): Unarrived => {
  const all = new Set<Socket>()
  const begin = ({ socket }: IncomingMessage, response: ServerResponse) => {
    all.delete(socket)
    response.once("close", () => {
      if (!socket.destroyed) all.add(socket)
    })
  }
  server.on("connection", (socket: Socket) => {
    all.add(socket)
    socket.once("close", () => all.delete(socket))
  })
  server.on("request", begin)
  server.on("checkContinue", begin)
  const left = () => [...all].filter(({ destroyed }) => !destroyed)
  return {
    count: () => left().length,
    end: () => {
      for (const socket of left()) socket.end(directAnswer({ ...tooLate, id: idOf(undefined) }), () => socket.destroy())
    }
  }
}
