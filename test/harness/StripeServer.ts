import { Effect } from "effect"
import { EventEmitter } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Stripe } from "stripe"
import { listening } from "./Listening.ts"
import { handle } from "./stripe/Handlers.ts"
import { type Asked, formOf, type Reply, StripeState } from "./stripe/State.ts"

/**
 * The faults of a call:
 * - `unheard`: Stripe does nothing and does not answer;
 * - `lost`: Stripe does it and does not answer;
 * - `failed`: Stripe does it and answers 500, now and later for the same idempotency key;
 * - `broken`: as `failed`, but Stripe does nothing;
 * - `held`: Stripe does it and answers when the test releases the answer.
 */
export type Fault = "unheard" | "lost" | "failed" | "broken" | "busy" | "declined" | "forbidden" | "held"

interface Trap {
  readonly method: string
  readonly path: string
  readonly fault: Fault
  left: number
  /** Number of calls before them that succeed. */
  spare: number
}

const errorOf = (status: number, type: string, code?: string): Reply => ({
  status,
  body: { error: { type, message: "as the documentation says", ...(code === undefined ? {} : { code }) } }
})

const forbidden: Reply = {
  status: 401,
  body: { error: { type: "invalid_request_error", message: "Invalid API Key provided: sk_test_***urma" } }
}

const read = (request: IncomingMessage) =>
  new Promise<string>((resolve) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => resolve(Buffer.concat(chunks).toString()))
  })

const write = (response: ServerResponse, { body, status }: Reply) =>
  response.writeHead(status, { "content-type": "application/json", "request-id": "req_test" }).end(JSON.stringify(body))

/** Repeats an earlier answer to the same idempotency key, as Stripe does. */
const answer = (state: StripeState, asked: Asked, key: string | undefined, fault: Fault | undefined): Reply => {
  if (key !== undefined && state.busy.has(key)) return errorOf(409, "idempotency_error", "idempotency_key_in_use")
  const said = key === undefined ? undefined : state.said.get(key)
  if (said !== undefined) {
    return said.words === JSON.stringify(asked) ? said.reply : errorOf(400, "idempotency_error")
  }
  if (fault === "forbidden") return forbidden
  if (fault === "busy") return errorOf(429, "invalid_request_error", "lock_timeout")
  const done = fault === "broken"
    ? undefined
    : fault === "declined"
    ? errorOf(402, "card_error", "card_declined")
    : handle(state, asked)
  const reply = fault === "failed" || done === undefined ? errorOf(500, "api_error") : done
  if (key !== undefined) state.said.set(key, { words: JSON.stringify(asked), reply })
  return reply
}

/** A Stripe on the loopback interface, with the parts that we use. `state` holds its data. */
export const startStripeServer = Effect.gen(function*() {
  const state = new StripeState()
  const asked: Array<Asked & { readonly authorization: string }> = []
  const traps: Array<Trap> = []
  const silences: Array<string> = []
  const held: Array<() => void> = []
  const holding = new EventEmitter()

  const trapped = ({ method, path }: Asked) => {
    const trap = traps.find((one) => one.left > 0 && one.method === method && path.startsWith(one.path))
    if (trap === undefined || trap.spare-- > 0) return undefined
    trap.left--
    return trap.fault
  }

  const server = createServer(async (request, response) => {
    const text = await read(request)
    const url = new URL(request.url ?? "/", "http://stripe.test")
    const one: Asked = {
      method: request.method ?? "",
      path: url.pathname,
      form: formOf(request.method === "GET" ? url.search.slice(1) : text || url.search.slice(1))
    }
    asked.push({ ...one, authorization: request.headers.authorization ?? "" })
    const key = request.headers["idempotency-key"]
    const fault = trapped(one)
    if (fault === "unheard") return void silences.push(one.path)
    const reply = answer(state, one, request.method === "POST" && typeof key === "string" ? key : undefined, fault)
    if (fault === "lost") silences.push(one.path)
    else if (fault === "held") {
      if (typeof key === "string") state.busy.add(key)
      held.push(() => {
        if (typeof key === "string") state.busy.delete(key)
        write(response, reply)
      })
      holding.emit("held")
    } else write(response, reply)
  })
  const port = yield* listening(server)
  return {
    base_url: `http://127.0.0.1:${port}`,
    state,
    /** Every call so far. */
    asked,
    /** Answers that wait until the test releases them. */
    held,
    /** Ends once there is a held answer. */
    untilHeld: Effect.callback<void>((resume) => {
      if (held.length > 0) return resume(Effect.void)
      holding.once("held", () => resume(Effect.void))
    }),
    /** The paths of calls without an answer. */
    silences,
    /** Lets the next call of this kind fail, or so many of them, after so many that succeed. */
    fail: (method: string, path: string, fault: Fault, times = 1, spare = 0) =>
      void traps.push({ method, path, fault, left: times, spare }),
    heal: () => void traps.splice(0)
  }
})
export type StripeServer = Effect.Success<typeof startStripeServer>

/** A signature header that Stripe's own library accepts. */
export const signed = (payload: string, secret: string, timestamp: number): string =>
  new Stripe("sk_test_signer").webhooks.generateTestHeaderString({ payload, secret, timestamp })
