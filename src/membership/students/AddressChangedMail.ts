import { DateTime } from "effect"
import type { Locale } from "../../platform/http/Locale.ts"
import { layOut } from "../../platform/mail/Layout.ts"
import type { Mail } from "../../platform/mail/Mail.ts"
import { plainName } from "../../platform/mail/Text.ts"

/** The mail to both addresses. Neither contains the other: by a typing error one of them may be a stranger's. */
export interface ChangedAddress {
  readonly recipient: string
  /** True if the recipient is the new address. */
  readonly is_new: boolean
  readonly name: string
  readonly club_name: string
  readonly changed_at: DateTime.Utc
  /** The club's, an IANA name. */
  readonly time_zone: string
  /** The owner of the club, as the contact for questions. */
  readonly contact: { readonly name: string; readonly email: string }
  /** The complete address of the page to sign in. */
  readonly sign_in_link: string
}

const moment = (locale: Locale, changed_at: DateTime.Utc, timeZone: string) => {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone })
  return `${format.format(DateTime.toDateUtc(changed_at))} (${timeZone})`
}

const inEnglish = ({ is_new }: ChangedAddress, club: string, at: string, contact: string) => ({
  subject: `Your e-mail address in the club ${club} was changed`,
  paragraphs: [
    `The staff of the club ${club} changed the e-mail address of your account there on ${at}.`,
    is_new
      ? "This is the address to sign in with from now on."
      : "From now on nobody signs in with this address, and the club sends it no further mails.",
    "All sessions were ended, and links and codes from earlier mails no longer work.",
    `If you did not ask for this change, write to ${contact}, who runs the club.`
  ],
  footer: "If you asked for it, there is nothing to do."
})

const inPortuguese = ({ is_new }: ChangedAddress, club: string, at: string, contact: string) => ({
  subject: `Seu e-mail no clube ${club} foi alterado`,
  paragraphs: [
    `A equipe do clube ${club} alterou o e-mail da sua conta em ${at}.`,
    is_new
      ? "A partir de agora, é com este endereço que você entra."
      : "A partir de agora, ninguém entra com este endereço, e ele não recebe mais mensagens do clube.",
    "Todas as sessões foram encerradas, e links e códigos de mensagens anteriores não funcionam mais.",
    `Se você não pediu esta alteração, escreva para ${contact}, que é titular do clube.`
  ],
  footer: "Se foi você que pediu, não é preciso fazer nada."
})

/** To the address that a student had, or to the one that they have now. */
export const addressChanged = (locale: Locale, data: ChangedAddress): Mail => {
  const { changed_at, contact, is_new, name, recipient, sign_in_link, time_zone } = data
  const textsOf = locale === "en" ? inEnglish : inPortuguese
  const texts = textsOf(
    data,
    plainName(data.club_name),
    moment(locale, changed_at, time_zone),
    `${plainName(contact.name)} (${contact.email})`
  )
  const label = locale === "en" ? "Sign in" : "Entrar"
  return layOut({ locale, recipient, name, ...texts, actions: is_new ? [{ label, url: sign_in_link }] : [] })
}
