import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { said, spoken } from "../../../client/Language.ts"
import { tellFailure } from "../../../parts/Toasts.tsx"
import { type Verified, verified } from "../model/Verification.ts"

const words = spoken(
  {
    hint: "It stays in this page: nothing is sent anywhere, and it is forgotten when you leave.",
    others: "These headers cannot be verified: something of them is missing.",
    results: {
      no_matching_signature:
        "This secret has not made any of the signatures. It is another endpoint's, or older than 24 hours after it was replaced.",
      secret_invalid: "A secret begins with whsec_, and base64 follows.",
      valid:
        "It fits: this secret has signed exactly this payload. If your receiver refuses it, it does not check the raw body, or its clock is wrong."
    },
    secret: "The endpoint's secret",
    title: "Verify this signature",
    verify: "Verify"
  },
  {
    hint: "Ele fica nesta página: nada é enviado a lugar nenhum, e é esquecido quando você sai.",
    others: "Estes cabeçalhos não podem ser verificados: falta algo neles.",
    results: {
      no_matching_signature:
        "Este segredo não fez nenhuma das assinaturas. É de outro endpoint, ou passou das 24 horas depois de ser trocado.",
      secret_invalid: "Isto não é um segredo: ele começa com whsec_, seguido de base64.",
      valid:
        "Confere: este segredo assinou exatamente este conteúdo. Se seu receptor o recusa, ele não confere o corpo cru, ou o relógio dele está errado."
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
