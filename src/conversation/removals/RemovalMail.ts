import type { Locale } from "../../platform/http/Locale.ts"
import { layOut } from "../../platform/mail/Layout.ts"
import type { Mail } from "../../platform/mail/Mail.ts"
import { plainName } from "../../platform/mail/Text.ts"

/** `link` is complete, works once, and for 24 hours. */
export interface RemovalLink {
  readonly recipient: string
  readonly name: string
  readonly club_name: string
  readonly link: string
}

/** To a student who asks to be removed. */
export const removalMail = (locale: Locale, { club_name, link, name, recipient }: RemovalLink): Mail => {
  const club = plainName(club_name)
  return layOut({
    locale,
    recipient,
    name,
    ...(locale === "en"
      ? {
        subject: "Confirm that you want your account removed",
        paragraphs: [
          `Somebody, we hope it was you, asked for your account in the club ${club} to be removed.`,
          "Confirm it, and the club's staff gets the request. With the account you lose your courses, your progress and what you wrote.",
          "The link is valid for 24 hours and works once."
        ],
        actions: [{ label: "Ask for the removal", url: link }],
        footer: "If it was not you, ignore this message: without the confirmation nothing happens."
      }
      : {
        subject: "Confirme a exclusão da sua conta",
        paragraphs: [
          `Recebemos um pedido de exclusão da sua conta no clube ${club}.`,
          "Se você confirmar, a equipe do clube recebe o pedido. Com a conta, você perde os seus cursos, o seu progresso e o que escreveu.",
          "O link vale por 24 horas e só pode ser usado uma vez."
        ],
        actions: [{ label: "Pedir a exclusão", url: link }],
        footer: "Se não foi você, ignore esta mensagem: sem a confirmação, nada acontece."
      })
  })
}

/** The conversation in which a student asks the staff, in the language of the club. */
export const removalWords: Readonly<Record<Locale, { readonly subject: string; readonly body: string }>> = {
  en: {
    subject: "Please remove my account",
    body: "I ask you to remove my account and my data from this club. I have confirmed this by the link in an e-mail."
  },
  "pt-BR": {
    subject: "Exclusão da minha conta",
    body:
      "Peço a exclusão da minha conta e dos meus dados neste clube. Confirmei este pedido pelo link que recebi por e-mail."
  }
}
