import type { Role } from "../../identity/people/Role.ts"
import type { Locale } from "../../platform/http/Locale.ts"
import { layOut } from "../../platform/mail/Layout.ts"
import type { Mail } from "../../platform/mail/Mail.ts"
import { plainName } from "../../platform/mail/Text.ts"

/** `link` is complete and works for 7 days. */
export interface ClubInvitation {
  readonly recipient: string
  readonly club_name: string
  readonly inviter_name: string
  readonly role: Role
  readonly link: string
}

const roles = {
  "pt-BR": { owner: "titular", admin: "administração", editor: "edição", support: "suporte", viewer: "leitura" },
  en: { owner: "owner", admin: "administrator", editor: "editor", support: "support", viewer: "viewer" }
} as const satisfies Record<Locale, Record<Role, string>>

/** To become a member of a club. */
export const clubInvitation = (locale: Locale, data: ClubInvitation): Mail => {
  const { link, recipient } = data
  const club = plainName(data.club_name)
  const inviter = plainName(data.inviter_name)
  const role = roles[locale][data.role]
  return layOut({
    locale,
    recipient,
    ...(locale === "en"
      ? {
        subject: `Invitation to the club ${club}`,
        paragraphs: [
          `${inviter} invites you to join the club ${club}. Your role there: ${role}.`,
          "The invitation is valid for 7 days."
        ],
        actions: [{ label: "Accept the invitation", url: link }],
        footer: "If you did not expect this invitation, ignore this message."
      }
      : {
        subject: `Convite para o clube ${club}`,
        paragraphs: [
          `${inviter} convida você para a equipe do clube ${club}. Seu acesso: ${role}.`,
          "O convite vale por 7 dias."
        ],
        actions: [{ label: "Aceitar convite", url: link }],
        footer: "Se você não esperava este convite, ignore esta mensagem."
      })
  })
}
