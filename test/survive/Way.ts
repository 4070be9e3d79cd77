import { Effect } from "effect"
import { connect, createServer, type Socket } from "node:net"
import { listeningTcp } from "../harness/Listening.ts"

/** The way's treatment of connections and their bytes. */
export type Mood =
  /** Passes everything on. */
  | "open"
  /** Accepts connections and passes nothing on. Both sides notice nothing, as with lost packets. */
  | "silent"
  /** Ends new connections at once. */
  | "closed"

interface Passage {
  readonly client: Socket
  readonly server: Socket
  /** True once it is silent for good: all bytes sent into it get lost. */
  isLost: boolean
  /** True once PostgreSQL has let the client in. */
  isReady: boolean
}

/** The last bytes of each answer of PostgreSQL: ready for the next query. */
const ready = Buffer.from("Z\0\0\0\u0005I", "latin1")

const ignore = () => {}

const sleep = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

/** Passes bytes on in order, each so many milliseconds after it came. */
const handOn = (passage: Passage, to: Socket, late: () => number) => {
  let queue = Promise.resolve()
  return (bytes: Buffer) => {
    const millis = late()
    const due = millis === 0 ? undefined : sleep(millis)
    queue = queue.then(() => due).then(() => {
      if (!passage.isLost && !to.destroyed) to.write(bytes)
    })
  }
}

/**
 * A TCP address in front of a server. It can move to another server, as a virtual address does. The functions act on
 * open connections, new ones or both.
 */
export const startWay = Effect.fnUntraced(function*(target: number) {
  const passages = new Set<Passage>()
  let port = target
  let mood: Mood = "open"
  let late = 0
  let isOpeningLate = false
  let accepted = 0

  const server = createServer((client) => {
    accepted += 1
    client.on("error", ignore)
    if (mood === "closed") return void client.resetAndDestroy()
    const passage: Passage = { client, server: connect(port, "127.0.0.1"), isLost: mood === "silent", isReady: false }
    passages.add(passage)
    const end = () => {
      passages.delete(passage)
      client.destroy()
      passage.server.destroy()
    }
    passage.server.on("error", ignore)
    client.on("data", handOn(passage, passage.server, () => 0))
    passage.server.on("data", handOn(passage, client, () => passage.isReady || isOpeningLate ? late : 0))
    passage.server.on("data", (bytes: Buffer) => void (passage.isReady ||= bytes.subarray(-ready.length).equals(ready)))
    client.on("close", end)
    // A server that dies closes its side. With lost packets the client does not notice that.
    passage.server.on("close", () => {
      if (!passage.isLost) end()
    })
  })
  const own = yield* listeningTcp(server, () => {
    for (const { client, server } of passages) {
      client.destroy()
      server.destroy()
    }
  })
  return {
    port: own,
    /** Number of connections so far. */
    accepted: () => accepted,
    /** Sets the mood for new connections. */
    become: (next: Mood) => Effect.sync(() => void (mood = next)),
    /** Leads new connections to this port. */
    moveTo: (next: number) => Effect.sync(() => void (port = next)),
    /**
     * Delays answers of PostgreSQL by so many milliseconds from now on. Opening a connection takes three answers, which
     * are delayed only `withOpenings`.
     */
    delay: (millis: number, withOpenings = false) =>
      Effect.sync(() => {
        late = millis
        isOpeningLate = withOpenings
      }),
    /** Open connections stay open from now on and carry nothing. */
    lose: Effect.sync(() => {
      for (const passage of passages) passage.isLost = true
    }),
    /** Resets all open connections. */
    cut: Effect.sync(() => {
      for (const { client } of passages) client.resetAndDestroy()
    })
  }
})
