import { Effect } from "effect"
import { inboxScheme } from "../../src/webhooks/model/InboxId.ts"
import type { OutgoingRequest, SendResult } from "../../src/webhooks/send/Sender.ts"
import type { Dice } from "./Dice.ts"
import type { SimulatedTime } from "./Time.ts"

/** How a receiver behaves for now. */
export type Mood = "up" | "slow" | "failing" | "gone" | "busy" | "tarpit" | "unreachable" | "flaky"

/** All moods. Those of healthy receivers occur more than once. */
export const moods: ReadonlyArray<Mood> = [
  "up",
  "up",
  "slow",
  "failing",
  "gone",
  "busy",
  "tarpit",
  "unreachable",
  "flaky"
]

/** A process that sends. */
interface Sending {
  readonly name: string
  readonly state: "up" | "frozen" | "dead"
}

/** A probe that is under way. */
interface Probing {
  readonly sender: Sending
  readonly path: string
}

/** A request as a receiver got it. */
export interface Post {
  readonly number: number
  readonly sender: Sending
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly at: number
  /** The answer to it. */
  result: SendResult
  /** Other requests under way to this path when it came: of all living senders, and of the same sender. */
  readonly beside: number
  readonly besideOwn: number
  /** True if the sender was up when the answer came. */
  isAnswered: boolean
  isOver: boolean
}

/** The path of a URL. It names the receiver: it stays when the rest of the URL changes. For an inbox it is the id. */
export const pathOf = (url: string): string => new URL(url.replace(inboxScheme, "https://inbox/")).pathname

/** True for a probe of a grading. A probe is not a delivery, and most have a wrong signature. */
const isProbe = ({ body }: OutgoingRequest): boolean => Buffer.from(body).includes("\"grading\":{\"id\":")

type Answer = Pick<SendResult, "error" | "response_body" | "retry_after" | "status_code">

const accepted = (status_code: number): Answer => ({
  error: null,
  status_code,
  response_body: "thank you",
  retry_after: null
})
const refused = (status_code: number, retry_after: string | null = null): Answer => ({
  error: status_code >= 300 && status_code < 400 ? "redirect" : "http_status",
  status_code,
  response_body: "no",
  retry_after
})
const nothing = (error: Answer["error"]): Answer => ({
  error,
  status_code: null,
  response_body: null,
  retry_after: null
})

/** Fields of the real sender's result if nothing was sent. */
const notConnected = { phases: null, connection_reused: null, peer: null }

const deadline = 15_000

/** The internet of a simulation: receivers by path. Each answers according to its mood. */
export class Network {
  /** All requests, in the order in which they arrived. */
  readonly posts: Array<Post> = []
  /** Number of probes that arrived beside the requests. */
  probes = 0
  readonly moods = new Map<string, Mood>()
  readonly #probing = new Set<Probing>()
  readonly #dice: Dice
  readonly #time: SimulatedTime

  constructor(dice: Dice, time: SimulatedTime) {
    this.#dice = dice
    this.#time = time
  }

  /** Requests of living senders that are under way to a path. */
  underWay(path: string): ReadonlyArray<Post> {
    return this.open().filter(({ url }) => pathOf(url) === path)
  }

  /** Time of the last request to this path, in epoch milliseconds; 0 without a request. */
  lastAt(path: string): number {
    return this.posts.findLast(({ url }) => pathOf(url) === path)?.at ?? 0
  }

  /** Requests of living senders that are under way anywhere. */
  open(): ReadonlyArray<Post> {
    return this.posts.filter((post) => !post.isOver && post.sender.state !== "dead")
  }

  /** One attempt of a process. */
  send(sender: Sending, request: OutgoingRequest): Effect.Effect<SendResult> {
    return Effect.suspend(() => {
      const [answer, wait] = this.#answer(this.moods.get(pathOf(request.url)) ?? "up")
      const result = { ...answer, ...this.#course(answer, wait) }
      if (isProbe(request)) {
        this.probes += 1
        return this.#probe({ sender, path: pathOf(request.url) }, Effect.as(Effect.sleep(wait), result))
      }
      return this.handOver(sender, request, Effect.as(Effect.sleep(wait), result))
    })
  }

  #probe(probing: Probing, sent: Effect.Effect<SendResult>): Effect.Effect<SendResult> {
    return Effect.acquireUseRelease(
      Effect.sync(() => void this.#probing.add(probing)),
      () => sent,
      () => Effect.sync(() => void this.#probing.delete(probing))
    )
  }

  /** True if this process has a probe to this path under way. */
  isProbing(sender: Sending, path: string): boolean {
    return [...this.#probing].some((one) => one.sender === sender && one.path === path)
  }

  /** Records one attempt of a process, which `sent` makes. An attempt on an inbox of our own needs no connection. */
  handOver<E>(
    sender: Sending,
    { body, headers, url }: OutgoingRequest,
    sent: Effect.Effect<SendResult, E>
  ): Effect.Effect<SendResult, E> {
    return Effect.suspend(() => {
      const others = this.underWay(pathOf(url))
      const post: Post = {
        number: this.posts.length,
        sender,
        url,
        headers,
        body,
        at: this.#time.now(),
        result: { ...nothing("timeout"), ...notConnected },
        beside: others.length,
        besideOwn: others.filter((other) => other.sender === sender).length,
        isAnswered: false,
        isOver: false
      }
      this.posts.push(post)
      const end = Effect.sync(() => {
        post.isOver = true
      })
      return sent.pipe(
        Effect.tap((result) =>
          Effect.sync(() => {
            post.result = result
            post.isAnswered = sender.state === "up"
          })
        ),
        Effect.ensuring(end)
      )
    })
  }

  /** Splits the time of an attempt among its phases, on a new connection or a kept one. */
  #course({ status_code, error }: Answer, wait: number): Omit<SendResult, keyof Answer> {
    if (status_code === null && error !== "timeout") return notConnected
    const isReused = this.#dice.chance(0.5)
    const before = isReused ? 0 : this.#dice.between(0, wait)
    const read = this.#dice.between(0, wait - before)
    return {
      phases: {
        lookup_ms: null,
        connect_ms: isReused ? null : before,
        tls_ms: isReused ? null : 0,
        send_ms: 0,
        wait_ms: wait - before - read,
        read_ms: read
      },
      connection_reused: isReused,
      peer: null
    }
  }

  #answer(mood: Mood): readonly [Answer, number] {
    const soon = this.#dice.chance(0.5) ? 0 : this.#dice.between(1, 2500)
    switch (mood) {
      case "up":
        return [accepted(this.#dice.pick([200, 201, 204]) ?? 200), soon]
      case "slow":
        return [accepted(200), this.#dice.between(2000, deadline - 1)]
      case "failing":
        return [refused(this.#dice.pick([500, 502, 404, 301, 400]) ?? 500), soon]
      case "gone":
        return [refused(410), soon]
      case "busy":
        return [refused(this.#dice.pick([429, 503]) ?? 429, this.#retryAfter()), soon]
      case "tarpit":
        return [nothing("timeout"), deadline]
      case "unreachable":
        return [nothing(this.#dice.pick(["dns", "connection", "tls"]) ?? "dns"), soon]
      case "flaky":
        return this.#dice.chance(0.5) ? this.#answer("up") : this.#answer("failing")
    }
  }

  #retryAfter(): string | null {
    return this.#dice.pick([
      null,
      "0",
      "-5",
      "soon",
      "30",
      "7200",
      "999999",
      new Date(this.#time.now() + 3_600_000).toUTCString(),
      new Date(this.#time.now() - 3_600_000).toUTCString()
    ]) ?? null
  }
}
