import { said, spoken } from "../../../../browser/client/Language.ts"
import { TextField } from "../../../../browser/parts/Fields.tsx"
import type { Form } from "../../../../browser/parts/Form.ts"

const words = spoken(
  {
    inFlight: "Attempts at once, at most",
    none: "Empty: no limit of its own.",
    perSecond: "Attempts a second, at most"
  },
  {
    inFlight: "Tentativas ao mesmo tempo, no máximo",
    none: "Em branco: sem limite próprio.",
    perSecond: "Tentativas por segundo, no máximo"
  }
)

/** The limits of an endpoint: `max_per_second` and `max_in_flight` of the form. */
export const LimitFields = ({ form }: { readonly form: Form }) => {
  const { inFlight, none, perSecond } = said(words)
  return (
    <>
      <TextField form={form} name="max_per_second" label={perSecond} hint={none} type="number" min={1} max={1000} />
      <TextField form={form} name="max_in_flight" label={inFlight} hint={none} type="number" min={1} max={1000} />
    </>
  )
}
