import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { Dialog } from "../../../browser/parts/Dialog.tsx"
import { SelectField, TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { tellDone } from "../../../browser/parts/Toasts.tsx"
import { roleSentence } from "../../club/Roles.ts"
import type { Membership } from "../../club/Session.ts"
import { keysOf } from "./KeyParts.tsx"
import { keyRole, roleChoices } from "./NewKey.tsx"
import { words } from "./words.ts"

/** Lets a terminal in by the code that it shows. */
export const Terminal = ({ club, onClose }: { readonly club: Membership; readonly onClose: () => void }) => {
  const form = useForm({
    values: { user_code: "", role: "support" },
    send: async (value) => {
      const { data } = await turma.keys.approveDevice({
        clubId: club.organization_id,
        body: { user_code: value("user_code").trim(), role: keyRole(value("role")) ?? "viewer" }
      })
      changed(keysOf(club))
      onClose()
      tellDone(said(words).letInDone(data.name))
    }
  })
  return (
    <Dialog title={said(words).letIn} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <TextField
          form={form}
          name="user_code"
          label={said(words).code}
          hint={said(words).codeHint}
          autocomplete="off"
          maxLength={20}
          required
          autofocus
        />
        <SelectField
          form={form}
          name="role"
          label={said(words).role}
          choices={roleChoices(club)}
          hint={roleSentence(form.value("role"))}
        />
        <div class="actions">
          <button type="submit" aria-busy={form.isRunning}>{said(words).letIn}</button>
        </div>
      </form>
    </Dialog>
  )
}
