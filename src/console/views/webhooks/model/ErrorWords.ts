import type { Schemas } from "../../../../sdk/index.ts"
import type { Both } from "./Telling.ts"

// Why an attempt failed, and what helps. Pure.

export type AttemptError = NonNullable<Schemas["WebhookAttempt"]["error"]>

interface ErrorWords {
  /** After "because", as it were: `the receiver answered 500`. */
  readonly what: (status: string) => string
  readonly help: string
}

const words: Both<Readonly<Record<AttemptError, ErrorWords>>> = {
  en: {
    address_not_allowed: {
      what: () => "its address resolves to a private network, or another that is not public",
      help: "Events are posted to public addresses only: change the URL, or what its name resolves to."
    },
    connection: {
      what: () => "no connection came about",
      help: "The receiver may be down, or a firewall refuses it."
    },
    dns: { what: () => "the name of the receiver was not found", help: "Look the host name of the URL up." },
    http_status: { what: (status) => `the receiver answered ${status}`, help: "" },
    protocol: {
      what: () => "what came back was not HTTP, or the connection broke off",
      help: "Something between may have ended it: a proxy, a timeout, a crash."
    },
    redirect: {
      what: (status) => `the receiver answered ${status}, and redirects are not followed`,
      help: "Enter the address that it leads to."
    },
    timeout: {
      what: () => "no answer came in time",
      help: "Answer 2xx first and do the work afterwards."
    },
    tls: {
      what: () => "TLS failed",
      help: "The certificate may have expired, be another name's, or miss its chain; or TLS was ended early."
    }
  },
  "pt-BR": {
    address_not_allowed: {
      what: () => "o endereço dele resolve para uma rede privada, ou outra que não é pública",
      help: "Eventos só vão para endereços públicos: mude a URL, ou o que o nome resolve."
    },
    connection: {
      what: () => "nenhuma conexão se fez",
      help: "O receptor pode estar fora do ar, ou um firewall o recusa."
    },
    dns: { what: () => "o nome do receptor não foi encontrado", help: "Confira o nome do host na URL." },
    http_status: { what: (status) => `o receptor respondeu ${status}`, help: "" },
    protocol: {
      what: () => "o que voltou não era HTTP, ou a conexão se rompeu",
      help: "Algo no caminho pode tê-la encerrado: um proxy, um limite de tempo, uma queda."
    },
    redirect: {
      what: (status) => `o receptor respondeu ${status}, e redirecionamentos não são seguidos`,
      help: "Informe o endereço para onde ele leva."
    },
    timeout: {
      what: () => "nenhuma resposta veio a tempo",
      help: "Responda 2xx primeiro e trabalhe depois."
    },
    tls: {
      what: () => "o TLS falhou",
      help:
        "O certificado pode ter vencido, ser de outro nome ou vir sem a cadeia; ou o TLS foi encerrado antes da hora."
    }
  }
}

type Kind = "auth" | "gone" | "missing" | "other" | "refused" | "server" | "slow"

const statusHelp: Both<Readonly<Record<Kind, string>>> = {
  en: {
    auth: "It refuses whoever posts: does it check the signature with this endpoint's secret, and the raw body?",
    gone: "It says that it is gone for good: delete the endpoint, or enter its new URL.",
    missing: "Nothing answers at this path: look at the URL.",
    other: "Any 2xx counts as accepted.",
    refused: "It does not take this body: look at what it logs.",
    server: "The receiver broke: look at what it logs.",
    slow: "It asks for fewer at a time."
  },
  "pt-BR": {
    auth: "Ele recusa quem envia: confere a assinatura com o segredo deste endpoint e o corpo cru?",
    gone: "Ele diz que saiu de vez: exclua o endpoint, ou informe a nova URL.",
    missing: "Nada responde nesse caminho: confira a URL.",
    other: "Qualquer 2xx vale como aceito.",
    refused: "Ele não aceita este corpo: veja o que ele registra.",
    server: "O receptor falhou: veja o que ele registra.",
    slow: "Ele pede menos de cada vez."
  }
}

const kindOf = (status: number): Kind => {
  if (status === 401 || status === 403) return "auth"
  if (status === 404 || status === 405) return "missing"
  if (status === 410) return "gone"
  if (status === 429) return "slow"
  if (status >= 500) return "server"
  return status >= 400 ? "refused" : "other"
}

/** Whether a cause is the error of an attempt. */
export const isError = (cause: string): cause is AttemptError => cause in words.en

/** What went wrong, to stand after "because". */
export const errorPhrase = (error: AttemptError, status: number | null, language: keyof typeof words): string =>
  words[language][error].what(String(status ?? ""))

/** What helps against it. */
export const errorHelp = (error: AttemptError, status: number | null, language: keyof typeof words): string =>
  error === "http_status" ? statusHelp[language][kindOf(status ?? 0)] : words[language][error].help
