import { Config, Schema } from "effect"
import { optionalSetting, setting } from "../config/Setting.ts"
import { isSender } from "./Address.ts"

// A query string is refused because the client would let it override time limits and the check of certificates.
const isSmtpUrl = (text: string) => {
  const url = URL.parse(text)
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== "" && /^\/?$/.test(url.pathname) &&
    url.search === "" && url.hash === "" && decodes(url.username) && decodes(url.password)
}

const decodes = (text: string) => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** How mails leave. The URL may carry a password, so it is redacted from here on. */
export const mailSettings = {
  SMTP_URL: optionalSetting({
    variable: "SMTP_URL",
    isSecret: true,
    meaning: "the mail server; certificates are checked",
    unset: "unset: each mail is a file `DATA_DIR/mail/<time>-<recipient>.eml`, its time in the log",
    expected: "smtp://[user:password@]host[:port], or smtps:// for TLS from the start",
    example: "smtps://turma:secret@mail.example:465"
  }, (variable) => Config.schema(Schema.Redacted(Schema.String.check(Schema.makeFilter(isSmtpUrl))), variable)),
  MAIL_FROM: setting({
    variable: "MAIL_FROM",
    meaning: "the sender of every mail",
    fallback: "Turma <no-reply@localhost>",
    expected: "an address, with or without a name",
    example: "Turma <no-reply@turma.example>"
  }, (variable) => Config.schema(Schema.String.check(Schema.makeFilter(isSender)), variable))
} as const
