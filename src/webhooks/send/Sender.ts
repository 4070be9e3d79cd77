import { Context, type Effect } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { AttemptError } from "../model/AttemptError.ts"
import type { AttemptPeer } from "../model/AttemptPeer.ts"
import type { AttemptPhases } from "../model/AttemptPhases.ts"
import type { TargetsFull } from "./Targets.ts"

/** One POST as it goes out. `url` is the `href` of a URL that passed the address rules once; it is judged again. */
export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The club that sends: an inbox of ours takes only requests of its own club. */
  readonly club_id?: ClubId
  /** A probe is not an event, so an erasure does not concern it. */
  readonly is_probe?: true
}

/** The result of one request. */
export interface SendResult {
  /** Null is success: a 2xx. */
  readonly error: AttemptError | null
  /** Null if no status line came. */
  readonly status_code: number | null
  /** The start of the body as text, at most 2 048 bytes of UTF-8. Null without a body. */
  readonly response_body: string | null
  /** `Retry-After` as it came, of 429 and 503 only. */
  readonly retry_after: string | null
  /** The phases of its time. Null if it ended before the first began. */
  readonly phases: AttemptPhases | null
  /** True if the request went out on a connection of an earlier one. Null if it never went out. */
  readonly connection_reused: boolean | null
  /** The peer of its connection. Null without a connection. */
  readonly peer: AttemptPeer | null
  /** It reached its receiver without a connection. */
  readonly handed_over?: true
  /** The receiver's `turma-seen`: true for `1`, if it had the message before; false for `0`. Absent if it says neither. */
  readonly seen?: boolean
}

/** Sends requests to receivers (contract, Delivery behavior and Address rules). */
export class Sender extends Context.Service<Sender, {
  /**
   * One attempt within the deadline of `WEBHOOK_ATTEMPT_TIMEOUT`, which covers name, connection, TLS, headers and body.
   * A failure is a result too. Interrupting it closes the connection. `TargetsFull`: the attempt did not start, since
   * this process has its most attempts in flight to each address of the receiver.
   */
  send(request: OutgoingRequest): Effect.Effect<SendResult, TargetsFull>
}>()("turma/webhooks/send/Sender") {}
