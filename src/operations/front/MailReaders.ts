import { Clock, Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { isPass, makePass, type Pass } from "../../platform/http/Pass.ts"
import { pageUrl, PublicUrls } from "../../platform/http/ServerSettings.ts"
import { mailsAreKept } from "../../platform/mail/WrittenMails.ts"
import { Supervisor } from "../../platform/processes/Supervisor.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { isLocalService, localUrl } from "./Developer.ts"
import { makeStartToken } from "./StartToken.ts"

/** How long a browser reads mails before it needs the address of another start: a working day. */
const stay = Duration.hours(12)

/** True if mails are shown at all: development, at this machine. */
export const showsMails = Effect.gen(function*() {
  const { api } = yield* PublicUrls
  return (yield* mailsAreKept) && isLocalService(api)
}).pipe(Effect.provide(PublicUrls.layer))

/** Which browsers read the written mails: those that have opened the address that the start prints. */
export class MailReaders extends Context.Service<MailReaders, {
  /** The address that the start prints. `None` if mails are not shown, or the supervisor does not answer. */
  readonly address: Effect.Effect<Option.Option<string>>
  /** A pass for the first caller that presents the token of that address; `None` for any other. */
  admit(token: string): Effect.Effect<Option.Option<Pass>>
  /** True if this is a pass that still counts. */
  isReader(pass: string): Effect.Effect<boolean>
}>()("turma/operations/front/MailReaders") {
  static readonly layer = Layer.effect(
    MailReaders,
    Effect.gen(function*() {
      const { api } = yield* PublicUrls
      const shows = yield* showsMails
      const keys = (yield* Sealing).signingKeys("written mails")
      const { token, use } = makeStartToken(yield* Supervisor)
      return MailReaders.of({
        address: shows
          ? Effect.map(token, Option.map((token) => pageUrl(localUrl(api), "", { token })))
          : Effect.succeedNone,
        admit: Effect.fn("MailReaders.admit")(function*(token: string) {
          return (yield* use(token)) ? Option.some(makePass(keys, yield* DateTime.now, stay)) : Option.none()
        }),
        isReader: (pass) => Effect.map(Clock.currentTimeMillis, (now) => isPass(keys, pass, now))
      })
    })
  ).pipe(Layer.provide(PublicUrls.layer))
}
