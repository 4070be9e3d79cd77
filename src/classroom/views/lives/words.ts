import { counted, number } from "../../../browser/client/Format.ts"
import { spoken } from "../../../browser/client/Language.ts"
import type { Wait } from "./agenda.ts"

const joined = (parts: ReadonlyArray<string | false>, and: string) =>
  parts.filter((part) => part !== false).join(` ${and} `)

/** `2 days and 3 hours`: two units at most. */
const inEnglish = ({ days, hours, minutes }: Wait) =>
  joined([
    days > 0 && counted(days, "1 day", `${days} days`),
    hours > 0 && counted(hours, "1 hour", `${hours} hours`),
    days === 0 && minutes > 0 && counted(minutes, "1 minute", `${minutes} minutes`)
  ], "and")

const inPortuguese = ({ days, hours, minutes }: Wait) =>
  joined([
    days > 0 && counted(days, "1 dia", `${days} dias`),
    hours > 0 && counted(hours, "1 hora", `${hours} horas`),
    days === 0 && minutes > 0 && counted(minutes, "1 minuto", `${minutes} minutos`)
  ], "e")

const isNow = ({ days, hours, minutes }: Wait) => days + hours + minutes === 0

/** The words of the view of lives. */
export const words = spoken(
  {
    calendar: "Add to my calendar",
    calendarOf: (title: string) => `Add ${title} to my calendar`,
    coming: "Coming up",
    inClub: (time: string) => `${time} by the club's clock`,
    earned: (points: number) => `You are in: ${counted(points, "1 point", `${number(points)} points`)} for you`,
    join: "Join now",
    joined: "You were there",
    late: "It begins as soon as the teacher opens it.",
    more: "Show more",
    none: "No lives are planned",
    noneText: "When a live of one of your courses is announced, you find it here with its date.",
    now: "Live now",
    past: "Past lives",
    pays: "Those who join earn points.",
    present: "I am here",
    title: "Lives",
    until: (wait: Wait) => isNow(wait) ? "Begins any moment" : `Begins in ${inEnglish(wait)}`,
    without: "The address comes from the teacher. Say here that you are there."
  },
  {
    calendar: "Adicionar à minha agenda",
    calendarOf: (title: string) => `Pôr ${title} na minha agenda`,
    coming: "Próximas",
    inClub: (time: string) => `${time} no horário do clube`,
    earned: (points: number) =>
      `Presença registrada: ${counted(points, "1 ponto", `${number(points)} pontos`)} para você`,
    join: "Entrar agora",
    joined: "Você participou",
    late: "Começa assim que o professor abrir.",
    more: "Mostrar mais",
    none: "Nenhuma live marcada",
    noneText: "Quando uma live de um dos seus cursos for marcada, ela aparece aqui com a data.",
    now: "Ao vivo agora",
    past: "Já aconteceram",
    pays: "Quem entra ganha pontos.",
    present: "Estou aqui",
    title: "Ao vivo",
    until: (wait: Wait) => isNow(wait) ? "Começa a qualquer momento" : `Começa em ${inPortuguese(wait)}`,
    without: "O professor passa o endereço. Marque aqui a sua presença."
  }
)
