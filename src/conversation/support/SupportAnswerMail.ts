import type { Locale } from "../../platform/http/Locale.ts"
import { layOut } from "../../platform/mail/Layout.ts"
import type { Mail } from "../../platform/mail/Mail.ts"
import { plainName, plainWords } from "../../platform/mail/Text.ts"

/** An answer of the staff, with the student's own last words. The link is complete. */
export interface SupportAnswer {
  readonly recipient: string
  readonly name: string
  readonly club_name: string
  readonly author_name: string
  readonly subject: string
  readonly body: string
  /** The last words of the student. */
  readonly answered: string
  readonly link: string
}

const linesOf = (text: string) => text.split(/\r?\n/u).filter((line) => line.trim() !== "")

/** The longest line that is quoted, in characters: messages have 5,000. */
const longestLine = 5000

const words = {
  "pt-BR": {
    subject: (subject: string) => `Resposta do suporte: ${subject}`,
    intro: (author: string, club: string) => `${author}, do clube ${club}, respondeu à sua mensagem:`,
    action: "Responder no clube",
    label: "Você escreveu:",
    footer: "Para responder, abra a conversa no clube: as respostas a este e-mail não chegam ao suporte."
  },
  en: {
    subject: (subject: string) => `Support answered: ${subject}`,
    intro: (author: string, club: string) => `${author} of the club ${club} answered your message:`,
    action: "Answer in the club",
    label: "You wrote:",
    footer: "To answer, open the conversation in the club: replies to this mail do not reach support."
  }
} as const

/** To a student whose question the staff has answered. The staff's words stay as they are, links too. */
export const supportAnswerMail = (locale: Locale, answer: SupportAnswer): Mail => {
  const { action, footer, intro, label, subject } = words[locale]
  return layOut({
    locale,
    recipient: answer.recipient,
    name: answer.name,
    subject: subject(plainName(answer.subject)),
    paragraphs: [intro(plainName(answer.author_name), plainName(answer.club_name)), ...linesOf(answer.body)],
    actions: [{ label: action, url: answer.link }],
    quote: { label, lines: linesOf(answer.answered).map((line) => plainWords(line, longestLine)) },
    footer
  })
}
