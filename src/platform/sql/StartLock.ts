import { Effect, Schema, type Scope } from "effect"
import { createHash } from "node:crypto"
import { createServer, type Server } from "node:net"

/** Another process holds what we want at this moment: try again. */
export class Busy extends Schema.TaggedError<Busy>()("Busy", { why: Schema.String }) {}

// A name in no folder. Linux releases it at the moment in which its holder ends, however it ends.
const nameOf = (folder: string) => `\0turma-start-${createHash("sha256").update(folder).digest("hex")}`

const listen = (name: string) =>
  Effect.callback<Server, Busy>((resume) => {
    const server = createServer((socket) => socket.destroy())
    server.once("error", () => resume(Effect.fail(new Busy({ why: "another process is starting it" }))))
    server.listen({ path: name }, () => resume(Effect.succeed(server.unref())))
  })

/**
 * Makes this process, until the scope closes, the only one of this machine that starts the server of a folder. On
 * systems other than Linux it does nothing, and PostgreSQL's own lock file decides.
 */
export const startLock = (folder: string): Effect.Effect<void, Busy, Scope.Scope> =>
  process.platform === "linux"
    ? Effect.asVoid(Effect.acquireRelease(listen(nameOf(folder)), (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
      })))
    : Effect.void
