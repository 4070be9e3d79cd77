import { Schema } from "effect"

/** A student of one club. The same person in two clubs is two students. */
export const StudentId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("StudentId"))
export type StudentId = typeof StudentId.Type
