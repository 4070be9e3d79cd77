import type { Locale, Sentence } from "../../../platform/http/Locale.ts"
import type { AttemptError } from "../../model/AttemptError.ts"
import type { FindingCode, Observation, Report } from "./Report.ts"

/** The fault of each finding, without a full stop. */
export const findingWords: Readonly<Record<FindingCode, Sentence>> = {
  accepts_future: {
    en: "It takes a delivery whose timestamp is 10 minutes ahead of the clock",
    "pt-BR": "Aceita um envio com horário 10 minutos adiantado"
  },
  accepts_old: {
    en: "It takes a delivery that was signed 10 minutes ago: an intercepted one could be replayed",
    "pt-BR": "Aceita um envio assinado há 10 minutos: um envio interceptado poderia ser repetido"
  },
  accepts_other_body: {
    en: "It takes a body other than the signed one",
    "pt-BR": "Aceita um corpo diferente do assinado"
  },
  accepts_unsigned: {
    en: "It takes a delivery without a signature: anybody could send it events",
    "pt-BR": "Aceita um envio sem assinatura: qualquer pessoa poderia enviar eventos a ele"
  },
  accepts_wrong_signature: {
    en: "It takes a delivery with a wrong signature: anybody could send it events",
    "pt-BR": "Aceita um envio com assinatura errada: qualquer pessoa poderia enviar eventos a ele"
  },
  breaks_http: {
    en: "Its answers are not HTTP/1.1",
    "pt-BR": "As respostas dele não são HTTP/1.1"
  },
  breaks_on_unknown_fields: {
    en: "It refuses a body with unknown fields: bodies may gain fields",
    "pt-BR": "Recusa um corpo com campos desconhecidos: os corpos podem ganhar campos"
  },
  breaks_tls: {
    en:
      "It takes connections, but TLS does not work: the handshake fails, or the certificate is untrusted or for another name",
    "pt-BR":
      "Aceita a conexão, mas o TLS não funciona: a negociação falha, ou o certificado não é confiável ou é de outro nome"
  },
  calls_first_repeated: {
    en: "It calls a first delivery a repeat: events would be dropped",
    "pt-BR": "Trata como repetido um envio que recebeu só uma vez: eventos seriam descartados"
  },
  connections_not_reused: {
    en: "It ends the connection after each answer: an open connection saves a handshake for each event",
    "pt-BR": "Encerra a conexão após cada resposta: mantê-la aberta poupa uma negociação por evento"
  },
  ends_connection: {
    en: "It takes no connection, or ends it before an answer",
    "pt-BR": "Não aceita conexões, ou encerra a conexão antes de responder"
  },
  forgets_repeats: {
    en: "It does not recognize a repeat: an event sent twice would count twice",
    "pt-BR": "Não reconhece uma repetição: um evento enviado duas vezes contaria duas vezes"
  },
  lacks_newest_secret: {
    en: "It refuses deliveries signed only by the newest secret: once the older secret ends, it accepts nothing",
    "pt-BR": "Recusa envios assinados só pelo segredo mais novo: quando o anterior expirar, não aceitará nada"
  },
  no_address: { en: "At times its name has no address", "pt-BR": "Às vezes o nome dele não tem endereço" },
  no_answer_in_time: {
    en: "It does not answer in time: an attempt has 15 seconds, unless the operator sets another limit",
    "pt-BR": "Não responde a tempo: uma tentativa tem 15 segundos, a não ser que o operador defina outro prazo"
  },
  not_reached: {
    en: "It answered nothing. The rest is unknown",
    "pt-BR": "Não respondeu nada. O resto não foi verificado"
  },
  private_address: {
    en: "At times its address is not on the public internet",
    "pt-BR": "Às vezes o endereço dele não está na internet pública"
  },
  redirects: {
    en: "It redirects: redirects are failures and are not followed",
    "pt-BR": "Redireciona: redirecionamentos são falhas e não são seguidos"
  },
  refuses_large: { en: "It refuses a body of 200 KB", "pt-BR": "Recusa um corpo de 200 KB" },
  refuses_reordered: {
    en: "It refuses deliveries that arrive out of order: order is not promised",
    "pt-BR": "Recusa envios que chegam fora de ordem: a ordem não é garantida"
  },
  refuses_repeated: {
    en: "It refuses a repeat: answer 2xx to it, or it is sent again and again",
    "pt-BR": "Recusa uma repetição: responda 2xx, ou ela será enviada várias vezes"
  },
  refuses_right_deliveries: {
    en: "It refuses a correct delivery",
    "pt-BR": "Recusa um envio correto: ele tem o segredo?"
  },
  refuses_rotated: {
    en: "It refuses a delivery whose second signature is right: during a rotation there are several, and any may match",
    "pt-BR": "Recusa um envio com a segunda assinatura correta: durante uma troca há várias, e qualquer uma pode valer"
  },
  signatures_unknown: {
    en: "No probe shows whether it verifies signatures",
    "pt-BR": "Nenhum teste mostrou se ele confere assinaturas"
  },
  slow: {
    en: "It takes more than 5 seconds to answer: answer first, and work afterwards",
    "pt-BR": "Leva mais de 5 segundos para responder: responda primeiro e trabalhe depois"
  },
  verifies_nothing: {
    en: "It answers 2xx to everything: it verifies no signature, or answers before it verifies",
    "pt-BR": "Responde 2xx a tudo: não confere assinaturas ou responde antes de conferir"
  },
  verifies_rewritten_json: {
    en:
      "It refuses JSON with unusual spaces and escapes: verify the bytes as received, not a body parsed and written again",
    "pt-BR":
      "Recusa JSON com espaços e escapes incomuns: confira os bytes exatamente como chegaram, não um corpo lido e reescrito"
  },
  was_busy: {
    en: "It answers 429 or 503 to some probes, so their results are unknown: limit its attempts per second",
    "pt-BR":
      "Responde 429 ou 503 a alguns testes, então o resultado deles é desconhecido: limite as tentativas por segundo"
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
    en: `It answered nothing${why("en")}. The rest is unknown`,
    "pt-BR": `Não respondeu nada${why("pt-BR")}. O resto não foi verificado`
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
