import { said, spoken } from "../../../../browser/client/Language.ts"
import { SelectField } from "../../../../browser/parts/Fields.tsx"
import type { Form } from "../../../../browser/parts/Form.ts"
import type { Endpoint } from "../model/EndpointHealth.ts"

type Signing = Endpoint["signing"]

const words = spoken<{ readonly hint: string; readonly label: string; readonly signings: Record<Signing, string> }>(
  {
    hint:
      "Your receiver keeps the secret, and a secret can also sign. With a key, the receiver needs only the public part: it verifies and cannot sign.",
    label: "What signs",
    signings: {
      both: "The secret (v1) and a key of the service, with Ed25519 (v1a)",
      hmac: "The secret, with HMAC (v1)"
    }
  },
  {
    hint:
      "Seu receptor guarda o segredo, que também serve para assinar. Com a chave, ele só precisa da parte pública, que apenas verifica.",
    label: "O que assina",
    signings: {
      both: "O segredo (v1) e uma chave do serviço, com Ed25519 (v1a)",
      hmac: "O segredo, com HMAC (v1)"
    }
  }
)

/** The kind of signing, in words. */
export const signingName = (signing: Signing): string => said(words).signings[signing]

/** The chosen kind of signing. */
export const signingIn = (text: string): Signing => text === "both" ? text : "hmac"

/** The kind of signing of an endpoint: `signing` of the form. */
export const SigningField = ({ form }: { readonly form: Form }) => (
  <SelectField
    form={form}
    name="signing"
    label={said(words).label}
    hint={said(words).hint}
    choices={(["hmac", "both"] as const).map((one) => ({ value: one, label: signingName(one) }))}
  />
)
