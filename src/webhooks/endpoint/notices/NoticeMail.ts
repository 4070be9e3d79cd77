import type { DateTime } from "effect"
import type { Locale } from "../../../platform/http/Locale.ts"
import { layOut } from "../../../platform/mail/Layout.ts"
import type { Mail } from "../../../platform/mail/Mail.ts"
import { plainName } from "../../../platform/mail/Text.ts"
import type { Proof } from "../causes/Advice.ts"
import { failureWords } from "../causes/FailureWords.ts"
import type { Failed } from "./Notice.ts"
import { timesOf } from "./NoticeTimes.ts"

/** The recipient of a mail and its endpoint. */
interface Addressed {
  readonly recipient: string
  readonly name: string
  readonly club_name: string
  readonly time_zone: string
  /** Of the endpoint's URL the host alone: path and query may hold a secret. */
  readonly host: string
  /** To the endpoint in the console or dashboard, complete. */
  readonly link: string
}

/** The content of a mail. It leaves the receiver's answers out: they may be about students. */
export type Notice =
  | {
    readonly kind: "held"
    readonly since: DateTime.Utc
    readonly disabled_at: DateTime.Utc
    readonly failure: Failed | null
  }
  | {
    readonly kind: "disabling"
    readonly since: DateTime.Utc
    readonly disabled_at: DateTime.Utc
    readonly failure: Failed | null
  }
  | { readonly kind: "recovered"; readonly at: DateTime.Utc }
  | { readonly kind: "secret_ends"; readonly at: DateTime.Utc; readonly proof: Proof }

interface Words {
  readonly subjects: Readonly<Record<Notice["kind"], (club: string) => string>>
  readonly held: (host: string, since: string) => string
  readonly disabling: (host: string, since: string) => string
  readonly otherwise: (at: string) => string
  readonly recovered: (host: string, at: string) => string
  readonly secret: (host: string, at: string) => string
  readonly rotation: Readonly<Record<Proof, string>>
  readonly failed: (at: string, what: string, next: string) => string
  readonly sample: (type: string, id: string, at: string) => string
  readonly open: string
  readonly footer: (club: string) => string
}

const words = {
  "pt-BR": {
    subjects: {
      held: (club) => `Um endpoint de webhook do clube ${club} não aceita eventos`,
      disabling: (club) => `Um endpoint de webhook do clube ${club} será desativado`,
      recovered: (club) => `Um endpoint de webhook do clube ${club} voltou a aceitar eventos`,
      secret_ends: (club) => `Um segredo de webhook do clube ${club} está perto de expirar`
    },
    held: (host, since) =>
      `O endpoint de webhook em ${host} está retido há uma hora: nada é aceito desde ${since}. ` +
      "Só vai uma tentativa por vez até uma ser aceita; enquanto isso, os eventos esperam.",
    disabling: (host, since) => `O endpoint de webhook em ${host} não aceita nada desde ${since}.`,
    otherwise: (at) =>
      `Se nada for aceito até ${at}, ele será desativado: o que espera será cancelado, e eventos novos não serão guardados.`,
    recovered: (host, at) =>
      `O endpoint de webhook em ${host} voltou a aceitar eventos: o último foi aceito em ${at}. O que esperava está sendo enviado.`,
    secret: (host, at) =>
      `Um segredo anterior do endpoint de webhook em ${host} deixa de assinar em ${at}. Depois disso, só os segredos mais novos assinam.`,
    rotation: {
      proved: "Uma avaliação mostrou que seu sistema já usa o segredo mais novo.",
      lacking: "Uma avaliação mostrou que seu sistema recusa o segredo mais novo: informe o novo segredo a ele.",
      accepted:
        "Desde a troca houve envios aceitos, mas com as duas assinaturas: confira se seu sistema já usa o segredo mais novo.",
      nothing: "Desde a troca nada foi aceito: confira se seu sistema já usa o segredo mais novo."
    },
    failed: (at, what, next) => `A última tentativa falhou em ${at}. ${what}. ${next}`,
    sample: (type, id, at) => `Um exemplo é o evento ${id}, ${type}, de ${at}.`,
    open: "Abrir o endpoint",
    footer: (club) =>
      `Você recebe esta mensagem porque administra o clube ${club}. Dá para desligar os avisos em cada endpoint.`
  },
  en: {
    subjects: {
      held: (club) => `A webhook endpoint of the club ${club} does not accept events`,
      disabling: (club) => `A webhook endpoint of the club ${club} is about to be disabled`,
      recovered: (club) => `A webhook endpoint of the club ${club} accepts events again`,
      secret_ends: (club) => `A webhook secret of the club ${club} is about to end`
    },
    held: (host, since) =>
      `The webhook endpoint at ${host} has been held for an hour: nothing was accepted since ${since}. ` +
      "One attempt at a time is sent until one is accepted; meanwhile events wait.",
    disabling: (host, since) => `The webhook endpoint at ${host} has accepted nothing since ${since}.`,
    otherwise: (at) =>
      `If nothing is accepted until ${at}, it is disabled: what waits is canceled, and new events are not kept for it.`,
    recovered: (host, at) =>
      `The webhook endpoint at ${host} accepts events again: one was accepted at ${at}. Waiting events are being sent.`,
    secret: (host, at) =>
      `A previous secret of the webhook endpoint at ${host} stops signing at ${at}. From then on only newer secrets sign.`,
    rotation: {
      proved: "A grading has shown that your system has the newest secret.",
      lacking: "A grading has shown that your system refuses the newest secret: give it the new one.",
      accepted:
        "Deliveries were accepted since it was replaced, but with both signatures: look whether your system has the newest secret.",
      nothing: "Nothing was accepted since it was replaced: look whether your system has the newest secret."
    },
    failed: (at, what, next) => `The last attempt failed at ${at}. ${what}. ${next}`,
    sample: (type, id, at) => `An example is the event ${id}, ${type}, of ${at}.`,
    open: "Open the endpoint",
    footer: (club) =>
      `You receive this message because you administer the club ${club}. Notices can be switched off at each endpoint.`
  }
} as const satisfies Record<Locale, Words>

/** Why the last attempt failed, what helps, and a delivery that waits for it, as a paragraph. */
export const failureParagraph = (locale: Locale, failure: Failed, time_zone: string): string => {
  const time = timesOf(locale, time_zone)
  const { next_step, what } = failureWords(locale, failure, time)
  const { failed, sample } = words[locale]
  const told = failed(time(failure.at), what, next_step)
  if (failure.sample === undefined) return told
  const { created_at, event_id, event_type } = failure.sample
  return `${told} ${sample(event_type, event_id, time(created_at))}`
}

const paragraphsOf = (locale: Locale, { host, time_zone }: Addressed, notice: Notice): ReadonlyArray<string> => {
  const say = words[locale]
  const time = timesOf(locale, time_zone)
  switch (notice.kind) {
    case "held":
    case "disabling": {
      const { disabled_at, failure, kind, since } = notice
      return [
        say[kind](host, time(since)),
        ...(failure === null ? [] : [failureParagraph(locale, failure, time_zone)]),
        say.otherwise(time(disabled_at))
      ]
    }
    case "recovered":
      return [say.recovered(host, time(notice.at))]
    case "secret_ends":
      return [say.secret(host, time(notice.at)), say.rotation[notice.proof]]
  }
}

/** A mail to administrators about a state of a webhook endpoint. */
export const noticeMail = (locale: Locale, to: Addressed, notice: Notice): Mail => {
  const say = words[locale]
  const club = plainName(to.club_name)
  return layOut({
    locale,
    recipient: to.recipient,
    name: to.name,
    subject: say.subjects[notice.kind](club),
    paragraphs: paragraphsOf(locale, to, notice),
    actions: [{ label: say.open, url: to.link }],
    footer: say.footer(club)
  })
}
