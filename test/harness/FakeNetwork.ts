import { Context, Deferred, Effect, Layer } from "effect"
import { type OutgoingRequest, Sender, type SendResult } from "../../src/webhooks/sender/Sender.ts"

/** An answer with this status. */
export const answered = (status: number, given: Partial<SendResult> = {}): SendResult => ({
  error: status >= 200 && status < 300 ? null : status >= 300 && status < 400 ? "redirect" : "http_status",
  status_code: status,
  response_body: null,
  retry_after: null,
  phases: null,
  connection_reused: true,
  peer: null,
  ...given
})

/** No answer within the deadline. */
export const timedOut: SendResult = {
  error: "timeout",
  status_code: null,
  response_body: null,
  retry_after: null,
  phases: null,
  connection_reused: true,
  peer: null
}

interface Posted extends OutgoingRequest {
  /** Ends the attempt with this result. */
  readonly answer: (result: SendResult) => Effect.Effect<boolean>
  readonly ended: Effect.Effect<boolean>
}

/** A network in which the test answers. `respond` answers at once; where it says nothing, the request stays open. */
export class FakeNetwork extends Context.Service<FakeNetwork, {
  /** Every request so far, oldest first. */
  readonly posted: Array<Posted>
  /** How many are open, now and at most so far. */
  readonly open: { now: number; most: number }
  respond: (request: OutgoingRequest) => SendResult | undefined
}>()("test/FakeNetwork") {
  static readonly layer = Layer.effectContext(Effect.sync(() => {
    const posted: Array<Posted> = []
    const open = { now: 0, most: 0 }
    const network: FakeNetwork["Service"] = { posted, open, respond: () => answered(204) }
    const sender = Sender.of({
      send: (request) =>
        Effect.gen(function*() {
          const result = yield* Deferred.make<SendResult>()
          posted.push({
            ...request,
            answer: (given) => Deferred.succeed(result, given),
            ended: Deferred.isDone(result)
          })
          open.now += 1
          open.most = Math.max(open.most, open.now)
          const now = network.respond(request)
          if (now !== undefined) yield* Deferred.succeed(result, now)
          return yield* Deferred.await(result)
        }).pipe(Effect.ensuring(Effect.sync(() => {
          open.now -= 1
        })))
    })
    return Context.make(FakeNetwork, network).pipe(Context.add(Sender, sender))
  }))
}
