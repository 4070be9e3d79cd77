import type { RulePatch } from "./Gamification.ts"

/** The rules of a new club. */
export const defaultRules: ReadonlyArray<RulePatch> = [
  { action: "lesson_completed", points: 10 },
  { action: "course_completed", points: 100 },
  { action: "quiz_passed", points: 20 },
  { action: "assignment_approved", points: 30 },
  { action: "comment_posted", points: 5 },
  { action: "post_published", points: 5 },
  { action: "live_attended", points: 20 }
]

const ladder = (...names: readonly [string, string, string, string, string]) => [
  { name: names[0], min_points: 0 },
  { name: names[1], min_points: 100 },
  { name: names[2], min_points: 300 },
  { name: names[3], min_points: 700 },
  { name: names[4], min_points: 1500 }
]

const ladders = {
  "pt-BR": ladder("Iniciante", "Aprendiz", "Praticante", "Especialista", "Mestre"),
  en: ladder("Beginner", "Learner", "Practitioner", "Expert", "Master")
}

/** The levels of a new club, still without ids, named in Brazilian Portuguese or else in English. */
export const defaultLevels = (locale: string) => ladders[locale === "pt-BR" ? "pt-BR" : "en"]
