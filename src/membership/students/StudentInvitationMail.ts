import type { Locale } from "../../platform/http/Locale.ts"
import { layOut } from "../../platform/mail/Layout.ts"
import type { Mail } from "../../platform/mail/Mail.ts"
import { plainName } from "../../platform/mail/Text.ts"

/** `link` is complete, works once, and for 7 days. */
export interface StudentInvitation {
  readonly recipient: string
  readonly name: string
  readonly club_name: string
  readonly link: string
  /** The names of the deliveries that the student has, as their sale or invitation gave them. */
  readonly deliveries?: ReadonlyArray<string>
  /** True if the link leads on to a course. */
  readonly is_course?: boolean
}

/** Names in one line. More than four would hide the button. */
const listed = (locale: Locale, names: ReadonlyArray<string>) => {
  const shown = names.slice(0, 4)
  const more = names.length - shown.length
  const all = more === 0 ? shown : [...shown, locale === "en" ? `${more} more` : `mais ${more}`]
  return new Intl.ListFormat(locale, { type: "conjunction" }).format(all)
}

const englishTexts = (club: string, names: ReadonlyArray<string>, isCourse: boolean) => ({
  subject: names.length === 1 ? `Your access to ${names[0]}` : `Your access to the club ${club}`,
  paragraphs: [
    names.length === 0
      ? `Your access to the club ${club} is ready.`
      : `Your access in the club ${club} is ready: ${listed("en", names)}.`,
    "The link lets you in without a password. It is valid for 7 days and works once."
  ],
  button: isCourse ? "Start the course" : "Enter the club",
  footer: "If you did not expect this invitation, ignore this message."
})

const portugueseTexts = (club: string, names: ReadonlyArray<string>, isCourse: boolean) => ({
  subject: names.length === 1 ? `Seu acesso a ${names[0]}` : `Seu acesso ao clube ${club}`,
  paragraphs: [
    names.length === 0
      ? `Seu acesso ao clube ${club} está liberado.`
      : `Seu acesso no clube ${club} está liberado: ${listed("pt-BR", names)}.`,
    "O link permite entrar sem senha. Ele vale por 7 dias e só pode ser usado uma vez."
  ],
  button: isCourse ? "Começar o curso" : "Entrar no clube",
  footer: "Se você não esperava este convite, ignore esta mensagem."
})

/** To a student with an invitation from the club, or to a buyer. */
export const studentInvitation = (
  locale: Locale,
  { club_name, deliveries = [], is_course = false, link, name, recipient }: StudentInvitation
): Mail => {
  const names = deliveries.map(plainName).filter((known) => known !== "")
  const texts = locale === "en" ? englishTexts : portugueseTexts
  const { button, ...said } = texts(plainName(club_name), names, is_course)
  return layOut({ locale, recipient, name, ...said, actions: [{ label: button, url: link }] })
}
