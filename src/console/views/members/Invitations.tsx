import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { allOf, wholeList } from "../../../browser/client/Lists.ts"
import { changed, type Read, useRead } from "../../../browser/client/Reads.ts"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { MenuEntry, MoreMenu } from "../../../browser/parts/Menu.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { Empty } from "../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../browser/parts/Table.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { may } from "../../club/Rights.ts"
import { roleName } from "../../club/Roles.ts"
import type { Membership } from "../../club/Session.ts"
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
  { key: "role", head: said(words).role, width: "9rem", onCard: "detail", cell: ({ role }) => roleName(role) },
  {
    key: "sent",
    head: said(words).sent,
    width: "10rem",
    cell: ({ created_at }) => <Moment at={created_at} />
  },
  {
    key: "expires",
    head: said(words).expires,
    width: "10rem",
    onCard: "headed",
    cell: ({ expires_at }) => <Moment at={expires_at} />
  },
  {
    key: "actions",
    head: said(words).actions,
    onCard: "action",
    width: "6rem",
    cell: (invitation) => (
      <MoreMenu of={invitation.email}>
        <MenuEntry
          icon="close"
          isDangerous
          label={said(words).withdraw}
          name={said(words).withdrawOf(invitation.email)}
          act={() => withdraw(invitation)}
        />
      </MoreMenu>
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
