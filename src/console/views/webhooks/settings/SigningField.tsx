import { said, spoken } from "../../../client/Language.ts"
import { SelectField } from "../../../parts/Fields.tsx"
import type { Form } from "../../../parts/Form.ts"
import type { Endpoint } from "../model/Standing.ts"

type Signing = Endpoint["signing"]

const words = spoken<{ readonly hint: string; readonly label: string; readonly signings: Record<Signing, string> }>(
  {
    hint:
      "With a secret, your receiver keeps what signs. With a key it keeps a public one, which verifies and signs nothing.",
    label: "What signs",
    signings: {
      both: "Both, so that a receiver may change over",
      ed25519: "A key of the service, with Ed25519 (v1a)",
      hmac: "The secret, with HMAC (v1)"
    }
  },
  {
    hint:
      "Com um segredo, seu receptor guarda o que assina. Com uma chave, guarda uma pública, que verifica e não assina nada.",
    label: "O que assina",
    signings: {
      both: "Os dois, para um receptor poder migrar",
      ed25519: "Uma chave do serviço, com Ed25519 (v1a)",
      hmac: "O segredo, com HMAC (v1)"
    }
  }
)

/** What signs, in words. */
export const signingName = (signing: Signing): string => said(words).signings[signing]

/** What was chosen. */
export const signingIn = (text: string): Signing => text === "ed25519" || text === "both" ? text : "hmac"

/** What signs for an endpoint: `signing` of the form. */
export const SigningField = ({ form }: { readonly form: Form }) => (
  <SelectField
    form={form}
    name="signing"
    label={said(words).label}
    hint={said(words).hint}
    choices={(["hmac", "ed25519", "both"] as const).map((one) => ({ value: one, label: signingName(one) }))}
  />
)
