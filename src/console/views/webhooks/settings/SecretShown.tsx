import { said, spoken } from "../../../client/Language.ts"
import { CopyButton } from "../../../parts/Code.tsx"

const words = spoken(
  {
    copy: "Copy",
    once: "Shown this once: keep it where your receiver reads it, and nowhere else.",
    secret: "the secret",
    title: "Signing secret"
  },
  {
    copy: "Copiar",
    once: "Mostrado só desta vez: guarde-o onde seu receptor o lê, e em nenhum outro lugar.",
    secret: "o segredo",
    title: "Segredo de assinatura"
  }
)

/** A secret, this once. */
export const SecretShown = ({ secret }: { readonly secret: string }) => (
  <div class="notice waiting stack">
    <strong>{said(words).title}</strong>
    <div class="secret">
      <code>{secret}</code>
      <CopyButton text={secret} what={said(words).secret} label={said(words).copy} />
    </div>
    <p>{said(words).once}</p>
  </div>
)
