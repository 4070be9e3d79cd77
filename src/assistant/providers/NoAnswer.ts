import type { Question } from "./Assistant.ts"

/** Said to who asked where the course's material has nothing on it, by whichever assistant. */
export const noAnswer: Record<Question["locale"], string> = {
  "pt-BR": "O material deste curso não responde a essa pergunta.",
  "en": "The material of this course does not answer this question."
}
