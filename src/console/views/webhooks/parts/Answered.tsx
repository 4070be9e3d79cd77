import { said, spoken } from "../../../../browser/client/Language.ts"
import type { Schemas } from "../../../../sdk/index.ts"

type AttemptError = NonNullable<Schemas["WebhookAttempt"]["error"]>

const words = spoken<Record<AttemptError, string>>(
  {
    address_not_allowed: "Address not public",
    connection: "No connection",
    dns: "Name not found",
    http_status: "Refused",
    protocol: "Broken off",
    redirect: "Redirect",
    timeout: "No answer in time",
    tls: "TLS failed"
  },
  {
    address_not_allowed: "Endereço não público",
    connection: "Sem conexão",
    dns: "Nome não encontrado",
    http_status: "Recusado",
    protocol: "Interrompida",
    redirect: "Redirecionamento",
    timeout: "Sem resposta a tempo",
    tls: "TLS falhou"
  }
)

/** The answer in short: its status, or the reason for its absence. */
export const answered = (error: AttemptError | null, status: number | null): string =>
  error === null || error === "http_status"
    ? status === null ? "–" : String(status)
    : error === "redirect" && status !== null
    ? `${status} ${said(words).redirect}`
    : said(words)[error]
