import type { Diagnosis, Endpoint } from "./Standing.ts"
import type { Telling } from "./Telling.ts"

// What there is to do about an endpoint, also where nothing fails yet. Pure.

export type Advice = Diagnosis["advice"][number]

/**
 * In English the API says it. When a certificate ends and what a grading has shown of a secret stand in its sentence alone,
 * so these fit whichever it is.
 */
const sentences: Readonly<Record<Advice["about"], (secretUntil: string | undefined) => string>> = {
  certificate_ends: () =>
    "O certificado do receptor vence em até 14 dias, ou já venceu: renove-o e confira se o receptor carrega o novo. Sem ele nada é entregue.",
  gone: () => "O receptor responde 410: diz que saiu de vez. Exclua o endpoint, ou informe a nova URL.",
  secrets_unreadable: () =>
    "Os segredos do endpoint não abrem com as chaves do serviço, e nada é enviado. Quem opera o Turma precisa corrigir APP_SECRET_KEY.",
  secret_ends: (until) =>
    `Um segredo substituído ainda assina${
      until === undefined ? "" : ` até ${until}`
    }; depois, só o mais novo. Confira se o receptor tem o mais novo: uma avaliação o mostra.`
}

/** What there is to do, in a sentence or two. */
export const adviceSentence = (
  { about, sentence }: Advice,
  { previous_secret_expires_at }: Pick<Endpoint, "previous_secret_expires_at">,
  { language, time }: Pick<Telling, "language" | "time">
): string =>
  language === "en"
    ? sentence
    : sentences[about](previous_secret_expires_at === null ? undefined : time(previous_secret_expires_at))
