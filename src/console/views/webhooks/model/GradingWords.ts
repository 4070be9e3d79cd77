import type { Schemas } from "../../../../sdk/index.ts"
import type { Both, SentenceContext } from "./SentenceContext.ts"

// The results of a grading in words. Pure.

export type Grading = Schemas["WebhookGrading"]
export type Report = NonNullable<Schemas["WebhookGradingDetail"]["report"]>
export type Finding = Report["findings"][number]
type Observation = Report["observations"][number]
export type Probe = Observation["probe"]

type Language = SentenceContext["language"]

const probes: Both<Readonly<Record<Probe, string>>> = {
  en: {
    earlier_second: "An earlier event, sent second",
    future: "Signed 10 minutes ahead",
    large: "200 KB",
    later_first: "A later event, sent first",
    newest_alone: "Signed only by the newest secret",
    old: "Signed 10 minutes ago",
    other_body: "A body other than the signed one",
    repeated: "The first, repeated",
    right: "A correct event",
    rotated: "The second signature matches",
    unknown_fields: "With unknown fields",
    unsigned: "Without a signature",
    unusual_json: "Unusually written JSON",
    wrong_signature: "With a wrong signature"
  },
  "pt-BR": {
    earlier_second: "Um evento anterior, enviado depois",
    future: "Assinado com 10 minutos de adiantamento",
    large: "200 KB",
    later_first: "Um evento posterior, enviado antes",
    newest_alone: "Assinado só pelo segredo mais novo",
    old: "Assinado há 10 minutos",
    other_body: "Corpo diferente do assinado",
    repeated: "O primeiro, repetido",
    right: "Um evento correto",
    rotated: "A segunda assinatura confere",
    unknown_fields: "Com campos desconhecidos",
    unsigned: "Sem assinatura",
    unusual_json: "JSON escrito de forma incomum",
    wrong_signature: "Com assinatura errada"
  }
}

/** The short name of a probe. */
export const probeName = (probe: Probe, language: Language): string => probes[language][probe]

const toBeRefused: ReadonlySet<Probe> = new Set(["future", "old", "other_body", "unsigned", "wrong_signature"])

/** True if a right receiver refuses it. */
export const isToBeRefused = (probe: Probe): boolean => toBeRefused.has(probe)

/**
 * The verdict of a probe about its receiver. A closed connection counts as a refusal. A busy receiver shows nothing,
 * and so does one that does not answer a probe that it should refuse.
 */
export const shownBy = (
  { error, probe, status_code }: Pick<Observation, "error" | "probe" | "status_code">
): "right" | "wrong" | "nothing" => {
  if (status_code === 429 || status_code === 503) return "nothing"
  if (error === null) return isToBeRefused(probe) ? "wrong" : "right"
  if (!isToBeRefused(probe)) return "wrong"
  return status_code !== null || error === "connection" ? "right" : "nothing"
}

interface Words {
  readonly running: string
  readonly failures: Readonly<Record<NonNullable<Grading["failure"]>, string>>
  readonly grades: Readonly<Record<NonNullable<Grading["grade"]>, string>>
}

const words: Both<Words> = {
  en: {
    failures: {
      endpoint_changed: "There is no grade: the endpoint was changed, paused or disabled meanwhile.",
      interrupted: "There is no grade: the service stopped several times meanwhile. Grade it again."
    },
    grades: {
      A: "A: nothing is wrong.",
      B: "B: it works, but some events may be lost.",
      C: "C: one fault loses events or accepts what it should refuse.",
      D: "D: several faults lose events or accept what it should refuse.",
      E: "E: it accepts forged events.",
      F: "F: nothing works as it should."
    },
    running: "Probes go out one after the other. This takes seconds, or minutes if it answers slowly."
  },
  "pt-BR": {
    failures: {
      endpoint_changed: "Não há nota: o endpoint mudou, foi pausado ou desativado durante a avaliação.",
      interrupted: "Não há nota: o serviço parou várias vezes durante a avaliação. Avalie de novo."
    },
    grades: {
      A: "A: nenhum problema.",
      B: "B: funciona, mas alguns eventos podem se perder.",
      C: "C: uma falha perde eventos ou aceita o que deveria recusar.",
      D: "D: várias falhas perdem eventos ou aceitam o que deveria ser recusado.",
      E: "E: aceita eventos falsificados.",
      F: "F: nada funciona como deveria."
    },
    running: "Os testes saem um após o outro. Isso leva segundos, ou minutos se ele responder devagar."
  }
}

/** The result of a grading, in a sentence. */
export const gradingSentence = ({ failure, grade }: Grading, language: Language): string =>
  failure !== null
    ? words[language].failures[failure]
    : grade === null
    ? words[language].running
    : words[language].grades[grade]
