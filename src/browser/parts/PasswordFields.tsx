import { said, spoken } from "../client/Language.ts"
import { TextField } from "./Fields.tsx"
import type { Form } from "./Form.ts"

const words = spoken(
  { current: "Current password", hint: "8 characters or more; long beats complicated.", next: "New password" },
  { current: "Senha atual", hint: "8 caracteres ou mais; longa é melhor que complicada.", next: "Nova senha" }
)

/** The known password and a new one, as `current_password` and `password` of a form. */
export const PasswordFields = ({ form }: { readonly form: Form }) => (
  <>
    <TextField
      form={form}
      name="current_password"
      label={said(words).current}
      type="password"
      autocomplete="current-password"
      required
    />
    <TextField
      form={form}
      name="password"
      label={said(words).next}
      hint={said(words).hint}
      type="password"
      autocomplete="new-password"
      minLength={8}
      required
    />
  </>
)
