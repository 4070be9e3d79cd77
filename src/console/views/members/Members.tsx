import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { allOf, wholeList } from "../../../browser/client/Lists.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { Avatar } from "../../../browser/parts/Avatar.tsx"
import { MenuEntry, MoreMenu } from "../../../browser/parts/Menu.tsx"
import { Day } from "../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { type Column, Table } from "../../../browser/parts/Table.tsx"
import { mayGive } from "../../club/Ranks.ts"
import { may } from "../../club/Rights.ts"
import { roleName, roles, roleSentence } from "../../club/Roles.ts"
import { me, type Membership } from "../../club/Session.ts"
import { type ClubViewProps, useCommands } from "../../club/View.ts"
import { Invitations, useInvitations } from "./Invitations.tsx"
import { Inviting } from "./Inviting.tsx"
import { ChangeRole, type Member, RemoveMember } from "./MemberDialogs.tsx"
import { words } from "./words.ts"

interface Chosen {
  readonly action: "change" | "remove"
  readonly member: Member
}

const columns = (club: Membership, choose: (chosen: Chosen) => void): ReadonlyArray<Column<Member>> => [
  {
    key: "member",
    head: said(words).member,
    cell: ({ id, name }) => (
      <span class="who">
        <Avatar name={name} role="staff" />
        <bdi>{name}</bdi>
        {id === me.value?.id && <span class="soft small">({said(words).you})</span>}
      </span>
    )
  },
  { key: "email", head: said(words).email, onCard: "detail", cell: ({ email }) => email },
  { key: "role", head: said(words).role, onCard: "state", width: "9rem", cell: ({ role }) => roleName(role) },
  {
    key: "since",
    head: said(words).since,
    width: "11rem",
    cell: ({ created_at }) => <Day at={created_at} />
  },
  ...(may(club.role, "administer")
    ? [{
      key: "actions",
      head: said(words).actions,
      onCard: "action" as const,
      width: "6rem",
      cell: (member: Member) =>
        mayGive(club.role, member.role) && (
          <MoreMenu of={member.name}>
            <MenuEntry
              icon="person"
              label={said(words).change}
              name={said(words).changeOf(member.name)}
              act={() => choose({ action: "change", member })}
            />
            <MenuEntry
              icon="remove"
              isDangerous
              label={said(words).remove}
              name={said(words).removeOf(member.name)}
              act={() => choose({ action: "remove", member })}
            />
          </MoreMenu>
        )
    }]
    : [])
]

/** The rights of each role, in a sentence each. */
const RolesInWords = () => (
  <section class="card stack" aria-labelledby="roles">
    <h2 id="roles">{said(words).roles}</h2>
    <dl class="facts">
      {roles.map((role) => (
        <div key={role} class="contents">
          <dt>{roleName(role)}</dt>
          <dd>{roleSentence(role)}</dd>
        </div>
      ))}
    </dl>
  </section>
)

/** The members of a club with their roles, and the invitations. */
export default function Members({ club }: ClubViewProps) {
  const chosen = useSignal<Chosen | undefined>(undefined)
  const isInviting = useSignal(false)
  const administers = may(club.role, "administer")
  const members = useRead(
    `${club.organization_id}/members`,
    (signal) => allOf(turma.clubs.listMembers({ clubId: club.organization_id, limit: 100 }, { signal }))
  )
  const open = useInvitations(club)
  const invite = () => {
    isInviting.value = true
  }
  const close = () => {
    chosen.value = undefined
    isInviting.value = false
  }
  useCommands(administers ? [{ label: said(words).invitation, keys: "n", run: invite }] : [])
  const memberNow = ({ member }: Chosen) => members.data?.find(({ id }) => id === member.id) ?? member
  const count = members.data?.length
  return (
    <>
      <PageHead
        title={said(words).title}
        actions={administers && <button type="button" onClick={invite}>{said(words).invitation}</button>}
      >
        {count !== undefined &&
          (count === 1 && (open.data?.length ?? 0) === 0
            ? said(words).alone
            : said(words).lead(number(count), open.data?.length))}
      </PageHead>
      <Table
        label={said(words).title}
        columns={columns(club, (next) => (chosen.value = next))}
        list={wholeList(members)}
        keyOf={({ id }) => id}
        empty={<></>}
      />
      {administers && <Invitations club={club} open={open} />}
      <RolesInWords />
      {isInviting.value && <Inviting club={club} onClose={close} />}
      {chosen.value?.action === "change" && <ChangeRole club={club} member={memberNow(chosen.value)} onClose={close} />}
      {chosen.value?.action === "remove" && <RemoveMember club={club} member={chosen.value.member} onClose={close} />}
    </>
  )
}
