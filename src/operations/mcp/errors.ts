import { ApiError } from "../../platform/http/ApiError.ts"

/** An agent that could not read the answer. */
export class NotAcceptable extends ApiError<NotAcceptable>()("NotAcceptable", {
  status: 406,
  code: "not_acceptable",
  message: {
    en: "Accept must name application/json and text/event-stream",
    "pt-BR": "Accept precisa incluir application/json e text/event-stream."
  }
}) {}
