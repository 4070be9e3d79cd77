import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { tellFailure } from "../../../../browser/parts/Toasts.tsx"
import { type Verified, verified } from "../model/Verification.ts"

const words = spoken(
  {
    hint: "The secret stays in this page and is forgotten when you leave.",
    others: "These headers cannot be verified: one of them is missing.",
    results: {
      no_matching_signature:
        "This secret did not make any of the signatures. It belongs to another endpoint, or was replaced more than 24 hours ago.",
      secret_invalid: "A secret begins with whsec_, and base64 follows.",
      valid:
        "It matches: this secret signed exactly this payload. If your receiver refuses it, it does not check the raw body, or its clock is wrong."
    },
    secret: "The endpoint's secret",
    title: "Verify this signature",
    verify: "Verify"
  },
  {
    hint: "O segredo fica só nesta página e é esquecido quando você sai.",
    others: "Não dá para verificar estes cabeçalhos: falta um deles.",
    results: {
      no_matching_signature:
        "Nenhuma das assinaturas foi feita com este segredo. Ele é de outro endpoint ou foi trocado há mais de 24 horas.",
      secret_invalid: "Isto não é um segredo: ele começa com whsec_, seguido de base64.",
      valid:
        "Confere: este segredo assinou exatamente este conteúdo. Se o seu receptor recusa, ele não verifica o corpo original, ou o relógio dele está errado."
    },
    secret: "O segredo do endpoint",
    title: "Verificar esta assinatura",
    verify: "Verificar"
  }
)

const sentence = (result: Verified): string => {
  const { others, results } = said(words)
  return result === "valid" || result === "no_matching_signature" || result === "secret_invalid"
    ? results[result]
    : others
}

/** Says whether a secret has signed what was sent, without telling anybody the secret. */
export const Verify = ({ body, headers }: {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}) => {
  const secret = useSignal("")
  const result = useSignal<Verified | undefined>(undefined)
  const id = useId()
  const { hint, secret: label, title, verify } = said(words)
  const submit = (event: Event) => {
    event.preventDefault()
    verified(secret.peek(), headers, body).then((found) => {
      result.value = found
    }, tellFailure)
  }
  return (
    <section class="card stack" aria-labelledby="verify">
      <h2 id="verify">{title}</h2>
      <form class="test" onSubmit={submit}>
        <div class="field">
          <label for={id}>{label}</label>
          <input
            id={id}
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            placeholder="whsec_…"
            value={secret}
            aria-describedby={`${id}-hint`}
            onInput={({ currentTarget }) => {
              secret.value = currentTarget.value
              result.value = undefined
            }}
          />
          <p class="hint" id={`${id}-hint`}>{hint}</p>
        </div>
        <div class="actions">
          <button type="submit" class="quiet">{verify}</button>
        </div>
        <div role="status">
          {result.value !== undefined && (
            <p class={`notice ${result.value === "valid" ? "good" : "bad"}`}>{sentence(result.value)}</p>
          )}
        </div>
      </form>
    </section>
  )
}
