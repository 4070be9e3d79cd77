import { Effect } from "effect"
import type { Server } from "node:http"
import type { Server as TcpServer } from "node:net"

/** Lets a TCP server listen on a free port of the loopback interface; `end` runs with the scope. Answers the port. */
export const listeningTcp = Effect.fnUntraced(function*(server: TcpServer, end: () => void) {
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        end()
      })
  )
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
})

/** Lets the server listen on a free port of the loopback interface, and ends it with the scope. Answers the port. */
export const listening = (server: Server) => listeningTcp(server, () => server.closeAllConnections())
