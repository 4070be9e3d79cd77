import { Effect, Random } from "effect"
import { createServer } from "node:net"

const isFree = (port: number) =>
  Effect.callback<boolean>((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(false)))
    server.listen(port, "127.0.0.1", () => server.close(() => resume(Effect.succeed(true))))
  })

/**
 * A free TCP port of 127.0.0.1, below the ports that systems hand out by themselves. So it stays free for the seconds
 * until a program listens.
 */
export const freeDemoPort = Effect.gen(function*() {
  while (true) {
    const port = yield* Random.nextIntBetween(20_000, 32_768)
    if (yield* isFree(port)) return port
  }
})
