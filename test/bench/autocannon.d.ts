// The package has no types of its own. These are the parts that the benchmark uses.
declare module "autocannon" {
  interface Request {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
  }

  interface Client {
    /** The requests to send in turn, over and over. The driver writes into them. */
    setRequests(requests: ReadonlyArray<Request>): void
  }

  interface Options {
    readonly url: string
    readonly connections: number
    /** Seconds. */
    readonly duration: number
    /** The count of requests. It replaces the duration. */
    readonly amount?: number
    /** Milliseconds between samples; a run ends with one. */
    readonly sampleInt: number
    /** Called once for every connection, before its first request. */
    readonly setupClient: (client: Client) => void
  }

  interface Result {
    readonly errors: number
    readonly timeouts: number
    readonly non2xx: number
  }

  interface Run {
    /** `milliseconds` run from the request's first byte sent to the answer's last byte received. */
    on(event: "response", listener: (client: Client, status: number, bytes: number, milliseconds: number) => void): void
    stop(): void
  }

  export default function autocannon(options: Options, done: (error: Error | null, result: Result) => void): Run
}
