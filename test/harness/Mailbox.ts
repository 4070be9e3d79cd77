import { Context, Effect, Layer } from "effect"
import { CredentialRequests } from "../../src/membership/accounts/CredentialRequests.ts"
import type { Mail } from "../../src/platform/mail/Mail.ts"
import { MailQueue } from "../../src/platform/mail/MailQueue.ts"
import { MailTransport } from "../../src/platform/mail/MailTransport.ts"

/** All sent mails, and the worker's part of sending them. It waits for no clock. */
export class Mailbox extends Context.Service<Mailbox, {
  /** Handles every due credential request and sends every due mail. */
  readonly deliver: Effect.Effect<void>
  /** Delivers, then answers the mails to this address, oldest first. */
  to(address: string): Effect.Effect<ReadonlyArray<Mail>>
  /** Delivers, then answers the one-time secret of the newest mail to this address that has one. */
  secret(address: string): Effect.Effect<string>
}>()("test/Mailbox") {
  static readonly layer = Layer.unwrap(Effect.sync(() => {
    const sent: Array<Mail> = []
    const Transport = Layer.succeed(MailTransport, { send: (mail) => Effect.sync(() => void sent.push(mail)) })
    return Layer.effect(
      Mailbox,
      Effect.gen(function*() {
        const requests = yield* CredentialRequests
        const queue = yield* MailQueue
        const deliver = Effect.gen(function*() {
          yield* Effect.repeat(requests.workOne, { while: (worked) => worked })
          yield* Effect.repeat(queue.tick, { while: (mails) => mails > 0 })
        })
        const to = (address: string) => Effect.map(deliver, () => sent.filter(({ recipient }) => recipient === address))
        const secret = Effect.fnUntraced(function*(address: string) {
          const mails = yield* to(address)
          const secrets = mails.flatMap(({ text }) => /[?&](?:token|code)=([A-Za-z0-9_-]{43})/.exec(text)?.[1] ?? [])
          return secrets.at(-1) ?? (yield* Effect.die(new Error(`No secret was mailed to ${address}`)))
        })
        return Mailbox.of({ deliver, to, secret })
      })
    ).pipe(Layer.provide(MailQueue.layer), Layer.provide(Transport))
  }))
}
