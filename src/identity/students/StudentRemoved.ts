import { ApiError } from "../../platform/http/ApiError.ts"

/** The person is anonymized, and nothing about them changes any more. */
export class StudentRemoved extends ApiError<StudentRemoved>()("StudentRemoved", {
  status: 409,
  code: "student_removed",
  message: "The student was removed"
}) {}
