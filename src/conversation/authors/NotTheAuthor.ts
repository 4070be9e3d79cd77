import { ApiError } from "../../platform/http/ApiError.ts"

/** Words are changed by whoever wrote them. */
export class NotTheAuthor extends ApiError<NotTheAuthor>()("NotTheAuthor", {
  status: 403,
  code: "not_the_author",
  message: "Only the author changes the words"
}) {}
