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
  /** Whose it is: an inbox of ours takes only what its own club sends. */
  readonly club_id?: ClubId
  /** It is no event, so that nothing of it can have been erased. */
  readonly is_probe?: true
}

/** The result of one request. */
export interface SendResult {
  /** Null is success: a 2xx. */
  readonly error: AttemptError | null
  /** Null where no status line came. */
  readonly status_code: number | null
  /** The start of the body as text, at most 2 048 bytes of UTF-8; null where there was none. */
  readonly response_body: string | null
  /** `Retry-After` as it came, of 429 and 503 only. */
  readonly retry_after: string | null
  /** Where the time went; null where it ended before anything had begun. */
  readonly phases: AttemptPhases | null
  /** Whether the request went out on a connection of an earlier one; null where none went out. */
  readonly connection_reused: boolean | null
  /** Whom it was connected to; null where it was to nobody. */
  readonly peer: AttemptPeer | null
  /** It reached whom it is for without a connection. */
  readonly handed_over?: true
  /** Whether the receiver says that it had the message before, by `turma-seen: 1` or `0`; absent where it says neither. */
  readonly seen?: boolean
}

/** Sends requests to receivers (contract, Delivery behavior and Address rules). */
export class Sender extends Context.Service<Sender, {
  /**
   * One attempt within the deadline of `WEBHOOK_ATTEMPT_TIMEOUT`, which covers name, connection, TLS, headers and body.
   * A failure is a result too. Interrupting it closes the connection. `TargetsFull`: no attempt was made, since this process
   * has as many in flight to each address of the receiver as it may.
   */
  send(request: OutgoingRequest): Effect.Effect<SendResult, TargetsFull>
}>()("turma/webhooks/send/Sender") {}
