import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import { type DisabledEndpoint, endpointDisabled } from "../../../src/webhooks/endpoint/DisabledMail.ts"

const disabled: DisabledEndpoint = {
  recipient: "ana@example.com",
  name: "Ana",
  club_name: "Violão Fácil",
  host: "hooks.example:8443",
  failing: Duration.days(5),
  failure: { error: "http_status", status_code: 500, at: DateTime.makeUnsafe("2026-11-21T09:59:00Z") },
  time_zone: "America/Sao_Paulo",
  canceled: 12,
  recoverable: Duration.days(30),
  link: "https://turma.example/console/abc/webhooks/def"
}

describe("The mail that tells of a disabled endpoint", () => {
  it("says in Portuguese which one, for how long it failed, what was canceled and how to go on", () => {
    const { subject, text } = endpointDisabled("pt-BR", disabled)
    assert.strictEqual(subject, "Um endpoint de webhook do clube Violão Fácil foi desativado")
    assert.include(text, "Olá, Ana!")
    assert.include(text, "O endpoint de webhook em hooks.example:8443 não aceitou nada por 5 dias")
    assert.include(text, "12 envios que aguardavam foram cancelados.")
    assert.include(text, "ative o endpoint no painel")
    assert.include(text, "envios de até 30 dias atrás que falharam ou foram cancelados podem ser reenviados")
  })

  it("says in English which one, for how long it failed, what was canceled and how to go on", () => {
    const { subject, text } = endpointDisabled("en", disabled)
    assert.strictEqual(subject, "A webhook endpoint of the club Violão Fácil was disabled")
    assert.include(text, "Hello Ana,")
    assert.include(text, "The webhook endpoint at hooks.example:8443 has accepted nothing for 5 days")
    assert.include(text, "12 deliveries that were waiting were canceled.")
    assert.include(text, "enable the endpoint in the dashboard")
    assert.include(text, "failed and canceled deliveries of up to 30 days ago can be sent again")
  })

  it("says why the last attempt failed, when by the club's clocks, and what helps", () => {
    assert.include(
      endpointDisabled("en", disabled).text,
      "The last attempt failed at November 21, 2026 at 6:59 AM GMT-3. The receiver answered 500. The receiver failed"
    )
    assert.include(endpointDisabled("pt-BR", disabled).text, "O receptor respondeu 500. O receptor falhou")
    assert.notInclude(endpointDisabled("en", { ...disabled, failure: null }).text, "The last attempt")
  })

  it("carries its link in text and HTML", () => {
    const { html, text } = endpointDisabled("en", disabled)
    assert.include(text, disabled.link)
    assert.include(html, `href="${disabled.link}"`)
  })

  it("counts one as one", () => {
    const one = { ...disabled, canceled: 1, failing: Duration.days(1) }
    assert.include(endpointDisabled("en", one).text, "1 delivery that was waiting was canceled.")
    assert.include(endpointDisabled("en", one).text, "has accepted nothing for 1 day,")
    assert.include(endpointDisabled("pt-BR", one).text, "1 envio que aguardava foi cancelado.")
    assert.include(endpointDisabled("pt-BR", one).text, "não aceitou nada por 1 dia e")
  })

  it("speaks of hours where an operator has set less than a day", () => {
    const hours = { ...disabled, failing: Duration.hours(6), recoverable: Duration.minutes(30) }
    assert.include(endpointDisabled("en", hours).text, "for 6 hours")
    assert.include(endpointDisabled("pt-BR", hours).text, "até 1 hora atrás")
  })

  it("turns neither the club's nor the reader's name into a link", () => {
    const named = { ...disabled, club_name: "https://evil.example", name: "www.evil.example" }
    const { html, subject, text } = endpointDisabled("en", named)
    for (const part of [subject, text, html]) assert.notInclude(part, "evil.example")
  })
})
