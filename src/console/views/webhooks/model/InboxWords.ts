import type { Schemas } from "../../../../sdk/index.ts"
import type { Both, SentenceContext } from "./SentenceContext.ts"

// The requests of an inbox, in words. Pure.

export type InboxRequest = Schemas["WebhookInboxRequest"]

type Signature = NonNullable<InboxRequest["signature"]>

/** Number of requests that an inbox keeps. */
const kept = 100

/** The known requests of an inbox, by their numbers. */
export type Came = ReadonlyMap<number, InboxRequest>

/** Adds requests from the stream. Keeps as many as the inbox keeps. */
export const withCome = (came: Came, told: ReadonlyArray<InboxRequest>): Came => {
  const all = new Map([...came, ...told.map((one) => [one.number, one] as const)])
  const newest = Math.max(0, ...all.keys())
  return new Map([...all].filter(([number]) => number > newest - kept))
}

/** The newest first. */
export const newestFirst = (came: Came): ReadonlyArray<InboxRequest> =>
  [...came.values()].toSorted((one, other) => other.number - one.number)

interface Words {
  readonly unsigned: string
  readonly verified: (who: string) => string
  readonly previous: string
  readonly position: (position: string) => string
  readonly problems: Readonly<Record<NonNullable<Signature["problem"]>, (seconds: string) => string>>
  readonly deleted: string
}

const words: Both<Words> = {
  en: {
    deleted: "an endpoint that is deleted",
    position: (position) => ` It is signature ${position} of the header.`,
    previous: " That secret was replaced and still signs: give the receiver the newest one.",
    problems: {
      header_missing: () => "A receiver would refuse it: webhook-id or webhook-timestamp is missing.",
      no_match: () => "A receiver would refuse it: no signature matches this body and a secret or key of the club.",
      timestamp_malformed: () => "A receiver would refuse it: webhook-timestamp is not a time in seconds.",
      timestamp_off: (seconds) =>
        `A receiver would refuse it: its timestamp is ${seconds} seconds off, and 5 minutes are allowed.`
    },
    unsigned: "It has no webhook-signature: the sender did not sign it.",
    verified: (who) => `A receiver would accept it: it is signed with a secret or key of ${who}.`
  },
  "pt-BR": {
    deleted: "um endpoint excluído",
    position: (position) => ` É a assinatura ${position} do cabeçalho.`,
    previous: " Ele já foi trocado e ainda assina: passe o mais novo ao receptor.",
    problems: {
      header_missing: () => "Um receptor a recusaria: falta webhook-id ou webhook-timestamp.",
      no_match: () =>
        "Um receptor a recusaria: nenhuma assinatura confere com este corpo e um segredo ou chave do clube.",
      timestamp_malformed: () => "Um receptor a recusaria: webhook-timestamp não é um número de segundos.",
      timestamp_off: (seconds) =>
        `Um receptor a recusaria: o horário difere em ${seconds} segundos, e o máximo são 5 minutos.`
    },
    unsigned: "Não tem webhook-signature: o remetente não assinou.",
    verified: (who) => `Um receptor a aceitaria: foi assinada com um segredo ou chave de ${who}.`
  }
}

/** The result of the signature check of a request. `nameOf` names an endpoint, if it still exists. */
export const signatureSentence = (
  signature: Signature | null,
  nameOf: (endpointId: string) => string | undefined,
  { language, number }: Pick<SentenceContext, "language" | "number">
): string => {
  const { deleted, position, previous, problems, unsigned, verified } = words[language]
  if (signature === null) return unsigned
  const { clock_seconds, endpoint_id, problem, secret } = signature
  if (problem !== null) return problems[problem](number(Math.abs(clock_seconds ?? 0)))
  const who = (endpoint_id === null ? undefined : nameOf(endpoint_id)) ?? deleted
  return `${verified(who)}${
    signature.position === null || signature.position === 1 ? "" : position(number(signature.position))
  }${secret === "previous" ? previous : ""}`
}

/** How a signature is, in a word. */
export const verdictOf = (signature: Signature | null): "refused" | "unsigned" | "verified" =>
  signature === null ? "unsigned" : signature.verified ? "verified" : "refused"
