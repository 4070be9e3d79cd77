import { Schema } from "effect"
import { field } from "../../platform/http/Field.ts"
import { Uuid } from "../../platform/schema/brandedId.ts"

/** The id of a student, a member of the staff, or the assistant's agent. */
export const PersonId = Uuid

/** The role of an author in the club. */
export const AuthorRole = Schema.Literals(["student", "staff", "assistant"])
export type AuthorRole = typeof AuthorRole.Type

/** Who wrote something. */
export const Author = Schema.Struct({
  name: Schema.String.pipe(field("The name of the person or the assistant now", "Noel Rosa")),
  role: AuthorRole.pipe(field("The kind of author: a student, a member of the staff or the club's assistant")),
  id: PersonId.pipe(field("The id of the student, of the member's account, or of the assistant's agent")),
  anonymized: Schema.Boolean.pipe(field("True if the student was removed; the name is then a stand-in", false))
}).annotate({ identifier: "Author", description: "Who wrote something" })
export type Author = typeof Author.Type
