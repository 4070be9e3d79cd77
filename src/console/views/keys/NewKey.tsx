import { useId } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { startOfDay } from "../../../browser/client/Time.ts"
import { Dialog } from "../../../browser/parts/Dialog.tsx"
import { SelectField, TextArea, TextField } from "../../../browser/parts/Fields.tsx"
import { type Form, useForm } from "../../../browser/parts/Form.ts"
import { mayGive } from "../../club/Ranks.ts"
import { roleName } from "../../club/Roles.ts"
import type { Membership } from "../../club/Session.ts"
import { keysOf } from "./KeyParts.tsx"
import { type KeyArea, keyAreas, networksIn, scopesOf } from "./KeyRules.ts"
import { areaNames, words } from "./words.ts"

const keyRoles = ["admin", "editor", "support", "viewer"] as const

/** A role that a key may have. */
export const keyRole = (text: string) => keyRoles.find((role) => role === text)

/** Those of them that somebody may give. */
export const roleChoices = (club: Membership) =>
  keyRoles.filter((role) => mayGive(club.role, role)).map((role) => ({ value: role, label: roleName(role) }))

const AreaChoice = ({ area, form }: { readonly area: KeyArea; readonly form: Form }) => {
  const id = useId()
  return (
    <div>
      <label for={id}>{said(areaNames)[area]}</label>
      <select id={id} value={form.value(area)} onChange={({ currentTarget: { value } }) => form.set(area, value)}>
        <option value="">{said(words).reaches.none}</option>
        <option value="read">{said(words).reaches.read}</option>
        <option value="write">{said(words).reaches.write}</option>
      </select>
    </div>
  )
}

const Scopes = ({ form }: { readonly form: Form }) => (
  <fieldset class="scopes">
    <legend>{said(words).scopes}</legend>
    <p class="hint">{said(words).scopesText}</p>
    <div class="areas-of-key">
      {keyAreas.map((area) => <AreaChoice key={area} area={area} form={form} />)}
    </div>
  </fieldset>
)

interface NewKeyProps {
  readonly club: Membership
  readonly onClose: () => void
  readonly onMade: (token: string) => void
}

/** Makes a key, whose token is shown once. */
export const NewKey = ({ club, onClose, onMade }: NewKeyProps) => {
  const form = useForm({
    values: { name: "", role: "support", scopes: "", allowed_networks: "", expires_at: "" },
    send: async (value) => {
      const role = keyRole(value("role"))
      const scopes = scopesOf(value)
      const { data } = await turma.keys.create({
        clubId: club.organization_id,
        body: {
          name: value("name"),
          ...(role === undefined ? {} : { role }),
          ...(scopes.length === 0 ? {} : { scopes: [...scopes] }),
          allowed_networks: [...networksIn(value("allowed_networks"))],
          expires_at: startOfDay(value("expires_at"), 1) ?? null
        }
      })
      changed(keysOf(club))
      onMade(data.token)
    }
  })
  return (
    <Dialog title={said(words).make} onClose={onClose} wide>
      <form class="stack" onSubmit={form.submit}>
        <TextField
          form={form}
          name="name"
          label={said(words).name}
          hint={said(words).nameHint}
          maxLength={80}
          required
          autofocus
        />
        <SelectField
          form={form}
          name="role"
          label={said(words).role}
          hint={said(words).roleHint}
          choices={[...roleChoices(club), { value: "", label: said(words).noRole }]}
        />
        <Scopes form={form} />
        <TextField
          form={form}
          name="expires_at"
          label={said(words).ends}
          hint={said(words).endsHint}
          type="date"
        />
        <TextArea
          form={form}
          name="allowed_networks"
          label={said(words).networks}
          hint={said(words).networksHint}
          rows={2}
        />
        <div class="actions">
          <button type="submit" aria-busy={form.isRunning}>{said(words).create}</button>
        </div>
      </form>
    </Dialog>
  )
}
