import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { type ClientRequest, request } from "node:http"
import { setImmediate } from "node:timers/promises"

/** An event as it came over the wire. */
export interface WireEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: unknown
}

const fieldOf = (block: string, name: string) =>
  block.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)

/** The events of a stream, without comments and instructions. */
export const eventsIn = (wire: string): ReadonlyArray<WireEvent> =>
  wire.split("\n\n").flatMap((block) => {
    const data = fieldOf(block, "data")
    return data === undefined
      ? []
      : [{ id: fieldOf(block, "id"), event: fieldOf(block, "event") ?? "message", data: JSON.parse(data) }]
  })

/** Follows a stream over a raw connection, until the test closes it or the server ends it. */
export const followPath = Effect.fnUntraced(function*(path: string, token: string, last_event_id?: string) {
  const sql = yield* SqlClient.SqlClient
  const { address } = yield* HttpServer.HttpServer
  if (address._tag === "UnixPathAddress") return yield* Effect.die(new Error("The server listens on no port"))
  const heard = { status: 0, headers: new Map<string, unknown>(), wire: "", ended: false }
  const connection = yield* Effect.acquireRelease(
    Effect.sync((): ClientRequest => {
      const sent = request({
        port: address.port,
        path,
        headers: {
          authorization: `Bearer ${token}`,
          ...(last_event_id === undefined ? {} : { "last-event-id": last_event_id })
        }
      }, (response) => {
        heard.status = response.statusCode ?? 0
        heard.headers = new Map(Object.entries(response.headers))
        response.setEncoding("utf8")
        response.on("data", (text: string) => void (heard.wire += text))
        response.on("end", () => void (heard.ended = true))
        response.on("error", () => void (heard.ended = true))
      })
      sent.on("error", () => void (heard.ended = true))
      sent.end()
      return sent
    }),
    (sent) => Effect.sync(() => sent.destroy())
  )
  // The server checks the answer by its clock, which a test must move. Between two moves the server and the database
  // get a turn. Otherwise the time for the answer would be over before a slow machine has written it.
  const until = Effect.fnUntraced(function*(isExpected: (now: typeof heard) => boolean) {
    while (!isExpected(heard)) {
      yield* TestClock.adjust("150 millis")
      yield* sql`select 1`
      yield* Effect.promise(() => setImmediate())
    }
  })
  return { heard, until, close: Effect.sync(() => connection.destroy()) }
})
