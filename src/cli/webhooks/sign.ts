import { Console, DateTime, Effect, Option, Redacted } from "effect"
import { signatureOf } from "../../webhooks/send/Signature.ts"
import { bytesFrom, requiredSecret } from "./Input.ts"

/** The parts of a signature: `timestamp` is in Unix seconds, by default now. */
export interface Unsigned {
  readonly secret: Option.Option<Redacted.Redacted>
  readonly id: string
  readonly timestamp: Option.Option<number>
  readonly body: string
}

/** Prints the three headers that Turma would send with this body. */
export const sign = Effect.fnUntraced(function*({ body, id, secret, timestamp }: Unsigned) {
  const key = Redacted.value(yield* requiredSecret(secret))
  const now = Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / 1000)
  const seconds = Option.getOrElse(timestamp, () => now)
  const signature = signatureOf(key, id, seconds, yield* bytesFrom(body))
  yield* Console.log(`webhook-id: ${id}\nwebhook-timestamp: ${seconds}\nwebhook-signature: ${signature}`)
})
