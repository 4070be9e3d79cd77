import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { Webhook } from "standardwebhooks"
import type { TestCa } from "../harness/Tls.ts"
import { Dice } from "../simulation/Dice.ts"

/** A POST that was received completely. */
export interface Post {
  /** Its `webhook-id`. */
  readonly event: string
  readonly body: string
  readonly path: string
  /** The sender's port. */
  readonly port: number
  /** Epoch milliseconds, as for `answeredAt`. */
  readonly receivedAt: number
  /** The time at which the status went to the network; undefined before. */
  answeredAt: number | undefined
  /** 0 before the answer, and for good if the connection was closed instead. */
  status: number
}

/** Answers the problem with a request, other than its signature; undefined if it is right. */
type Inspect = (headers: Readonly<Record<string, string>>, body: Buffer) => string | undefined

type Mood = "accept" | "linger" | "refuse" | "close" | "stall"

/** The moods of a receiver on a bad day. Now and then a path is out of order, long enough to be held. */
const moods = [[80, "accept"], [6, "linger"], [6, "refuse"], [5, "close"], [1, "stall"]] as const
const outOfOrder = { chance: 0.004, lasts: 1500 }

/** Milliseconds. A stall outlasts the deadline of an attempt. */
const stall = 4000

/** Decides the answer to each POST, by chance until all is well. */
class Moods {
  readonly #dice: Dice
  readonly #brokenUntil = new Map<string, number>()
  allIsWell = false

  constructor(seed: number) {
    this.#dice = new Dice(seed)
  }

  /** The path refuses everything from now on, for so many milliseconds. */
  breakDown(path: string, lasts: number) {
    this.#brokenUntil.set(path, Date.now() + lasts)
  }

  of(path: string, now: number): { readonly mood: Mood; readonly wait: number } {
    if (this.allIsWell) return { mood: "accept", wait: 0 }
    if (now < (this.#brokenUntil.get(path) ?? 0)) return { mood: "refuse", wait: 0 }
    if (this.#dice.chance(outOfOrder.chance)) this.#brokenUntil.set(path, now + outOfOrder.lasts)
    const mood = this.#dice.weighted<Mood>(moods)
    return { mood, wait: mood === "stall" ? stall : mood === "linger" ? this.#dice.between(50, 400) : 0 }
  }
}

const answer = async (post: Post, response: ServerResponse, { mood, wait }: ReturnType<Moods["of"]>) => {
  if (wait > 0) await sleep(wait, undefined, { ref: false })
  if (mood === "close") return void response.socket?.destroy()
  const status = mood === "accept" || mood === "linger" ? 200 : 500
  response.once("finish", () => {
    post.status = status
    post.answeredAt = Date.now()
  })
  response.writeHead(status).end()
}

const listen = (server: ReturnType<typeof createServer>) =>
  Effect.acquireRelease(
    Effect.callback<AddressInfo["port"]>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(typeof address === "object" && address !== null ? Effect.succeed(address.port) : Effect.die("no port"))
      })
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

/** One HTTPS server for all endpoints, by path. It keeps each POST and checks its signature. */
export const startTarget = Effect.fnUntraced(function*(ca: TestCa, seed: number) {
  const posts: Array<Post> = []
  const distrusted: Array<string> = []
  const verifiers = new Map<string, Webhook>()
  const inspectors = new Map<string, Inspect>()
  const moods = new Moods(seed)
  let choose = (path: string, now: number) => moods.of(path, now)

  const receive = (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    const path = request.url ?? ""
    const event = String(request.headers["webhook-id"])
    const headers = Object
      .fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const))
    try {
      verifiers.get(path)?.verify(body, headers)
    } catch (error) {
      distrusted.push(`${event} at ${path}: ${String(error)}`)
    }
    const wrong = inspectors.get(path)?.(headers, body)
    if (wrong !== undefined) distrusted.push(`${event} at ${path}: ${wrong}`)
    const receivedAt = Date.now()
    const port = request.socket.remotePort ?? 0
    const post: Post = { event, body: body.toString(), path, port, receivedAt, answeredAt: undefined, status: 0 }
    posts.push(post)
    void answer(post, response, choose(path, receivedAt))
  }

  const server = createServer(ca.certificate(), (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => receive(request, response, Buffer.concat(chunks)))
    request.on("error", () => {})
  })
  server.keepAliveTimeout = 60_000
  server.on("tlsClientError", () => {})
  const port = yield* listen(server)
  return {
    /** The POSTs in the order in which they came. */
    posts,
    /** POSTs with a signature that does not fit their endpoint's secret, or with another problem. */
    distrusted,
    urlOf: (path: string) => `https://127.0.0.1:${port}${path}`,
    /** From now on POSTs to this path must have a signature by this secret. */
    expect: (path: string, secret: string) => Effect.sync(() => void verifiers.set(path, new Webhook(secret))),
    /** From now on `inspect` checks POSTs to this path as well. */
    inspect: (path: string, inspect: Inspect) => Effect.sync(() => void inspectors.set(path, inspect)),
    /** POSTs to this path need no right signature. */
    trust: (path: string) => Effect.sync(() => void verifiers.delete(path)),
    /** This path refuses all POSTs from now on, for so many milliseconds. */
    breakDown: (path: string, lasts: number) => Effect.sync(() => moods.breakDown(path, lasts)),
    /** From now on all POSTs are accepted at once. */
    recover: Effect.sync(() => {
      moods.allIsWell = true
    }),
    /** Answers 200 after so many milliseconds, instead of by chance. */
    accept: (after: (path: string) => number) =>
      Effect.sync(() => {
        choose = (path) => ({ mood: "accept", wait: after(path) })
      })
  }
})
export type Target = Effect.Success<ReturnType<typeof startTarget>>
