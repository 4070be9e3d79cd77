import { spoken } from "../../../browser/client/Language.ts"
import type { Tone } from "../../../browser/parts/Badge.tsx"
import type { Schemas } from "../../../sdk/index.ts"

/** An event from a platform. */
export type InboundEvent = Schemas["InboundEvent"]

/** The result of an event; `pending` while it waits. */
export type Outcome = NonNullable<InboundEvent["outcome"]> | "pending"

/** The result of an event, in a word. */
export const outcomeWords = spoken<Record<Outcome, string>>(
  {
    duplicate: "Duplicate",
    failed: "Failed",
    ignored: "Ignored",
    pending: "In progress",
    processed: "Taken in",
    unmapped: "Waits for a mapping"
  },
  {
    duplicate: "Repetido",
    failed: "Falhou",
    ignored: "Ignorado",
    pending: "Em andamento",
    processed: "Processado",
    unmapped: "Sem mapeamento"
  }
)

/** The meaning of the result, in a sentence. */
export const outcomeSentences = spoken<Record<Outcome, string>>(
  {
    duplicate: "It was processed before, so nothing changed.",
    failed: "It could not be processed. Fix the cause, then process it again.",
    ignored: "It changes nothing.",
    pending: "It was stored and is being processed.",
    processed: "It was processed: the buyer has the product's access.",
    unmapped: "No mapping covers its product yet, or its purchase is unknown. Map the product, then take it in."
  },
  {
    duplicate: "Já tinha sido processado antes; nada mudou.",
    failed: "Não foi possível processar. Corrija a causa e processe de novo.",
    ignored: "Não muda nada.",
    pending: "Foi guardado e está sendo processado.",
    processed: "Foi processado: quem comprou tem o acesso que o produto dá.",
    unmapped: "O produto ainda não tem mapeamento, ou a compra é desconhecida. Mapeie o produto e depois processe."
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
    choosePlatform: "Escolha primeiro a plataforma.",
    days: (count: number) => count === 1 ? "1 dia" : `${count} dias`,
    events: "O que chegou",
    parts: "Vendas",
    products: "Produtos",
    sales: "Vendas",
    save: "Salvar",
    saved: "Salvo"
  }
)
