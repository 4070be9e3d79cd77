import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { meKey } from "../../../browser/client/Person.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { Confirm, Dialog } from "../../../browser/parts/Dialog.tsx"
import { SelectField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import type { Schemas } from "../../../sdk/index.ts"
import { mayGive } from "../../club/Ranks.ts"
import { roleName, roles, roleSentence } from "../../club/Roles.ts"
import { me, type Membership } from "../../club/Session.ts"
import { words } from "./words.ts"

/** Somebody who works for a club. */
export type Member = Schemas["Member"]

interface OfMember {
  readonly club: Membership
  readonly member: Member
  readonly onClose: () => void
}

/** Reads the person anew if the change is about them: their own role decides which views they see. */
const read = (club: Membership, { id }: Member) => {
  changed(`${club.organization_id}/members`, `${club.organization_id}/keys`)
  if (id === me.peek()?.id) changed(meKey)
}

/** The roles that somebody in this role may give, to choose from. */
export const choicesFor = (own: string) =>
  roles.filter((role) => mayGive(own, role)).map((role) => ({ value: role, label: roleName(role) }))

/** A role of those that the API knows. */
export const roleOf = (text: string) => roles.find((role) => role === text) ?? "viewer"

/** Gives a member another role. */
export const ChangeRole = ({ club, member, onClose }: OfMember) => {
  const form = useForm({
    of: member,
    values: { role: member.role },
    send: async (value) => {
      await turma.clubs.updateMember({
        clubId: club.organization_id,
        userId: member.id,
        body: { role: roleOf(value("role")) }
      })
      onClose()
      read(club, member)
    },
    done: said(words).changed
  })
  return (
    <Dialog title={said(words).changeOf(member.name)} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <p>{said(words).changeText}</p>
        <SelectField
          form={form}
          name="role"
          label={said(words).role}
          choices={choicesFor(club.role)}
          hint={roleSentence(form.value("role"))}
        />
        <div class="actions">
          <button type="submit" disabled={!form.isChanged} aria-busy={form.isRunning}>{said(words).change}</button>
        </div>
      </form>
    </Dialog>
  )
}

/** Removes a member, or lets them leave. */
export const RemoveMember = ({ club, member, onClose }: OfMember) => (
  <Confirm
    title={said(words).removeOf(member.name)}
    action={said(words).remove}
    isDangerous
    done={said(words).removed}
    work={async () => {
      await turma.clubs.removeMember({ clubId: club.organization_id, userId: member.id })
      read(club, member)
    }}
    onClose={onClose}
  >
    <p>{said(words).removeText(member.name)}</p>
    {member.id === me.value?.id && <p class="notice waiting">{said(words).removeSelf}</p>}
  </Confirm>
)
