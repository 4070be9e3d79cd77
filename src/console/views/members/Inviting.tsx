import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { Dialog } from "../../../browser/parts/Dialog.tsx"
import { SelectField, TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { roleSentence } from "../../club/Roles.ts"
import type { Membership } from "../../club/Session.ts"
import { choicesFor, roleOf } from "./MemberDialogs.tsx"
import { words } from "./words.ts"

/** Invites somebody by mail. */
export const Inviting = ({ club, onClose }: { readonly club: Membership; readonly onClose: () => void }) => {
  const form = useForm({
    values: { email: "", role: "editor" },
    send: async (value) => {
      await turma.clubs.invite({
        clubId: club.organization_id,
        body: { email: value("email").trim(), role: roleOf(value("role")) }
      })
      changed(`${club.organization_id}/invitations`)
      onClose()
    },
    done: said(words).invited
  })
  return (
    <Dialog title={said(words).invitation} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <TextField
          form={form}
          name="email"
          label={said(words).email}
          type="email"
          hint={said(words).inviteHint}
          autocomplete="off"
          maxLength={320}
          required
          autofocus
        />
        <SelectField
          form={form}
          name="role"
          label={said(words).role}
          choices={choicesFor(club.role)}
          hint={roleSentence(form.value("role"))}
        />
        <div class="actions">
          <button type="submit" aria-busy={form.isRunning}>{said(words).invite}</button>
        </div>
      </form>
    </Dialog>
  )
}
