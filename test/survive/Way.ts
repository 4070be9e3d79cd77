import { Effect } from "effect"
import { connect, createServer, type Socket } from "node:net"
import { listeningTcp } from "../harness/Listening.ts"

/** What a way does with what comes to it. */
export type Mood =
  /** Hands everything on. */
  | "open"
  /** Accepts, and hands nothing on: nobody is told, as where packets are lost. */
  | "silent"
  /** Ends what comes at once. */
  | "closed"

interface Passage {
  readonly client: Socket
  readonly server: Socket
  /** Falls silent for good: what is sent into it is lost. */
  isLost: boolean
  /** Whether a PostgreSQL has let its client in. */
  isReady: boolean
}

/** What PostgreSQL ends each answer with: ready for the next query. */
const ready = Buffer.from("Z\0\0\0\u0005I", "latin1")

const ignore = () => {}

const sleep = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

/** Hands bytes on in their order, all of them so many milliseconds after they came. */
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
 * A TCP address that is in front of a server and may be moved to another one, as a virtual address is. What is done there
 * happens to whoever is connected and to whoever comes.
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
    // A server that dies closes its side: where packets are lost, nobody hears of that either.
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
    /** How many connections have come so far. */
    accepted: () => accepted,
    /** How it is from now on for those who come. */
    become: (next: Mood) => Effect.sync(() => void (mood = next)),
    /** Whoever comes from now on is led to this port. */
    moveTo: (next: number) => Effect.sync(() => void (port = next)),
    /**
     * Answers of a PostgreSQL come so many milliseconds late from now on; those to who opens a connection, which takes three
     * of them, only where that is said.
     */
    delay: (millis: number, withOpenings = false) =>
      Effect.sync(() => {
        late = millis
        isOpeningLate = withOpenings
      }),
    /** Those who are connected wait for ever: their connections stay open and carry nothing. */
    lose: Effect.sync(() => {
      for (const passage of passages) passage.isLost = true
    }),
    /** Those who are connected are cut off. */
    cut: Effect.sync(() => {
      for (const { client } of passages) client.resetAndDestroy()
    })
  }
})
