import { Console, DateTime, Effect, Option, type Redacted, Result, Schema } from "effect"
import { verifySignature } from "../../webhooks/send/Signature.ts"
import { bytesFrom, requiredVerifier } from "./Input.ts"
import { verdictOf } from "./Verdict.ts"

/** The request is not to be trusted: exit code 1. */
class NotVerified extends Schema.TaggedError<NotVerified>()("NotVerified", { message: Schema.String }) {}

/** A captured request: its three headers and the file with its body. */
export interface Captured {
  /** A secret, or a public key. */
  readonly secret: Option.Option<Redacted.Redacted>
  readonly id: string
  readonly timestamp: string
  readonly signature: string
  readonly body: string
  /** Unix seconds of the moment of the check; by default now. */
  readonly at: Option.Option<number>
}

/** Says that a captured request is verified, or fails with the reason why it is not. */
export const verify = Effect.fnUntraced(function*({ at, body, id, secret, signature, timestamp }: Captured) {
  const verifier = yield* requiredVerifier(secret)
  const now = Option.isSome(at) ? DateTime.fromEpochSeconds(at.value) : yield* DateTime.now
  const result = verifySignature({ ...verifier, id, timestamp, signature, body: yield* bytesFrom(body), now })
  if (Result.isFailure(result)) return yield* new NotVerified({ message: verdictOf(result) })
  yield* Console.log(verdictOf(result))
})
