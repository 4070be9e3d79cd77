import { ApiError } from "../../platform/http/ApiError.ts"

/** The student is anonymized, and nothing about them changes any more. */
export class StudentRemoved extends ApiError<StudentRemoved>()("StudentRemoved", {
  status: 409,
  code: "student_removed",
  message: {
    en: "The student was removed",
    "pt-BR": "O aluno foi removido."
  }
}) {}
