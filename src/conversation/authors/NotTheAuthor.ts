import { ApiError } from "../../platform/http/ApiError.ts"

/** Only the author of a comment or a post changes its words. */
export class NotTheAuthor extends ApiError<NotTheAuthor>()("NotTheAuthor", {
  status: 403,
  code: "not_the_author",
  message: {
    en: "Only the author may change the text",
    "pt-BR": "Só quem escreveu pode mudar o texto."
  }
}) {}
