import { Effect, type Scope } from "effect"
import { Client } from "undici"
import type { Contender } from "./Contender.ts"
import type { Request } from "./requests.ts"

/** How many answers of each status have come. */
export type Statuses = ReadonlyMap<number, number>

/** Sends the request over and over on this connection, until it is closed. */
const again = async (client: Client, { headers, method, path }: Request, note: (status: number) => void) => {
  while (!client.closed && !client.destroyed) {
    const { body, statusCode } = await client.request({ method, path, headers })
    await body.dump()
    note(statusCode)
  }
}

/** From now until the scope closes, so many connections send this request, each the next one once it has its answer. */
export const crowd = (
  contender: Contender,
  request: Request,
  connections: number
): Effect.Effect<Statuses, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const statuses = new Map<number, number>()
        const note = (status: number) => void statuses.set(status, (statuses.get(status) ?? 0) + 1)
        const clients = Array.from({ length: connections }, () => new Client(contender.url, { pipelining: 1 }))
        // What is under way when the clients are destroyed fails.
        const done = clients.map((client) => again(client, request, note).catch(() => undefined))
        return { clients, done, statuses }
      }),
      ({ clients, done }) =>
        Effect.promise(async () => {
          await Promise.all(clients.map((client) => client.destroy()))
          await Promise.all(done)
        })
    ),
    ({ statuses }) => statuses
  )
