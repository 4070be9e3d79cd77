import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option } from "effect"
import type { SettingError } from "../../../src/platform/config/Setting.ts"
import { mailSettings } from "../../../src/platform/mail/MailSettings.ts"

const environment = (variables: Record<string, string>) => ConfigProvider.layer(ConfigProvider.fromUnknown(variables))

describe("the settings of mail", () => {
  const accepts = (setting: keyof typeof mailSettings, value: string) =>
    Effect.isSuccess(Effect.asVoid<unknown, SettingError, never>(mailSettings[setting].read))
      .pipe(Effect.provide(environment({ [setting]: value })))

  it.effect("take a mail server's URL without options that would weaken it", () =>
    Effect.gen(function*() {
      for (const url of ["smtp://localhost", "smtps://u:p%40@mail.example:465", "smtp://[::1]:25/"]) {
        assert.isTrue(yield* accepts("SMTP_URL", url), url)
      }
      const refused = [
        "https://x",
        "mail.example:25",
        "smtp://",
        "smtp://x?tls.rejectUnauthorized=false",
        "smtp://%zz@x"
      ]
      for (const url of refused) assert.isFalse(yield* accepts("SMTP_URL", url), url)
    }))

  it.effect("take one sender", () =>
    Effect.gen(function*() {
      const taken = ["a@b", "Turma <no-reply@turma.example>", "\"Turma, Ltda\" <no-reply@turma.example>"]
      for (const sender of taken) assert.isTrue(yield* accepts("MAIL_FROM", sender), sender)
      const refused = ["Turma", "a@b, c@d", "x <a@b> <c@d>", "Turma\r\nBcc: x@y <a@b>", "<>"]
      for (const sender of refused) assert.isFalse(yield* accepts("MAIL_FROM", sender), sender)
    }))

  it.effect("leave the mail server out by default", () =>
    Effect.gen(function*() {
      assert.isTrue(Option.isNone(yield* mailSettings.SMTP_URL.read))
    }).pipe(Effect.provide(environment({}))))
})
