import { ApiError } from "../../platform/http/ApiError.ts"

/** No mail may leave, so nothing has changed. The answer has a `Retry-After` until one may. */
export class MailLimitReached extends ApiError<MailLimitReached>()("MailLimitReached", {
  status: 429,
  code: "mail_limit_reached",
  message: {
    en:
      "Too many mails of this kind to the address in an hour, or of this club on a day: try again after Retry-After seconds",
    "pt-BR": "E-mails demais para este endereço, ou deste clube hoje: espere um pouco."
  }
}) {}
