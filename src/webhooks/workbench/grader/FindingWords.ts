import type { Locale, Sentence } from "../../../platform/http/Locale.ts"
import type { AttemptError } from "../../model/AttemptError.ts"
import type { FindingCode, Observation, Report } from "./Report.ts"

/** The fault of each finding, without a full stop. */
export const findingWords: Readonly<Record<FindingCode, Sentence>> = {
  accepts_future: {
    en: "It takes a delivery whose timestamp is 10 minutes ahead of the clock",
    "pt-BR": "Aceita um envio com horário 10 minutos à frente do relógio"
  },
  accepts_old: {
    en: "It takes a delivery that was signed 10 minutes ago: one that was overheard could be repeated",
    "pt-BR": "Aceita um envio assinado há 10 minutos: um que foi interceptado poderia ser repetido"
  },
  accepts_other_body: {
    en: "It takes a body that is not the one that was signed",
    "pt-BR": "Aceita um corpo que não é o que foi assinado"
  },
  accepts_unsigned: {
    en: "It takes a delivery without a signature: anybody could send it events",
    "pt-BR": "Aceita um envio sem assinatura: qualquer um poderia mandar eventos a ele"
  },
  accepts_wrong_signature: {
    en: "It takes a delivery whose signature is wrong: anybody could send it events",
    "pt-BR": "Aceita um envio com assinatura errada: qualquer um poderia mandar eventos a ele"
  },
  breaks_http: {
    en: "Its answers are not HTTP/1.1",
    "pt-BR": "O que ele responde não é uma resposta HTTP/1.1"
  },
  breaks_on_unknown_fields: {
    en: "It refuses a body with fields that it does not know: bodies may gain fields",
    "pt-BR": "Recusa um corpo com campos que não conhece: os corpos podem ganhar campos"
  },
  breaks_tls: {
    en:
      "It takes connections, but TLS does not work: the handshake fails, or the certificate is untrusted or for another name",
    "pt-BR":
      "Aceita a conexão, mas o TLS não funciona: a negociação falha ou é interrompida, ou o certificado não é confiável ou é de outro nome"
  },
  calls_first_repeated: {
    en: "It calls a delivery repeated that it has had once: events would be dropped",
    "pt-BR": "Chama de repetido um envio que só teve uma vez: eventos seriam descartados"
  },
  connections_not_reused: {
    en: "It ends the connection after each answer: to keep it open saves a handshake for each event",
    "pt-BR": "Encerra a conexão após cada resposta: mantê-la poupa uma negociação por evento"
  },
  ends_connection: {
    en: "It takes no connection, or ends it before an answer",
    "pt-BR": "Não aceita conexões, ou encerra a conexão antes de responder"
  },
  forgets_repeats: {
    en: "It says of a repeat that it has not had it before: what comes twice would count twice",
    "pt-BR": "Diz de uma repetição que não a teve antes: o que vem duas vezes contaria duas vezes"
  },
  lacks_newest_secret: {
    en: "It refuses what the newest secret alone signs: nothing is accepted once the one before it ends",
    "pt-BR": "Recusa o que só o segredo mais novo assina: nada será aceito quando o anterior acabar"
  },
  no_address: { en: "Its name has no address at times", "pt-BR": "O nome dele às vezes não tem endereço" },
  no_answer_in_time: {
    en: "It does not answer in time: an attempt has 15 seconds, unless the operator sets others",
    "pt-BR": "Não responde a tempo: uma tentativa tem 15 segundos, se o operador não define outros"
  },
  not_reached: {
    en: "Nothing was answered. Whether it is otherwise right is not known",
    "pt-BR": "Nada respondeu. Se no mais ele está certo, não se sabe"
  },
  private_address: {
    en: "Its address is not on the public internet at times",
    "pt-BR": "O endereço dele às vezes não está na internet pública"
  },
  redirects: {
    en: "It redirects: redirects are failures and are not followed",
    "pt-BR": "Redireciona: redirecionamentos são falhas e não são seguidos"
  },
  refuses_large: { en: "It refuses a body of 200 KB", "pt-BR": "Recusa um corpo de 200 KB" },
  refuses_reordered: {
    en: "It refuses deliveries that come in another order than they happened: order is not promised",
    "pt-BR": "Recusa envios que chegam em outra ordem: a ordem não é prometida"
  },
  refuses_repeated: {
    en: "It refuses what it has had before: answer 2xx to a repeat, or it is sent again and again",
    "pt-BR": "Recusa o que já teve: responda 2xx a uma repetição, ou ela é enviada de novo e de novo"
  },
  refuses_right_deliveries: {
    en: "It refuses a delivery that is right",
    "pt-BR": "Recusa um envio que está certo: ele conhece o segredo?"
  },
  refuses_rotated: {
    en: "It refuses a delivery whose second signature is right: during a rotation there are several, and any may match",
    "pt-BR":
      "Recusa um envio cuja segunda assinatura está certa: durante uma troca há várias, e qualquer uma pode valer"
  },
  signatures_unknown: {
    en: "Whether it verifies signatures is not known: no delivery that it is to refuse has shown it",
    "pt-BR": "Se ele confere assinaturas não se sabe: nenhum envio que devia recusar o mostrou"
  },
  slow: {
    en: "It takes more than 5 seconds to answer: answer first, and work afterwards",
    "pt-BR": "Leva mais de 5 segundos para responder: responda primeiro e trabalhe depois"
  },
  verifies_nothing: {
    en: "It answers 2xx to everything: it verifies no signature, or answers before it does",
    "pt-BR": "Responde 2xx a tudo: não confere assinatura, ou não antes de responder"
  },
  verifies_rewritten_json: {
    en:
      "It refuses JSON with unusual spaces and escapes: verify the bytes as they came, and not a body that was parsed and written again",
    "pt-BR":
      "Recusa JSON com espaços e escapes incomuns: confira os bytes exatamente como chegaram, não um corpo lido e reescrito"
  },
  was_busy: {
    en:
      "It answers 429 or 503 to some probes, so what else it makes of them is not known: limit how many it gets a second",
    "pt-BR":
      "Responde 429 ou 503 a algumas sondas, então o mais que faz delas não se sabe: limite quantas recebe por segundo"
  }
}

/** Replaces the findings about single right probes, if the receiver refuses all of them. */
export const refusesAll =
  "It refuses every right delivery, so what else it refuses shows nothing: does it know the secret?"

/** The reasons if no probe had an answer. */
const reasons: Readonly<Partial<Record<AttemptError, Sentence>>> = {
  address_not_allowed: {
    en: "Its address is not on the public internet",
    "pt-BR": "O endereço dele não está na internet pública"
  },
  connection: findingWords.ends_connection,
  dns: { en: "Its name has no address", "pt-BR": "O nome dele não tem endereço" },
  protocol: findingWords.breaks_http,
  timeout: findingWords.no_answer_in_time,
  tls: findingWords.breaks_tls
}

/** The words for probes without an answer. */
export const notReached = (observations: ReadonlyArray<Observation>): Sentence => {
  const errors = [...new Set(observations.flatMap(({ error }) => error ?? []))]
  const why = (locale: Locale) => errors.map((error) => ` (${error}): ${reasons[error]?.[locale] ?? error}`).join(";")
  return {
    en: `Nothing was answered${why("en")}. Whether it is otherwise right is not known`,
    "pt-BR": `Nada respondeu${why("pt-BR")}. Se no mais ele está certo, não se sabe`
  }
}

/** A report as it is kept, which is in English, in this language. */
export const reportIn = (report: Report, locale: Locale): Report =>
  locale === "en" ? report : {
    ...report,
    findings: report.findings.map((finding) => {
      const words = finding.code === "not_reached" ? notReached(report.observations) : findingWords[finding.code]
      return { ...finding, message: words[locale] }
    })
  }
