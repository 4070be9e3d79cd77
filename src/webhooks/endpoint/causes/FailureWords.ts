import { DateTime } from "effect"
import type { InEach, Locale } from "../../../platform/http/Locale.ts"
import type { AttemptError } from "../../model/AttemptError.ts"

/** The failure, without a full stop, and its remedy, in whole sentences. */
export interface Words {
  readonly what: string
  readonly next_step: string
}

/** A failed attempt. */
export interface Failure {
  readonly error: AttemptError
  readonly status_code: number | null
  /** The end of the receiver's last certificate, if it is known. */
  readonly certificate_ends_at?: DateTime.Utc | null
  /** True if the request had been written. Undefined if that is not known. */
  readonly was_sent?: boolean | undefined
}

type Said = (status: string) => Words

const failures: InEach<Readonly<Record<Exclude<AttemptError, "http_status">, Said>>> = {
  en: {
    address_not_allowed: () => ({
      what: "Refused: the address is not on the public internet, for example on a private network",
      next_step: "Set a URL with a public address, or point its name to one."
    }),
    connection: () => ({
      what: "The receiver took no connection",
      next_step: "Start the receiver, and let HTTPS from the internet reach it."
    }),
    dns: () => ({
      what: "The name of the receiver does not resolve",
      next_step: "Check its host name: it may have a typo, its domain may have expired, or a DNS record is missing."
    }),
    protocol: () => ({
      what: "The answer was not HTTP, or the connection broke before it",
      next_step: "Find what ended it at the receiver, or at a proxy before it: a crash, or a limit of size or time."
    }),
    redirect: (status) => ({
      what: `The receiver answered ${status}, and redirects are not followed`,
      next_step: "Set the URL to the redirect's target."
    }),
    timeout: () => ({
      what: "The receiver did not answer in time",
      next_step: "Let it answer 2xx first and do the work afterwards. If nothing reaches it, check its firewall."
    }),
    tls: () => ({
      what: "The receiver was reached, but its certificate was refused or TLS ended early",
      next_step:
        "Check that its certificate has not ended, is for this host name and is sent with its whole chain, and that this port speaks HTTPS."
    })
  },
  "pt-BR": {
    address_not_allowed: () => ({
      what: "Recusado: o endereço não está na internet pública; pode ser de uma rede privada",
      next_step: "Informe uma URL com endereço público ou aponte o nome dela para um."
    }),
    connection: () => ({
      what: "Não foi possível conectar ao receptor",
      next_step: "Inicie o receptor e libere HTTPS da internet até ele."
    }),
    dns: () => ({
      what: "O nome do receptor não foi encontrado no DNS",
      next_step: "Confira o host: pode haver um erro de digitação, um domínio expirado ou um registro DNS ausente."
    }),
    protocol: () => ({
      what: "A resposta não era HTTP, ou a conexão caiu antes dela",
      next_step:
        "Veja o que encerrou a conexão no receptor ou em um proxy antes dele: uma queda ou um limite de tamanho ou tempo."
    }),
    redirect: (status) => ({
      what: `O receptor respondeu ${status}, e redirecionamentos não são seguidos`,
      next_step: "Informe na URL o endereço final do redirecionamento."
    }),
    timeout: () => ({
      what: "O receptor não respondeu a tempo",
      next_step: "Faça o receptor responder 2xx primeiro e trabalhar depois. Se nada chega a ele, confira o firewall."
    }),
    tls: () => ({
      what: "Foi possível chegar ao receptor, mas o certificado foi recusado ou o TLS terminou antes da hora",
      next_step:
        "Confira se o certificado venceu, se é deste host e se vem com a cadeia completa, e se há HTTPS nessa porta."
    })
  }
}

/** The words if the certificate had ended before the attempt. */
const ended: InEach<(on: string) => Words> = {
  en: (on) => ({
    what: `TLS failed: the receiver's certificate ended on ${on}`,
    next_step: "Renew it, and check that the receiver loads the new one."
  }),
  "pt-BR": (on) => ({
    what: `O TLS falhou: o certificado do receptor venceu em ${on}`,
    next_step: "Renove-o e confira se o receptor carregou o novo."
  })
}

const hasEnded = (
  { at, certificate_ends_at: ends }: { readonly at: DateTime.Utc | null; readonly certificate_ends_at: DateTime.Utc }
) => at !== null && DateTime.isLessThanOrEqualTo(ends, at)

/** The words if the phases say more than the error: a lost connection, or a deadline before one. */
const atPhase: InEach<Readonly<Record<"lost" | "unreached", Words>>> = {
  en: {
    lost: {
      what: "The connection broke before an answer",
      next_step: "Find what ended it at the receiver, or at a proxy before it: a crash, or a limit of size or time."
    },
    unreached: {
      what: "The connection to the receiver took too long",
      next_step: "Check that its name server, its firewall and TLS answer from the internet: nothing was sent to it."
    }
  },
  "pt-BR": {
    lost: {
      what: "A conexão caiu antes de uma resposta",
      next_step:
        "Veja o que encerrou a conexão no receptor ou em um proxy antes dele: uma queda ou um limite de tamanho ou tempo."
    },
    unreached: {
      what: "A conexão com o receptor não ficou pronta a tempo",
      next_step: "Confira se o servidor de nomes, o firewall e o TLS respondem pela internet: nada foi enviado a ele."
    }
  }
}

const phaseOf = ({ error, was_sent }: Failure) => {
  if (error === "connection" && was_sent === true) return "lost"
  return error === "timeout" && was_sent === false ? "unreached" : undefined
}

type Answer = "auth" | "gone" | "missing" | "other" | "refused" | "server" | "slow"

const answers: InEach<Readonly<Record<Answer, string>>> = {
  en: {
    auth:
      "Check that it verifies the signature with this endpoint's secret over the raw body, and asks for nothing else.",
    gone: "Delete the endpoint, or set its new URL: 410 means that the receiver has left for good.",
    missing: "Nothing takes a POST at this path: check the URL.",
    other: "Let it answer 2xx to what it accepts.",
    refused: "It does not take this body: look at its logs.",
    server: "The receiver failed: look at its logs.",
    slow: "It asks for fewer at a time: let it take more, or answer Retry-After."
  },
  "pt-BR": {
    auth:
      "Veja se ele confere a assinatura com o segredo deste endpoint, sobre o corpo original, e não exige mais nada.",
    gone: "Exclua o endpoint ou informe a nova URL: 410 quer dizer que ele saiu do ar definitivamente.",
    missing: "Nada aceita um POST nesse caminho: confira a URL.",
    other: "Faça o receptor responder 2xx ao que aceita.",
    refused: "Ele não aceita este corpo: veja os logs dele.",
    server: "O receptor falhou: veja os logs dele.",
    slow: "Ele pede menos por vez: faça o receptor aceitar mais ou responder Retry-After."
  }
}

const answerOf = (status: number | null): Answer => {
  if (status === 401 || status === 403) return "auth"
  if (status === 404 || status === 405) return "missing"
  if (status === 410) return "gone"
  if (status === 429) return "slow"
  if (status === null || status < 400) return "other"
  return status >= 500 ? "server" : "refused"
}

const answered: InEach<(status: string) => string> = {
  en: (status) => `The receiver answered ${status}`,
  "pt-BR": (status) => `O receptor respondeu ${status}`
}

/** Why an attempt failed at that time, and what helps. It says what the error's code says, and not what a name resolved to. */
export const failureWords = (
  locale: Locale,
  failure: Failure & { readonly at?: DateTime.Utc | null },
  dateOf: (at: DateTime.Utc) => string = DateTime.formatIsoDateUtc
): Words => {
  const { at = null, certificate_ends_at = null, error, status_code } = failure
  const status = String(status_code ?? "")
  if (error === "tls" && certificate_ends_at !== null && hasEnded({ at, certificate_ends_at })) {
    return ended[locale](dateOf(certificate_ends_at))
  }
  const phase = phaseOf(failure)
  if (phase !== undefined) return atPhase[locale][phase]
  return error === "http_status"
    ? { what: answered[locale](status), next_step: answers[locale][answerOf(status_code)] }
    : failures[locale][error](status)
}

const inARow: InEach<(times: number) => string> = {
  en: (times) => `, ${times} times in a row`,
  "pt-BR": (times) => `, ${times} vezes seguidas`
}

/** The same as a sentence, of so many attempts in a row that failed alike. */
export const failureSentence = (what: string, times: number, locale: Locale): string =>
  `${what}${times > 1 ? inARow[locale](times) : ""}.`
