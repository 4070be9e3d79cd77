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
}

/** To a student with an invitation from the club. */
export const studentInvitation = (locale: Locale, { club_name, link, name, recipient }: StudentInvitation): Mail => {
  const club = plainName(club_name)
  return layOut({
    locale,
    recipient,
    name,
    ...(locale === "en"
      ? {
        subject: `Your access to the club ${club}`,
        paragraphs: [
          `Your access to the club ${club} is ready.`,
          "The link lets you in without a password. It is valid for 7 days and works once."
        ],
        actions: [{ label: "Enter the club", url: link }],
        footer: "If you did not expect this invitation, ignore this message."
      }
      : {
        subject: `Seu acesso ao clube ${club}`,
        paragraphs: [
          `Seu acesso ao clube ${club} está liberado.`,
          "O link permite entrar sem senha. Ele vale por 7 dias e só pode ser usado uma vez."
        ],
        actions: [{ label: "Entrar no clube", url: link }],
        footer: "Se você não esperava este convite, ignore esta mensagem."
      })
  })
}
