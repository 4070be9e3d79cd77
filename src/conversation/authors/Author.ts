import { Schema } from "effect"

/** Of a student, a member of the staff, or the assistant, whose id is the agent's. */
export const PersonId = Schema.String.check(Schema.isUUID())

/** What an author is in the club. */
export const AuthorRole = Schema.Literals(["student", "staff", "assistant"])
export type AuthorRole = typeof AuthorRole.Type

/** Who wrote a comment; `anonymized`: the person was removed. */
export const Author = Schema.Struct({
  name: Schema.String,
  role: AuthorRole,
  id: PersonId,
  anonymized: Schema.Boolean
}).annotate({ identifier: "Author" })
export type Author = typeof Author.Type
