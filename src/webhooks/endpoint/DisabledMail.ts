import { Duration } from "effect"
import type { Locale } from "../../platform/http/Locale.ts"
import { layOut } from "../../platform/mail/Layout.ts"
import type { Mail } from "../../platform/mail/Mail.ts"
import { plainName } from "../../platform/mail/Text.ts"
import type { Failed } from "./notices/Notice.ts"
import { failureParagraph } from "./notices/NoticeMail.ts"

/** `link` is complete: to the endpoint in the console or dashboard. */
export interface DisabledEndpoint {
  readonly recipient: string
  readonly name: string
  readonly club_name: string
  /** Of the endpoint's URL the host alone: path and query may hold a secret. */
  readonly host: string
  /** For how long nothing was accepted. */
  readonly failing: Duration.Duration
  /** The last attempt, if it is known. */
  readonly failure: Failed | null
  /** The club's. */
  readonly time_zone: string
  /** Deliveries that waited and will not be sent unless they are recovered. */
  readonly canceled: number
  /** How far back deliveries can be recovered. */
  readonly recoverable: Duration.Duration
  readonly link: string
}

const units = {
  "pt-BR": { day: "dia", days: "dias", hour: "hora", hours: "horas" },
  en: { day: "day", days: "days", hour: "hour", hours: "hours" }
} as const satisfies Record<Locale, Record<string, string>>

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** In days; in hours if it is not even one. */
const spoken = (duration: Duration.Duration, { day, days, hour, hours }: typeof units[Locale]) =>
  Duration.toDays(duration) >= 1
    ? counted(Math.floor(Duration.toDays(duration)), day, days)
    : counted(Math.ceil(Duration.toHours(duration)), hour, hours)

const words = {
  "pt-BR": {
    subject: (club: string) => `Um endpoint de webhook do clube ${club} foi desativado`,
    disabled: (host: string, failing: string) =>
      `O endpoint de webhook em ${host} não aceitou nada por ${failing} e por isso foi desativado: ` +
      "novos eventos não são enviados a ele.",
    canceled: (count: number) =>
      counted(count, "envio que aguardava foi cancelado.", "envios que aguardavam foram cancelados."),
    recover: (recoverable: string) =>
      "Quando seu sistema voltar a responder, ative o endpoint no painel. Depois " +
      `recupere o que faltou: envios de até ${recoverable} atrás que falharam ou foram cancelados podem ser reenviados.`,
    open: "Abrir o endpoint",
    footer: (club: string) => `Você recebe esta mensagem porque administra o clube ${club}.`
  },
  en: {
    subject: (club: string) => `A webhook endpoint of the club ${club} was disabled`,
    disabled: (host: string, failing: string) =>
      `The webhook endpoint at ${host} has accepted nothing for ${failing}, so it was disabled: ` +
      "new events are not sent to it.",
    canceled: (count: number) =>
      counted(count, "delivery that was waiting was canceled.", "deliveries that were waiting were canceled."),
    recover: (recoverable: string) =>
      "Once your system answers again, enable the endpoint in the dashboard. Then " +
      `recover what it missed: failed and canceled deliveries of up to ${recoverable} ago can be sent again.`,
    open: "Open the endpoint",
    footer: (club: string) => `You receive this message because you administer the club ${club}.`
  }
} as const satisfies Record<Locale, unknown>

/** A webhook endpoint was disabled because it has accepted nothing for too long. */
export const endpointDisabled = (locale: Locale, data: DisabledEndpoint): Mail => {
  const say = words[locale]
  const club = plainName(data.club_name)
  return layOut({
    locale,
    recipient: data.recipient,
    name: data.name,
    subject: say.subject(club),
    paragraphs: [
      say.disabled(data.host, spoken(data.failing, units[locale])),
      ...(data.failure === null ? [] : [failureParagraph(locale, data.failure, data.time_zone)]),
      say.canceled(data.canceled),
      say.recover(spoken(data.recoverable, units[locale]))
    ],
    actions: [{ label: say.open, url: data.link }],
    footer: say.footer(club)
  })
}
