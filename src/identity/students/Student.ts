import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"

/** A student of one club. The same person in two clubs is two students. */
export const StudentId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("StudentId"))
export type StudentId = typeof StudentId.Type

/** The person is anonymized, and nothing about them changes any more. */
export class StudentRemoved extends ApiError<StudentRemoved>()("StudentRemoved", {
  status: 409,
  code: "student_removed",
  message: "The student was removed"
}) {}
