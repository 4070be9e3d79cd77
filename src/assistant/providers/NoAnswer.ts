import type { Question } from "./Assistant.ts"

/** The answer of every assistant if the course's material does not answer the question. */
export const noAnswer: Record<Question["locale"], string> = {
  "pt-BR": "O material deste curso não responde a essa pergunta.",
  "en": "The material of this course does not answer this question."
}
