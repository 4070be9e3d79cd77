import type { Locale } from "../../platform/http/Locale.ts"
import { layOut } from "../../platform/mail/Layout.ts"
import type { Mail } from "../../platform/mail/Mail.ts"
import { plainName } from "../../platform/mail/Text.ts"

/** The part that every mail about an account has. */
interface Addressee {
  readonly recipient: string
  readonly name?: string | undefined
  /** The student's club; absent for administrators, whose account is with Turma. */
  readonly club_name?: string | undefined
}

/** `link` is complete and works for 24 hours. */
export interface ConfirmEmail extends Addressee {
  readonly link: string
}

/** The mail contains no entry of the second sign-up, since it may come from another person. */
export interface AccountExists extends Omit<Addressee, "name"> {
  readonly sign_in_link: string
  readonly forgot_link: string
}

/** `link` is complete and works for one hour. */
export interface ResetPassword extends Addressee {
  readonly link: string
}

/** Another person may have changed it: `forgot_link` leads to a new password. */
export interface PasswordChanged extends Addressee {
  readonly forgot_link: string
}

/** `code` works once, for 15 minutes; `link` leads to the page for it, or contains it. */
export interface AccessCode extends Addressee {
  readonly code: string
  readonly link?: string | undefined
}

const inClub = (locale: Locale, club_name: string | undefined) => {
  const club = plainName(club_name ?? "")
  if (locale === "en") return club === "" ? "with Turma" : `in the club ${club}`
  return club === "" ? "na Turma" : `no clube ${club}`
}

/** After a sign-up: the link confirms the account. */
export const confirmEmail = (locale: Locale, { club_name, link, name, recipient }: ConfirmEmail): Mail => {
  const where = inClub(locale, club_name)
  return layOut({
    locale,
    recipient,
    name,
    ...(locale === "en"
      ? {
        subject: "Confirm your e-mail address",
        paragraphs: [
          `Somebody, we hope it was you, signed up ${where} with this address.`,
          "Confirm the address to finish. The link is valid for 24 hours and works once."
        ],
        actions: [{ label: "Confirm e-mail address", url: link }],
        footer: "If it was not you, ignore this message: without the confirmation the sign-up is not completed."
      }
      : {
        subject: "Confirme seu e-mail",
        paragraphs: [
          `Recebemos um cadastro ${where} com este endereço.`,
          "Para concluir, confirme seu e-mail. O link vale por 24 horas e só pode ser usado uma vez."
        ],
        actions: [{ label: "Confirmar e-mail", url: link }],
        footer: "Se não foi você, ignore esta mensagem: sem a confirmação, o cadastro não é concluído."
      })
  })
}

/** After a sign-up with an address that already has an account. */
export const accountExists = (locale: Locale, data: AccountExists): Mail => {
  const { club_name, forgot_link, recipient, sign_in_link } = data
  const where = inClub(locale, club_name)
  return layOut({
    locale,
    recipient,
    ...(locale === "en"
      ? {
        subject: "You already have an account",
        paragraphs: [
          `Somebody, perhaps you, tried to sign up ${where} with this address, which already has an account.`,
          "Sign in with it. If you forgot the password, create a new one."
        ],
        actions: [{ label: "Sign in", url: sign_in_link }, { label: "Create a new password", url: forgot_link }],
        footer: "If it was not you, there is nothing to do: nobody has gained access to your account."
      }
      : {
        subject: "Você já tem uma conta",
        paragraphs: [
          `Alguém, talvez você, tentou se cadastrar ${where} com este endereço, que já tem uma conta.`,
          "Entre com ela. Se esqueceu a senha, crie uma nova."
        ],
        actions: [{ label: "Entrar", url: sign_in_link }, { label: "Criar nova senha", url: forgot_link }],
        footer: "Se não foi você, não é preciso fazer nada: ninguém teve acesso à sua conta."
      })
  })
}

/** After "forgot password". */
export const resetPassword = (locale: Locale, { club_name, link, name, recipient }: ResetPassword): Mail => {
  const where = inClub(locale, club_name)
  return layOut({
    locale,
    recipient,
    name,
    ...(locale === "en"
      ? {
        subject: "Create a new password",
        paragraphs: [
          `Somebody asked for a new password for your account ${where}.`,
          "The link is valid for 1 hour and works once."
        ],
        actions: [{ label: "Create a new password", url: link }],
        footer: "If it was not you, ignore this message: your password stays as it is."
      }
      : {
        subject: "Crie uma nova senha",
        paragraphs: [
          `Recebemos um pedido de nova senha para a sua conta ${where}.`,
          "O link vale por 1 hora e só pode ser usado uma vez."
        ],
        actions: [{ label: "Criar nova senha", url: link }],
        footer: "Se não foi você, ignore esta mensagem: sua senha continua a mesma."
      })
  })
}

/** After a password was changed or reset. */
export const passwordChanged = (locale: Locale, data: PasswordChanged): Mail => {
  const { club_name, forgot_link, name, recipient } = data
  const where = inClub(locale, club_name)
  return layOut({
    locale,
    recipient,
    name,
    ...(locale === "en"
      ? {
        subject: "Your password was changed",
        paragraphs: [
          `The password of your account ${where} has just been changed, and your other sessions were ended.`,
          "If it was not you, create a new password right away."
        ],
        actions: [{ label: "Create a new password", url: forgot_link }],
        footer: "If it was you, there is nothing to do."
      }
      : {
        subject: "Sua senha foi alterada",
        paragraphs: [
          `A senha da sua conta ${where} acaba de ser alterada, e as suas outras sessões foram encerradas.`,
          "Se não foi você, crie uma nova senha agora mesmo."
        ],
        actions: [{ label: "Criar nova senha", url: forgot_link }],
        footer: "Se foi você, não é preciso fazer nada."
      })
  })
}

/** The code is not in the subject, which a locked screen shows. */
export const accessCode = (locale: Locale, { club_name, code, link, name, recipient }: AccessCode): Mail => {
  const where = inClub(locale, club_name)
  return layOut({
    locale,
    recipient,
    name,
    ...(locale === "en"
      ? {
        subject: "Your access code",
        paragraphs: [
          `Here is the access code for your account ${where}.`,
          "It is valid for 15 minutes and works once."
        ],
        actions: link === undefined ? [] : [{ label: "Sign in", url: link }],
        code,
        footer: "Share this code with nobody. If you did not ask for it, ignore this message."
      }
      : {
        subject: "Seu código de acesso",
        paragraphs: [
          `Este é o código de acesso da sua conta ${where}.`,
          "Ele vale por 15 minutos e só pode ser usado uma vez."
        ],
        actions: link === undefined ? [] : [{ label: "Entrar", url: link }],
        code,
        footer: "Não compartilhe este código com ninguém. Se não foi você que pediu, ignore esta mensagem."
      })
  })
}
