import type { DateTime } from "effect"
import { ApiError, saying } from "../../platform/http/ApiError.ts"

/** The student has the course, and the lesson opens later. */
export class LessonLocked extends ApiError<LessonLocked>()("LessonLocked", {
  status: 403,
  code: "lesson_locked",
  message: {
    en: "The lesson is not open yet",
    "pt-BR": "Esta aula ainda não abriu."
  }
}) {}

const written = (at: DateTime.Utc, language: string, timeZone: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone }).format(at.epochMilliseconds)

/** The refusal that says when the lesson opens, in the club's time zone. */
export const lockedUntilThen = (opens_at: DateTime.Utc, timeZone: string): LessonLocked =>
  new LessonLocked(saying({
    en: `The lesson opens on ${written(opens_at, "en-US", timeZone)}, in the time zone ${timeZone}`,
    "pt-BR": `Esta aula abre em ${written(opens_at, "pt-BR", timeZone)}.`
  }))
