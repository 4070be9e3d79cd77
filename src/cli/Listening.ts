import { Effect, Schema } from "effect"
import { createServer } from "node:net"
import { serverSettings } from "../platform/http/ServerSettings.ts"
import { roleSettings } from "../platform/processes/RoleSettings.ts"

/** The address cannot be listened on: one line that names `PORT` or `HOST`. */
export class ListenError extends Schema.TaggedError<ListenError>()("ListenError", { message: Schema.String }) {}

/** The reason why a server cannot listen there, for people. */
export const listenError = (host: string, port: number, cause: unknown): ListenError => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "UNKNOWN"
  const reasons: Record<string, string> = {
    EADDRINUSE: `PORT: another process uses ${port} on ${host}`,
    EACCES: `PORT: ${port} needs rights that this process does not have`
  }
  return new ListenError({ message: reasons[code] ?? `HOST: cannot listen on ${host} (${code})` })
}

const listenOnce = (host: string, port: number) =>
  Effect.callback<void, ListenError>((resume) => {
    const server = createServer((socket) => socket.destroy())
    server.once("error", (cause) => resume(Effect.fail(listenError(host, port, cause))))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resume(Effect.void)))
    return Effect.sync(() => server.close())
  })

/**
 * Fails if the service could not listen: it listens for a moment, before any service is built. Another program may
 * still take the port before the service, which then fails with the same words. Not for a process of a supervisor,
 * whose other processes listen.
 */
export const checkListening = Effect.gen(function*() {
  if ((yield* roleSettings.ROLE.read) === "worker") return
  yield* listenOnce(yield* serverSettings.HOST.read, yield* serverSettings.PORT.read)
})
