import { Context, Deferred, Effect, Layer } from "effect"
import { type OutgoingRequest, Sender, type SendResult } from "../../src/webhooks/send/Sender.ts"
import { TargetRoom, type Targets, type TargetsFull } from "../../src/webhooks/send/Targets.ts"

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

/** The result without an answer within the deadline. */
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

/** A network in which the test answers. `respond` answers at once; if it returns nothing, the request stays open. */
export class FakeNetwork extends Context.Service<FakeNetwork, {
  /** Every request so far, oldest first. */
  readonly posted: Array<Posted>
  /** Number of open requests: now, and the most so far. */
  readonly open: { now: number; most: number }
  respond: (request: OutgoingRequest) => SendResult | undefined
  /** The room at hosts: a request without room is not posted. If undefined, all requests are posted. */
  targets: Targets | undefined
}>()("test/FakeNetwork") {
  static readonly layer = Layer.effectContext(Effect.sync(() => {
    const posted: Array<Posted> = []
    const open = { now: 0, most: 0 }
    const network: FakeNetwork["Service"] = {
      posted,
      open,
      respond: () => answered(204),
      targets: undefined
    }
    const roomFor = ({ club_id, url }: OutgoingRequest): Effect.Effect<TargetRoom | undefined, TargetsFull> => {
      if (network.targets === undefined) return Effect.succeed(undefined)
      const room = new TargetRoom(network.targets, club_id)
      const addresses = [new URL(url).hostname]
      return room.take(addresses).length === 0 ? Effect.fail(room.full(addresses)) : Effect.succeed(room)
    }
    const sender = Sender.of({
      send: Effect.fnUntraced(function*(request: OutgoingRequest) {
        const room = yield* roomFor(request)
        return yield* Effect.gen(function*() {
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
          room?.giveBack()
        })))
      })
    })
    return Context.make(FakeNetwork, network).pipe(Context.add(Sender, sender))
  }))
}
