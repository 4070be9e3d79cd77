import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId } from "../../platform/http/Text.ts"
import { AuthorRole, PersonId } from "./Author.ts"

/** A person named in a comment or a post. */
const Mention = Schema.Struct({
  id: PersonId.pipe(field("The id of the student, or of the member's account")),
  name: Schema.String.pipe(field("The person's name now", "Rita")),
  role: AuthorRole.pipe(field("A student or a member of the staff", "staff"))
}).annotate({ identifier: "Mention", description: "A person that a comment or a post mentions" })

/** The people that an answer names. */
export const namedPeople = Schema.Array(Mention)
  .pipe(field("The people it mentions, in the author's order, without removed students"))

/** The people that a request names. */
export const mentions = Schema
  .optionalKey(Schema.Array(sentId(PersonId)).check(Schema.isMaxLength(20), Schema.isUnique()))
  .pipe(field("Ids of students, and of accounts of members of the club, that it mentions, each at most once; no mentions if absent"))

/** A person who is mentioned is unknown, of another club, or removed. */
export class MentionUnknown extends ApiError<MentionUnknown>()("MentionUnknown", {
  status: 422,
  code: "mention_unknown",
  message: {
    en: "mentions must be students or members of this club",
    "pt-BR": "Só dá para mencionar alunos e a equipe deste clube."
  }
}) {}
