import { ApiError } from "../../platform/http/ApiError.ts"

/** Only the author of a comment or a post changes its words. */
export class NotTheAuthor extends ApiError<NotTheAuthor>()("NotTheAuthor", {
  status: 403,
  code: "not_the_author",
  message: {
    en: "Only the author changes the words",
    "pt-BR": "Só quem escreveu muda o texto."
  }
}) {}
