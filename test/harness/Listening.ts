import { Effect } from "effect"
import type { Server } from "node:http"

/** Lets the server listen on a free port of the loopback interface, and ends it with the scope. Answers the port. */
export const listening = Effect.fnUntraced(function*(server: Server) {
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
})
