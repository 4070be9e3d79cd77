import { useSignal } from "@preact/signals"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { CopyButton } from "../../../../browser/parts/Code.tsx"
import { ShownOnce } from "../../../../browser/parts/ShownOnce.tsx"

const words = spoken(
  {
    copy: "Copy",
    kept: "I have kept it",
    once: "Shown only once. Keep it where your receiver reads it, and nowhere else.",
    secret: "the secret",
    title: "Signing secret"
  },
  {
    copy: "Copiar",
    kept: "Já guardei",
    once: "Só aparece desta vez. Guarde onde seu receptor lê o segredo, e em nenhum outro lugar.",
    secret: "o segredo",
    title: "Segredo de assinatura"
  }
)

/** A secret, this once: it goes when somebody says that it is kept. */
export const SecretShown = ({ secret }: { readonly secret: string }) => {
  const kept = useSignal("")
  if (kept.value === secret) return null
  return (
    <div class="notice waiting stack">
      <strong>{said(words).title}</strong>
      <div class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} what={said(words).secret} label={said(words).copy} />
      </div>
      <p>{said(words).once}</p>
      <div class="actions">
        <button type="button" class="quiet" onClick={() => (kept.value = secret)}>{said(words).kept}</button>
      </div>
      <ShownOnce />
    </div>
  )
}
