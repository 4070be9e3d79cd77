import { Effect } from "effect"
import { Agent, request } from "node:http"

/** The results of posts. Latencies are in milliseconds from the moment at which a post was due. */
export interface Answered {
  readonly latencies: ReadonlyArray<number>
  /** Posts with an answer other than 200. */
  readonly refused: number
  readonly seconds: number
}

/** The address and the headers of posts. Each call makes another body. */
export interface Target {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly nextBody: () => string
}

const postTo = (agent: Agent, { headers, nextBody, url }: Target) =>
  new Promise<boolean>((done) => {
    const body = nextBody()
    const sent = request(url, {
      agent,
      method: "POST",
      headers: { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(body) }
    }, (response) => {
      response.resume()
      response.on("end", () => done(response.statusCode === 200))
    })
    sent.on("error", () => done(false))
    sent.end(body)
  })

const recording = (target: Target) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const latencies: Array<number> = []
  let refused = 0
  const post = async (due: number) => {
    const isTaken = await postTo(agent, target)
    latencies.push(performance.now() - due)
    if (!isTaken) refused += 1
  }
  const result = (started: number): Answered => {
    agent.destroy()
    return { latencies, refused, seconds: (performance.now() - started) / 1000 }
  }
  return { post, result }
}

/** Sends this many posts a second, each at its time, even if earlier ones have no answer yet. */
export const paced = (target: Target, { rate, seconds }: { readonly rate: number; readonly seconds: number }) =>
  Effect.promise(async () => {
    const { post, result } = recording(target)
    const started = performance.now()
    const postAt = (due: number) =>
      new Promise<void>((done) => setTimeout(() => void post(due).then(done), Math.max(0, due - performance.now())))
    await Promise.all(Array.from({ length: rate * seconds }, (_, number) => postAt(started + number * 1000 / rate)))
    return result(started)
  })

/** Sends as many posts as the server takes: each connection posts again once it has its answer. */
export const flatOut = (
  target: Target,
  { connections, seconds }: { readonly connections: number; readonly seconds: number }
) =>
  Effect.promise(async () => {
    const { post, result } = recording(target)
    const started = performance.now()
    const end = started + seconds * 1000
    const connection = async (): Promise<void> => {
      if (performance.now() >= end) return
      await post(performance.now())
      return connection()
    }
    await Promise.all(Array.from({ length: connections }, connection))
    return result(started)
  })
