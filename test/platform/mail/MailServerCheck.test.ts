import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Queue, Redacted } from "effect"
import { mailServerFault } from "../../../src/platform/mail/MailServerCheck.ts"
import { freePort } from "../../harness/FreePort.ts"
import { startSmtp } from "../../harness/Smtp.ts"

const faultOf = (url: string) => Effect.map(mailServerFault(Redacted.make(url)), Option.getOrUndefined)

layer(Layer.empty, { excludeTestServices: true })("a mail server", (it) => {
  it.effect("that lets us in has no fault, and gets no mail", () =>
    Effect.gen(function*() {
      const { port, received } = yield* startSmtp()
      assert.isUndefined(yield* faultOf(`smtp://127.0.0.1:${port}`))
      assert.strictEqual(yield* Queue.size(received), 0)
    }))

  it.effect("that is not there is named with what was tried", () =>
    Effect.gen(function*() {
      const port = yield* freePort
      assert.strictEqual(
        yield* faultOf(`smtp://127.0.0.1:${port}`),
        `SMTP_URL: mails are not leaving, smtp://127.0.0.1:${port} fails (ECONNREFUSED); they are tried again`
      )
    }))

  it.effect("that refuses the login is named without it", () =>
    Effect.gen(function*() {
      const { port } = yield* startSmtp({
        server: {
          disabledCommands: ["STARTTLS"],
          allowInsecureAuth: true,
          onAuth: (_auth, _session, callback) => callback(new Error("No such ana@example.com"))
        }
      })
      assert.strictEqual(
        yield* faultOf(`smtp://ana:s3cret@127.0.0.1:${port}`),
        `SMTP_URL: mails are not leaving, smtp://127.0.0.1:${port} refuses the login (EAUTH 535); they are tried again`
      )
    }))
})
