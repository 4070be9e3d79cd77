import type { Schemas } from "../../../../sdk/index.ts"
import type { Both, SentenceContext } from "./SentenceContext.ts"

// The fate of the events of an outage. Pure.

export type Outage = Schemas["WebhookOutage"]

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const units = [[day, "d"], [hour, "h"], [minute, "min"], [1, "s"]] as const

/** How long something takes, in its two greatest units: `40 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export const lengthOf = (seconds: number): string => {
  const first = Math.max(0, units.findIndex(([unit]) => seconds >= unit))
  const [[greater, name] = [1, "s"], next] = seconds < 1 ? units.slice(-1) : units.slice(first, first + 2)
  const rest = next === undefined ? 0 : Math.floor((seconds % greater) / next[0])
  const most = `${Math.floor(seconds / greater)} ${name}`
  return rest === 0 ? most : `${most} ${rest} ${next?.[1]}`
}

interface Words {
  readonly none: string
  readonly all: (count: string, at: string, length: string) => string
  readonly one: (at: string, length: string) => string
  readonly some: (count: string, all: string) => string
  readonly nothing: (all: string) => string
  readonly recoverable: (count: string) => string
  readonly expired: (count: string) => string
  readonly lost: (count: string) => string
  readonly disabled: (at: string) => string
  readonly held: (from: string, until: string) => string
  readonly later: (count: string) => string
}

const words: Both<Words> = {
  en: {
    none: "The outage has no events.",
    one: (at, length) => `The event is delivered ${at}, ${length} after it came.`,
    all: (count, at, length) => `All ${count} events are delivered, the last ${at}; each takes ${length} at most.`,
    some: (count, all) => `${count} of ${all} events are delivered.`,
    nothing: (all) => `Not one of ${all} events is delivered by itself.`,
    recoverable: (count) => ` ${count} can be recovered once the endpoint is enabled.`,
    expired: (count) => ` ${count} wait too long and are given up.`,
    lost: (count) => ` ${count} come after it is disabled, and are not kept for it.`,
    disabled: (at) => ` The endpoint is disabled ${at}.`,
    held: (from, until) => ` From ${from} until ${until}, one attempt at a time is sent.`,
    later: (count) => ` The hold outlasts the outage: ${count} that come after it wait, too.`
  },
  "pt-BR": {
    none: "A queda não tem eventos.",
    one: (at, length) => `O evento é entregue ${at}, ${length} depois de acontecer.`,
    all: (count, at, length) =>
      `Todos os ${count} eventos são entregues, o último ${at}; nenhum demora mais de ${length}.`,
    some: (count, all) => `${count} de ${all} eventos são entregues.`,
    nothing: (all) => `Nenhum dos ${all} eventos é entregue automaticamente.`,
    recoverable: (count) => ` ${count} podem ser recuperados quando o endpoint for ativado.`,
    expired: (count) => ` ${count} esperam demais e são abandonados.`,
    lost: (count) => ` ${count} chegam depois que o endpoint é desativado e não são guardados.`,
    disabled: (at) => ` O endpoint é desativado ${at}.`,
    held: (from, until) => ` De ${from} a ${until}, só vai uma tentativa por vez.`,
    later: (count) => ` A retenção dura mais que a queda: ${count} eventos posteriores também esperam.`
  }
}

/** The fate of the events of an outage, in sentences. */
export const outageSentence = (outage: Outage, { language, number, time }: SentenceContext): string => {
  const say = words[language]
  const { canceled, delayed_after, delivered, events, expired, failed, not_kept } = outage
  if (events === 0) return say.none
  const last = outage.last_delivered_at
  const slowest = lengthOf(outage.delay.max_seconds ?? 0)
  const begun = delivered === 0 || last === null
    ? say.nothing(number(events))
    : delivered < events
    ? say.some(number(delivered), number(events))
    : events === 1
    ? say.one(time(last), slowest)
    : say.all(number(events), time(last), slowest)
  const count = (many: number, said: (count: string) => string) => many === 0 ? "" : said(number(many))
  const { disabled_at, held_from, held_until } = outage
  return [
    begun,
    disabled_at === null ? "" : say.disabled(time(disabled_at)),
    count(failed + canceled, say.recoverable),
    count(not_kept, say.lost),
    count(expired, say.expired),
    held_from === null || held_until === null ? "" : say.held(time(held_from), time(held_until)),
    count(delayed_after, say.later)
  ].join("")
}
