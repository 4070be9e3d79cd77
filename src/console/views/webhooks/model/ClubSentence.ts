import {
  type Diagnosis,
  type Endpoint,
  type EndpointHealth,
  endpointHealths,
  healthOf,
  nameOf,
  wantsHelp
} from "./EndpointHealth.ts"
import { endpointSentence, waitingOf } from "./EndpointSentence.ts"
import type { Both, SentenceContext } from "./SentenceContext.ts"

// The state of a club's endpoints in a sentence, and the endpoint that needs help first. Pure.

/** An endpoint with what is known of it. */
export interface Known {
  readonly endpoint: Endpoint
  readonly diagnosis: Diagnosis
}

const health = ({ diagnosis, endpoint }: Known): EndpointHealth => healthOf({ ...endpoint, ...diagnosis })

/** Those that want somebody first; of those that stand alike, in the order that they have. */
export const byUrgency = <K extends Known>(all: ReadonlyArray<K>): ReadonlyArray<K> =>
  all.toSorted((one, other) => endpointHealths.indexOf(health(one)) - endpointHealths.indexOf(health(other)))

const clubWords: Both<{
  readonly none: string
  /** The sentence if no endpoint is enabled. */
  readonly still: string
  readonly right: (count: number, all: number, waiting: string) => string
  readonly wrong: (count: number, all: number) => string
  readonly paused: (count: number, all: number) => string
  readonly disabled: (count: number, all: number) => string
}> = {
  en: {
    disabled: (count, all) =>
      all === 1 ? " The endpoint is disabled." : count === 1 ? " One is disabled." : ` ${count} are disabled.`,
    none: "No events are sent anywhere yet.",
    paused: (count, all) =>
      all === 1 ? " The endpoint is paused." : count === 1 ? " One is paused." : ` ${count} are paused.`,
    right: (count, all, waiting) =>
      count < all
        ? `${count === 1 ? "The endpoint that runs is" : `The ${count} endpoints that run are`} all right: ${waiting}.`
        : `${count === 1 ? "The endpoint is" : `All ${count} endpoints are`} all right: ${waiting}.`,
    still: "Nothing is sent now.",
    wrong: (count, all) =>
      all === 1
        ? "The endpoint needs you."
        : count === 1
        ? `1 of ${all} endpoints needs you.`
        : `${count} of ${all} endpoints need you.`
  },
  "pt-BR": {
    disabled: (count, all) =>
      all === 1
        ? " O endpoint está desativado."
        : count === 1
        ? " Um está desativado."
        : ` ${count} estão desativados.`,
    none: "Nenhum evento é enviado ainda.",
    paused: (count, all) =>
      all === 1 ? " O endpoint está pausado." : count === 1 ? " Um está pausado." : ` ${count} estão pausados.`,
    right: (count, all, waiting) =>
      count < all
        ? `${
          count === 1 ? "O endpoint que funciona está" : `Os ${count} endpoints que funcionam estão`
        } em ordem: ${waiting}.`
        : `${count === 1 ? "O endpoint está" : `Todos os ${count} endpoints estão`} em ordem: ${waiting}.`,
    still: "Nada é enviado agora.",
    wrong: (count, all) =>
      all === 1
        ? "O endpoint precisa da sua atenção."
        : count === 1
        ? `1 de ${all} endpoints precisa da sua atenção.`
        : `${count} de ${all} endpoints precisam da sua atenção.`
  }
}

/**
 * Says that all enabled endpoints of a club are all right, or names the first one that needs help. It also says
 * how many are paused and disabled.
 */
export const clubSentence = (all: ReadonlyArray<Known>, sentenceContext: SentenceContext): string => {
  const { disabled, none, paused, right, still, wrong } = clubWords[sentenceContext.language]
  if (all.length === 0) return none
  const troubled = byUrgency(all).filter((one) => wantsHelp(health(one)))
  const running = all.filter(({ diagnosis }) => diagnosis.status === "enabled")
  const stopped = (as: EndpointHealth, words: typeof paused) => {
    const count = all.filter((one) => health(one) === as).length
    return count === 0 ? "" : words(count, all.length)
  }
  const more = stopped("paused", paused) + stopped("disabled", disabled)
  const [first] = troubled
  if (first !== undefined) {
    const { diagnosis, endpoint } = first
    return `${wrong(troubled.length, all.length)} ${nameOf(endpoint)}: ${
      endpointSentence(endpoint, diagnosis, sentenceContext)
    }${more}`
  }
  if (running.length === 0) return `${still}${more}`
  const depth = running.reduce((sum, { diagnosis }) => sum + diagnosis.queue_depth, 0)
  const isCapped = running.some(({ diagnosis }) => diagnosis.queue_depth_capped)
  const waiting = waitingOf({ queue_depth: depth, queue_depth_capped: isCapped }, sentenceContext)
  return `${right(running.length, all.length, waiting)}${more}`
}
