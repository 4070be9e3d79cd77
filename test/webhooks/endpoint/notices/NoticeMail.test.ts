import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { EventId } from "../../../../src/events/EventType.ts"
import { type Notice, noticeMail } from "../../../../src/webhooks/endpoint/notices/NoticeMail.ts"

const to = {
  recipient: "ana@example.com",
  name: "Ana",
  club_name: "Violão Fácil",
  time_zone: "America/Sao_Paulo",
  host: "hooks.example:8443",
  link: "https://turma.example/console/abc/webhooks/def"
}

const at = DateTime.makeUnsafe("2026-11-21T09:59:00Z")
const since = DateTime.subtract(at, { hours: 1 })
const disabled_at = DateTime.add(at, { days: 4 })

const failure = {
  error: "http_status",
  status_code: 503,
  at,
  sample: {
    event_id: EventId.make("019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c"),
    event_type: "student.created",
    created_at: since
  }
} as const

const notices: Readonly<Record<Notice["kind"], Notice>> = {
  held: { kind: "held", since, disabled_at, failure },
  disabling: { kind: "disabling", since, disabled_at, failure },
  recovered: { kind: "recovered", at },
  secret_ends: { kind: "secret_ends", at, proof: "accepted" }
}

/** The subject, and parts of the text. */
const said: Readonly<Record<Notice["kind"], readonly [subject: string, ...ReadonlyArray<string>]>> = {
  held: [
    "Um endpoint de webhook do clube Violão Fácil não aceita eventos",
    "em hooks.example:8443 está retido há uma hora: nada é aceito desde 21 de novembro de 2026 às 05:59",
    "O receptor respondeu 503.",
    `Um exemplo é o evento ${failure.sample.event_id}, student.created,`,
    "Se nada for aceito até 25 de novembro de 2026 às 06:59"
  ],
  disabling: [
    "Um endpoint de webhook do clube Violão Fácil será desativado",
    "em hooks.example:8443 não aceita nada desde 21 de novembro de 2026 às 05:59",
    "A última tentativa falhou em 21 de novembro de 2026 às 06:59",
    "ele será desativado: o que espera será cancelado"
  ],
  recovered: [
    "Um endpoint de webhook do clube Violão Fácil voltou a aceitar eventos",
    "em hooks.example:8443 voltou a aceitar eventos: o último foi aceito em 21 de novembro de 2026 às 06:59"
  ],
  secret_ends: [
    "Um segredo de webhook do clube Violão Fácil está perto de expirar",
    "em hooks.example:8443 deixa de assinar em 21 de novembro de 2026 às 06:59",
    "Desde a troca houve envios aceitos, mas com as duas assinaturas"
  ]
}

const kinds = Object.values(notices).map(({ kind }) => kind)

describe("A mail that tells of an endpoint", () => {
  it.each(kinds)("says in Portuguese what is so, by the club's clocks, and what to do: %s", (kind) => {
    const { html, subject, text } = noticeMail("pt-BR", to, notices[kind])
    const [title, ...sentences] = said[kind]
    assert.strictEqual(subject, title)
    for (const sentence of sentences) assert.include(text, sentence)
    assert.include(text, "Olá, Ana!")
    assert.include(text, to.link)
    assert.include(html, `href="${to.link}"`)
    assert.include(text, "Dá para desligar os avisos em cada endpoint.")
  })

  it("says what a rotation has shown, each in a sentence of its own", () => {
    const proofs = ["proved", "lacking", "accepted", "nothing"] as const
    for (const locale of ["en", "pt-BR"] as const) {
      const texts = proofs.map((proof) => noticeMail(locale, to, { kind: "secret_ends", at, proof }).text)
      assert.lengthOf(new Set(texts), proofs.length)
    }
  })

  it.each(kinds)("is whole in both languages, without a cause too: %s", (kind) => {
    for (const locale of ["en", "pt-BR"] as const) {
      const notice = notices[kind]
      const { html, text } = noticeMail(locale, to, "failure" in notice ? { ...notice, failure: null } : notice)
      for (const part of [text, html]) assert.notMatch(part, /undefined|null|\[object|NaN/)
      assert.notMatch(text, /last attempt|última tentativa/)
    }
  })

  it("turns neither the club's nor the reader's name into a link", () => {
    const named = { ...to, club_name: "https://evil.example", name: "www.evil.example" }
    const { html, subject, text } = noticeMail("pt-BR", named, notices.held)
    for (const part of [subject, text, html]) assert.notInclude(part, "evil.example")
  })
})
