import { timestampOf } from "../../../../browser/client/Time.ts"
import type { Schemas } from "../../../../sdk/index.ts"
import type { Both, SentenceContext } from "./SentenceContext.ts"

// A recovery in words: its start, its progress and its results. Pure.

export type Recovery = Schemas["WebhookRecovery"]

const hour = 3_600_000

/** How far back the API recovers, in hours. */
export const mostHours = 720

/** From when on what is `hours` old at most is recovered, never further back than the API goes. */
export const recoverySince = (hours: number, opened: number, now: number): string =>
  timestampOf(Math.max(opened - hours * hour, now - mostHours * hour))

/** True if it sends, or is paused and can continue. */
export const isUnderWay = ({ status }: Recovery): boolean => status === "running" || status === "paused"

/** True if it has its final state. */
export const hasEnded = ({ status }: Recovery): boolean => status === "completed" || status === "canceled"

/** Number of its deliveries that have had their attempt, or will never have it. */
export const doneOf = ({ canceled, failed, skipped, succeeded }: Recovery["progress"]): number =>
  canceled + failed + skipped + succeeded

interface Counts {
  readonly total: string
  readonly isOne: boolean
  readonly done: string
  readonly accepted: string
  readonly refused: string
}

interface Words {
  readonly counting: (counts: Counts) => string
  readonly previewed: (counts: Counts) => string
  readonly nothing: string
  readonly running: (counts: Counts) => string
  readonly blocked: Readonly<Record<NonNullable<Recovery["blocked_by"]>, (counts: Counts) => string>>
  readonly paused: (counts: Counts) => string
  readonly completed: (counts: Counts) => string
  readonly skipped: (count: string, isOne: boolean) => string
  readonly canceled: Readonly<Record<NonNullable<Recovery["cancel_reason"]>, string>>
  readonly before: (counts: Counts) => string
}

const words: Both<Words> = {
  en: {
    before: ({ accepted, refused }) => ` Before that, ${accepted} were accepted and ${refused} were not.`,
    blocked: {
      endpoint_held: ({ done, total }) =>
        `${done} of ${total} were sent again. The endpoint is held after failures, so deliveries go one by one until one is accepted.`,
      endpoint_paused: ({ done, total }) =>
        `${done} of ${total} were sent again. The endpoint is paused: the recovery continues once you enable it.`
    },
    canceled: {
      endpoint_deleted: "It was canceled because its endpoint was deleted.",
      endpoint_disabled: "It was canceled because its endpoint was disabled.",
      replaced: "It was never started: a later one took its place.",
      requested: "Somebody canceled it."
    },
    completed: ({ accepted, isOne, refused, total }) =>
      isOne
        ? refused === "0" ? "It was sent again, and accepted." : "It was sent again, and not accepted."
        : `It is over: of ${total}, ${accepted} were accepted and ${refused} were not.`,
    counting: ({ total }) => `It is being counted: ${total} so far.`,
    nothing: "Nothing has to be sent again.",
    paused: ({ done, total }) =>
      `Paused: ${done} of ${total} were sent again. Nothing more is sent until you continue.`,
    previewed: ({ isOne, total }) =>
      `${
        isOne ? "1 delivery would be" : `${total} deliveries would be`
      } sent again. Nothing is sent until you start it.`,
    running: ({ done, total }) => `${done} of ${total} were sent again.`,
    skipped: (count, isOne) =>
      ` ${isOne ? "1 was" : `${count} were`} skipped, for example because a student was removed.`
  },
  "pt-BR": {
    before: ({ accepted, refused }) => ` Antes disso, aceitos: ${accepted}; não aceitos: ${refused}.`,
    blocked: {
      endpoint_held: ({ done, total }) =>
        `${done} de ${total} foram reenviados. O endpoint está retido após falhas: vai um por vez até um ser aceito.`,
      endpoint_paused: ({ done, total }) =>
        `${done} de ${total} foram reenviados. O endpoint está pausado: a recuperação continua quando você o ativar.`
    },
    canceled: {
      endpoint_deleted: "Foi cancelada porque o endpoint foi excluído.",
      endpoint_disabled: "Foi cancelada porque o endpoint foi desativado.",
      replaced: "Nunca começou: uma recuperação mais nova a substituiu.",
      requested: "Alguém cancelou."
    },
    completed: ({ accepted, isOne, refused, total }) =>
      isOne
        ? refused === "0" ? "Foi reenviado e aceito." : "Foi reenviado e não foi aceito."
        : `Terminou. De ${total}, aceitos: ${accepted}; não aceitos: ${refused}.`,
    counting: ({ total }) => `Está sendo contado: ${total} até agora.`,
    nothing: "Nada precisa ser reenviado.",
    paused: ({ done, total }) =>
      `Pausada: ${done} de ${total} foram reenviados. Nada mais é enviado até você continuar.`,
    previewed: ({ isOne, total }) =>
      `${isOne ? "1 envio seria reenviado" : `${total} envios seriam reenviados`}. Nada é enviado até você começar.`,
    running: ({ done, total }) => `${done} de ${total} foram reenviados.`,
    skipped: (count, isOne) =>
      ` ${isOne ? "1 foi pulado" : `${count} foram pulados`}, por exemplo porque um aluno foi removido.`
  }
}

/** How far a recovery is, and what has come of it, in a sentence. */
export const recoverySentence = (recovery: Recovery, { language, number }: SentenceContext): string => {
  const { blocked_by, cancel_reason, preview: { total }, progress, status } = recovery
  const said = words[language]
  const counts: Counts = {
    total: number(total),
    isOne: total === 1,
    done: number(doneOf(progress)),
    accepted: number(progress.succeeded),
    refused: number(progress.failed + progress.canceled)
  }
  const { skipped } = progress
  switch (status) {
    case "canceled":
      return said.canceled[cancel_reason ?? "requested"] + (progress.moved === 0 ? "" : said.before(counts))
    case "completed": {
      if (total === 0) return said.nothing
      const [sent, gone] = [said.completed(counts), said.skipped(number(skipped), skipped === 1)]
      return `${skipped === total ? "" : sent}${skipped === 0 ? "" : gone}`.trim()
    }
    case "counting":
      return said.counting(counts)
    case "paused":
      return said.paused(counts)
    case "previewed":
      return total === 0 ? said.nothing : said.previewed(counts)
    case "running":
      return blocked_by === null ? said.running(counts) : said.blocked[blocked_by](counts)
  }
}
