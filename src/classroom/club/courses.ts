import { date, dateTime } from "../../browser/client/Format.ts"
import { said, spoken } from "../../browser/client/Language.ts"
import { localOf } from "../../browser/client/Time.ts"
import type { Schemas } from "../../sdk/index.ts"

/** A course with its lessons. */
export type Outline = Schemas["ClassroomOutline"]

/** A lesson in the outline of a course. */
export type OutlineLesson = Outline["modules"][number]["lessons"][number]

/** The words that views of courses and lessons share. */
export const courseWords = spoken(
  {
    begin: "Start course",
    completed: "completed",
    ended: (date: string) => `Your access ended on ${date}`,
    endedSome: "Your access has ended",
    goOn: "Continue",
    kinds: { assignment: "Assignment", file: "File", quiz: "Quiz", text: "Text", video: "Video" },
    lessons: (done: number, all: number) => `${done} of ${all} ${all === 1 ? "lesson" : "lessons"}`,
    locked: "locked",
    notIncluded: "Not part of your access",
    opens: (date: string) => `Opens on ${date}`,
    progress: "Progress",
    with: (name: string) => `With ${name}`
  },
  {
    begin: "Começar o curso",
    completed: "concluída",
    ended: (date: string) => `Seu acesso terminou em ${date}`,
    endedSome: "Seu acesso terminou",
    goOn: "Continuar",
    kinds: { assignment: "Tarefa", file: "Arquivo", quiz: "Questionário", text: "Texto", video: "Vídeo" },
    lessons: (done: number, all: number) => `${done} de ${all} ${all === 1 ? "aula" : "aulas"}`,
    locked: "bloqueada",
    notIncluded: "Não faz parte do seu acesso",
    opens: (date: string) => `Abre em ${date}`,
    progress: "Progresso",
    with: (name: string) => `Com ${name}`
  }
)

/** When something opens: the day, and the time unless that is midnight for the reader. */
export const opening = (at: string): string =>
  said(courseWords).opens(localOf(at).endsWith("T00:00") ? date(at) : dateTime(at))

/** How long something plays, as a list has it: `12 min`, `1 h 5 min`. */
export const playTime = (seconds: number): string => {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const [hours, left] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${left} min`
  return left === 0 ? `${hours} h` : `${hours} h ${left} min`
}
