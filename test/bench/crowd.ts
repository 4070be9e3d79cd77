import { Effect, type Scope } from "effect"
import { Client } from "undici"
import type { Contender } from "./Contender.ts"
import type { Request } from "./requests.ts"

/** The count of answers by status. */
export type Statuses = ReadonlyMap<number, number>

/** Sends the request on this connection, and answers the status. */
const ask = (client: Client, { headers, method, path }: Request) =>
  Effect.promise(async (signal) => {
    const { body, statusCode } = await client.request({ method, path, headers, signal })
    await body.dump()
    return statusCode
  })

const connect = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new Client(url, { pipelining: 1 })),
    (client) => Effect.promise(() => client.destroy())
  )

/** This many connections send this request until the scope closes. Each waits for its answer before it sends again. */
export const crowd = Effect.fn("crowd")(function*(
  contender: Contender,
  request: Request,
  connections: number
): Effect.fn.Return<Statuses, never, Scope.Scope> {
  const statuses = new Map<number, number>()
  const note = (status: number) => void statuses.set(status, (statuses.get(status) ?? 0) + 1)
  for (const client of yield* Effect.replicateEffect(connect(contender.url), connections)) {
    yield* Effect.forkScoped(Effect.forever(Effect.tap(ask(client, request), (status) =>
      Effect.sync(() => note(status)))))
  }
  return statuses
})
