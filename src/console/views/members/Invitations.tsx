import { useSignal } from "@preact/signals"
import type { Schemas } from "../../../sdk/index.ts"
import { turma } from "../../client/Api.ts"
import { said } from "../../client/Language.ts"
import { allOf, wholeList } from "../../client/Lists.ts"
import { changed, type Read, useRead } from "../../client/Reads.ts"
import { may } from "../../client/Rights.ts"
import { roleName } from "../../client/Roles.ts"
import type { Membership } from "../../client/Session.ts"
import { Confirm } from "../../parts/Dialog.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { Empty } from "../../parts/States.tsx"
import { type Column, Table } from "../../parts/Table.tsx"
import { words } from "./words.ts"

type Invitation = Schemas["Invitation"]

/** The open invitations, for members who may see them. */
export const useInvitations = (club: Membership): Read<ReadonlyArray<Invitation>> =>
  useRead(
    may(club.role, "administer") ? `${club.organization_id}/invitations` : undefined,
    (signal) => allOf(turma.clubs.listInvitations({ clubId: club.organization_id, limit: 100 }, { signal }))
  )

const columns = (withdraw: (invitation: Invitation) => void): ReadonlyArray<Column<Invitation>> => [
  { key: "email", head: said(words).email, cell: ({ email }) => email },
  { key: "role", head: said(words).role, width: "9rem", isMinor: true, cell: ({ role }) => roleName(role) },
  {
    key: "sent",
    head: said(words).sent,
    width: "10rem",
    isMinor: true,
    cell: ({ created_at }) => <Moment at={created_at} />
  },
  {
    key: "expires",
    head: said(words).expires,
    width: "10rem",
    isMinor: true,
    cell: ({ expires_at }) => <Moment at={expires_at} />
  },
  {
    key: "actions",
    head: said(words).actions,
    width: "8rem",
    cell: (invitation) => (
      <button
        type="button"
        class="quiet small"
        aria-label={said(words).withdrawOf(invitation.email)}
        onClick={() => withdraw(invitation)}
      >
        {said(words).withdraw}
      </button>
    )
  }
]

/** The invited people who have not answered. */
export const Invitations = (
  { club, open }: { readonly club: Membership; readonly open: Read<ReadonlyArray<Invitation>> }
) => {
  const chosen = useSignal<Invitation | undefined>(undefined)
  const invitation = chosen.value
  return (
    <section class="stack" aria-labelledby="invitations">
      <h2 id="invitations">{said(words).invitations}</h2>
      <Table
        label={said(words).invitations}
        columns={columns((next) => (chosen.value = next))}
        list={wholeList(open)}
        keyOf={({ id }) => id}
        empty={<Empty title={said(words).none}>{said(words).noneText}</Empty>}
      />
      {invitation !== undefined && (
        <Confirm
          title={said(words).withdrawOf(invitation.email)}
          action={said(words).withdraw}
          isDangerous
          done={said(words).withdrawn}
          work={async () => {
            await turma.clubs.withdrawInvitation({ clubId: club.organization_id, invitationId: invitation.id })
            changed(`${club.organization_id}/invitations`)
          }}
          onClose={() => (chosen.value = undefined)}
        >
          <p>{said(words).withdrawText}</p>
        </Confirm>
      )}
    </section>
  )
}
