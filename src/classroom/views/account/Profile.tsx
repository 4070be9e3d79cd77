import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { meKey } from "../../../browser/client/Person.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import type { Schemas } from "../../../sdk/index.ts"
import { ownKey } from "../../club/Own.ts"
import { ofClub, to } from "../../club/View.ts"
import { words } from "./words.ts"

/** The name that others see, and the address that the student signs in with. */
export const Profile = ({ own }: { readonly own: Schemas["OwnAccount"] }) => {
  const form = useForm({
    of: own,
    values: { name: own.name },
    send: async (value) => {
      await turma.ownAccount.update({ ...ofClub, body: { name: value("name") } })
      changed(ownKey, meKey)
    },
    done: said(words).saved
  })
  return (
    <form class="card stack" onSubmit={form.submit}>
      <h2>{said(words).profile}</h2>
      <TextField
        form={form}
        name="name"
        label={said(words).name}
        hint={said(words).nameHint}
        required
        maxLength={200}
        autocomplete="name"
      />
      <div class="field">
        <strong>{said(words).email}</strong>
        <span dir="auto" class="address">{own.email}</span>
        <p class="hint">
          {said(words).emailHint} <a href={to("support", "new")}>{said(words).emailOther}</a>.
        </p>
      </div>
      <div class="actions">
        <button type="submit" disabled={!form.isChanged} aria-busy={form.isRunning}>{said(words).save}</button>
      </div>
    </form>
  )
}
