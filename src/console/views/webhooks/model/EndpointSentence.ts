import {
  type Diagnosis,
  type Endpoint,
  type EndpointHealth,
  healthOf,
  type HoldPhase,
  holdPhaseOf,
  wantsHelp
} from "./EndpointHealth.ts"
import type { Both, SentenceContext } from "./SentenceContext.ts"

// The state of an endpoint in a sentence: all right, or the fault and since when. Pure.

interface Facts {
  readonly failures: string
  readonly isOne: boolean
  readonly since: string | undefined
  readonly until: string | undefined
  readonly disabledAt: string | undefined
  readonly projected: string | undefined
  readonly waiting: string
}

type Sentences = Readonly<
  Record<Exclude<EndpointHealth, "held"> | HoldPhase | "paused_empty" | "unreadable", (facts: Facts) => string>
>

const since = (word: string, at: string | undefined) => at === undefined ? "" : `${word}${at}`

const words: Both<Sentences> = {
  en: {
    delivering: ({ waiting }) => `It delivers: ${waiting}.`,
    disabled: ({ disabledAt }) =>
      `Somebody disabled it${since(" ", disabledAt)}: nothing is sent, and new events are not kept for it.`,
    disabled_failing: ({ disabledAt }) =>
      `It was disabled${
        since(" ", disabledAt)
      } because it accepted nothing for days: new events are not kept for it. Fix the receiver, enable the endpoint, then recover what it missed.`,
    failing: ({ failures, isOne, projected, since: at, waiting }) =>
      `${isOne ? "The last attempt failed" : `The last ${failures} attempts failed`}${
        since(", since ", at)
      }; ${waiting}.${since(" If nothing is accepted, it is disabled ", projected)}`,
    held: ({ failures, projected, since: at, until, waiting }) =>
      `Held after ${failures} failures in a row${since(", since ", at)}: it is tried again ${
        until ?? ""
      }, one attempt at a time; ${waiting}.${since(" If nothing is accepted, it is disabled ", projected)}`,
    held_empty: ({ failures, projected, since: at }) =>
      `Held after ${failures} failures in a row${
        since(", since ", at)
      }; nothing waits. Send a test: one that is accepted ends the hold.${
        since(" If nothing is accepted, it is disabled ", projected)
      }`,
    listening: ({ waiting }) => `The listener asks for due deliveries: ${waiting}.`,
    paused: ({ waiting }) => `Paused: ${waiting} until you enable it, and new events wait too.`,
    paused_empty: () => "Paused: nothing waits yet, and new events wait until you enable it.",
    probing: ({ failures, since: at, waiting }) =>
      `After ${failures} failures in a row${
        since(", since ", at)
      }, one attempt at a time is sent until one is accepted; ${waiting}.`,
    unreadable: ({ waiting }) =>
      `Nothing is sent: the service's keys do not open its secrets. Tell the operator; ${waiting}.`,
    untried: ({ waiting }) => `Nothing was sent to it yet: ${waiting}. Send a test.`
  },
  "pt-BR": {
    delivering: ({ waiting }) => `Entregando: ${waiting}.`,
    disabled: ({ disabledAt }) =>
      `Alguém o desativou${since(" ", disabledAt)}: nada é enviado, e eventos novos não são guardados para ele.`,
    disabled_failing: ({ disabledAt }) =>
      `Foi desativado${
        since(" ", disabledAt)
      } porque não aceitou nada por dias: eventos novos não são guardados para ele. Corrija o receptor, ative o endpoint e recupere o que ele perdeu.`,
    failing: ({ failures, isOne, projected, since: at, waiting }) =>
      `${isOne ? "A última tentativa falhou" : `As últimas ${failures} tentativas falharam`}${
        since(", desde ", at)
      }; ${waiting}.${since(" Se nada for aceito, será desativado ", projected)}`,
    held: ({ failures, projected, since: at, until, waiting }) =>
      `Retido após ${failures} falhas seguidas${since(", desde ", at)}: a próxima tentativa será ${
        until ?? ""
      }, uma por vez; ${waiting}.${since(" Se nada for aceito, será desativado ", projected)}`,
    held_empty: ({ failures, projected, since: at }) =>
      `Retido após ${failures} falhas seguidas${
        since(", desde ", at)
      }; nada espera. Envie um teste: se for aceito, a retenção acaba.${
        since(" Se nada for aceito, será desativado ", projected)
      }`,
    listening: ({ waiting }) => `O listener busca os envios pendentes: ${waiting}.`,
    paused: ({ waiting }) => `Pausado: ${waiting} até você ativá-lo, e eventos novos também esperam.`,
    paused_empty: () => "Pausado: nada espera ainda, e eventos novos esperam até você ativá-lo.",
    probing: ({ failures, since: at, waiting }) =>
      `Após ${failures} falhas seguidas${
        since(", desde ", at)
      }, só vai uma tentativa por vez até uma ser aceita; ${waiting}.`,
    unreadable: ({ waiting }) =>
      `Nada é enviado: as chaves do serviço não abrem os segredos dele. Avise quem cuida do servidor; ${waiting}.`,
    untried: ({ waiting }) => `Nada foi enviado a ele ainda: ${waiting}. Envie um teste.`
  }
}

const waitingWords: Both<{ readonly none: string; readonly one: string; readonly more: (count: string) => string }> = {
  en: { none: "nothing waits", one: "1 delivery waits", more: (count) => `${count} deliveries wait` },
  "pt-BR": { none: "nada espera", one: "1 envio espera", more: (count) => `${count} envios esperam` }
}

const beyond: Both<string> = { en: "more than ", "pt-BR": "mais de " }

/** The waiting deliveries, in words. */
export const waitingOf = (
  { queue_depth, queue_depth_capped }: Pick<Diagnosis, "queue_depth" | "queue_depth_capped">,
  { language, number }: SentenceContext
): string => {
  const { more, none, one } = waitingWords[language]
  if (queue_depth_capped) return more(`${beyond[language]}${number(queue_depth)}`)
  return queue_depth === 0 ? none : queue_depth === 1 ? one : more(number(queue_depth))
}

const causeWords: Both<string> = { en: "Why the last attempt failed:", "pt-BR": "Por que a última tentativa falhou:" }

/** The cause of the last failure and its remedy, in the API's words, if it explains the endpoint's state. */
const causeOf = (health: EndpointHealth, { last_failure }: Diagnosis, { language }: SentenceContext): string =>
  last_failure === null || !wantsHelp(health)
    ? ""
    : ` ${causeWords[language]} ${last_failure.sentence} ${last_failure.next_step}`

/** Says that an endpoint is all right, or the fault, since when, and why. */
export const endpointSentence = (
  endpoint: Endpoint,
  diagnosis: Diagnosis,
  sentenceContext: SentenceContext
): string => {
  const { language, moment, now, number, time } = sentenceContext
  const { consecutive_failures, failing_since, next_attempt_at, projected_disable_at, queue_depth } = diagnosis
  const at = (timestamp: string | null) => timestamp === null ? undefined : moment(timestamp)
  const health = healthOf({ ...endpoint, ...diagnosis })
  const isUnreadable = endpoint.status === "enabled" &&
    diagnosis.advice.some(({ about }) => about === "secrets_unreadable")
  const told = isUnreadable
    ? "unreadable"
    : health === "held"
    ? holdPhaseOf(next_attempt_at, now)
    : health === "paused" && queue_depth === 0
    ? "paused_empty"
    : health
  return `${
    words[language][told]({
      failures: number(consecutive_failures),
      isOne: consecutive_failures === 1,
      since: failing_since === null ? undefined : time(failing_since),
      until: at(next_attempt_at),
      disabledAt: at(endpoint.disabled_at),
      projected: projected_disable_at === null ? undefined : `${moment(projected_disable_at)}.`,
      waiting: waitingOf(diagnosis, sentenceContext)
    })
  }${isUnreadable ? "" : causeOf(health, diagnosis, sentenceContext)}`
}
