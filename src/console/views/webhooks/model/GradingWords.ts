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
    earlier_second: "An earlier one, second",
    future: "Signed 10 minutes ahead",
    large: "200 KB",
    later_first: "A later one, first",
    newest_alone: "Signed by the newest secret alone",
    old: "Signed 10 minutes ago",
    other_body: "Another body than was signed",
    repeated: "The first once more",
    right: "A right one",
    rotated: "The second signature fits",
    unknown_fields: "With fields nobody knows",
    unsigned: "Without a signature",
    unusual_json: "JSON as no library writes it",
    wrong_signature: "With a wrong signature"
  },
  "pt-BR": {
    earlier_second: "Um anterior, em segundo",
    future: "Assinado 10 minutos à frente",
    large: "200 KB",
    later_first: "Um posterior, em primeiro",
    newest_alone: "Assinado só pelo segredo mais novo",
    old: "Assinado há 10 minutos",
    other_body: "Outro corpo que o assinado",
    repeated: "O primeiro mais uma vez",
    right: "Um certo",
    rotated: "A segunda assinatura confere",
    unknown_fields: "Com campos que ninguém conhece",
    unsigned: "Sem assinatura",
    unusual_json: "JSON como nenhuma biblioteca escreve",
    wrong_signature: "Com assinatura errada"
  }
}

/** The short name of a probe. */
export const probeName = (probe: Probe, language: Language): string => probes[language][probe]

const toBeRefused: ReadonlySet<Probe> = new Set(["future", "old", "other_body", "unsigned", "wrong_signature"])

/** Whether a right receiver refuses it. */
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
      interrupted: "There is no grade: the service stopped again and again meanwhile. Grade it once more."
    },
    grades: {
      A: "A: nothing is wrong.",
      B: "B: it works, and events may be lost in some cases.",
      C: "C: one thing is wrong that loses events or accepts what it should not.",
      D: "D: several things are wrong that lose events or accept what it should not.",
      E: "E: it accepts forged events.",
      F: "F: nothing works as it should."
    },
    running: "Probes are on their way, one after the other: some seconds, or minutes where it answers slowly."
  },
  "pt-BR": {
    failures: {
      endpoint_changed: "Não há nota: o endpoint mudou, foi pausado ou desativado no meio.",
      interrupted: "Não há nota: o serviço parou várias vezes no meio. Avalie de novo."
    },
    grades: {
      A: "A: nada está errado.",
      B: "B: funciona, e em alguns casos eventos podem se perder.",
      C: "C: uma coisa está errada e perde eventos, ou aceita o que não devia.",
      D: "D: várias coisas estão erradas e perdem eventos, ou aceitam o que não devia.",
      E: "E: aceita eventos forjados.",
      F: "F: nada funciona como devia."
    },
    running: "As sondas estão a caminho, uma após a outra: alguns segundos, ou minutos se ele responder devagar."
  }
}

/** The result of a grading, in a sentence. */
export const gradingSentence = ({ failure, grade }: Grading, language: Language): string =>
  failure !== null
    ? words[language].failures[failure]
    : grade === null
    ? words[language].running
    : words[language].grades[grade]
