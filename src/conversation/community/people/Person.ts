import { Schema } from "effect"
import { field } from "../../../platform/http/Field.ts"
import { PersonId } from "../../authors/Author.ts"

/** The most people that one search answers. */
export const mostPeople = 10

/** A person that a text may mention. */
export const Person = Schema.Struct({
  id: PersonId.pipe(field("The id of the student, or of the member's account, for `mentions`")),
  name: Schema.String.pipe(field("The person's name now", "Rita")),
  role: Schema.Literals(["student", "staff"]).pipe(field("A student or a member of the staff", "staff"))
}).annotate({ identifier: "Person", description: "A person that a text may mention" })
export type Person = typeof Person.Type
