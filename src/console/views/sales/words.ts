import type { Schemas } from "../../../sdk/index.ts"
import { spoken } from "../../client/Language.ts"
import type { Tone } from "../../parts/Badge.tsx"

/** An event from a platform. */
export type InboundEvent = Schemas["InboundEvent"]

/** The result of an event; `pending` while it waits. */
export type Outcome = NonNullable<InboundEvent["outcome"]> | "pending"

/** The result of an event, in a word. */
export const outcomeWords = spoken<Record<Outcome, string>>(
  {
    duplicate: "Came twice",
    failed: "Failed",
    ignored: "Ignored",
    pending: "In progress",
    processed: "Taken in",
    unmapped: "Waits for a mapping"
  },
  {
    duplicate: "Veio de novo",
    failed: "Falhou",
    ignored: "Ignorado",
    pending: "Em andamento",
    processed: "Recebido",
    unmapped: "Espera um mapeamento"
  }
)

/** The meaning of the result, in a sentence. */
export const outcomeSentences = spoken<Record<Outcome, string>>(
  {
    duplicate: "It was processed before; nothing happened again.",
    failed: "It could not be processed. Mend the cause, then process it again.",
    ignored: "Nothing follows from it.",
    pending: "It was stored and is being processed.",
    processed: "It was processed: the buyer has the product's access.",
    unmapped: "No product mapping takes it yet, or its purchase is not known. Map its product, then take it in."
  },
  {
    duplicate: "O mesmo já tinha sido recebido; nada foi feito de novo.",
    failed: "Não pôde ser processado. Corrija o que está errado e processe de novo.",
    ignored: "Nada resulta dele.",
    pending: "Foi guardado e está sendo processado.",
    processed: "Foi processado: quem comprou tem o que o produto dá.",
    unmapped:
      "Nenhum mapeamento de produto o recebe ainda, ou a compra não é conhecida. Mapeie o produto e depois receba."
  }
)

/** How what came of an event is shown. */
export const outcomeTones: Readonly<Record<Outcome, Tone>> = {
  duplicate: "quiet",
  failed: "bad",
  ignored: "quiet",
  pending: "waiting",
  processed: "good",
  unmapped: "warning"
}

/** The words that several views of sales share. */
export const salesWords = spoken(
  {
    addresses: "Addresses",
    choosePlatform: "Choose the platform first.",
    days: (count: number) => count === 1 ? "1 day" : `${count} days`,
    events: "What came in",
    parts: "Sales",
    products: "Products",
    sales: "Sales",
    save: "Save",
    saved: "Saved"
  },
  {
    addresses: "Endereços",
    choosePlatform: "Escolha antes a plataforma.",
    days: (count: number) => count === 1 ? "1 dia" : `${count} dias`,
    events: "O que chegou",
    parts: "Vendas",
    products: "Produtos",
    sales: "Vendas",
    save: "Salvar",
    saved: "Salvo"
  }
)
