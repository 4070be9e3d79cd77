import type { JSX } from "preact"
import { number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { Badge } from "../../../../browser/parts/Badge.tsx"
import { clock } from "../../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Failure, Loading } from "../../../../browser/parts/States.tsx"
import { Tabs } from "../../../../browser/parts/Tabs.tsx"
import { may } from "../../../club/Rights.ts"
import type { Membership } from "../../../club/Session.ts"
import { type Student as StudentData, useStudent } from "../../../club/Student.ts"
import { clubPage, type ClubViewProps } from "../../../club/View.ts"
import { activeCount } from "../model/AccessState.ts"
import { commonWords } from "../words.ts"
import { Access } from "./Access.tsx"
import { Points } from "./Points.tsx"
import { Profile } from "./Profile.tsx"
import { Progress } from "./Progress.tsx"
import { Purchases } from "./Purchases.tsx"
import type { StudentProps } from "./Reads.ts"
import { Receipt } from "./Receipt.tsx"
import { WebhooksAbout } from "./WebhooksAbout.tsx"

const words = spoken(
  {
    access: "Access",
    active: (count: number) =>
      count === 1 ? "Has access to 1 delivery now." : `Has access to ${number(count)} deliveries now.`,
    none: "Has access to nothing now.",
    parts: "About the student",
    points: "Points",
    profile: "Profile",
    progress: "Progress",
    purchases: "Purchases",
    removed: "Removed",
    removedText: "This person was removed. Nothing about them remains.",
    removedTitle: "Removed student",
    unconfirmed: "The address is not confirmed yet.",
    webhooks: "Webhooks"
  },
  {
    access: "Acessos",
    active: (count: number) =>
      count === 1 ? "Tem acesso a 1 entrega agora." : `Tem acesso a ${number(count)} entregas agora.`,
    none: "Não tem acesso a nada agora.",
    parts: "Sobre o aluno",
    points: "Pontos",
    profile: "Perfil",
    progress: "Progresso",
    purchases: "Compras",
    removed: "Removido",
    removedText: "Esta pessoa foi removida. Nada sobre ela restou.",
    removedTitle: "Aluno removido",
    unconfirmed: "O endereço ainda não foi confirmado.",
    webhooks: "Webhooks"
  }
)

const Nothing = () => null

const parts: Readonly<Record<string, (props: StudentProps) => JSX.Element | null>> = {
  "": Access,
  points: Points,
  profile: Profile,
  progress: Progress,
  purchases: Purchases,
  webhooks: WebhooksAbout
}

const tabsOf = (club: Membership, { anonymized, id }: StudentData) => {
  const to = (...tab: ReadonlyArray<string>) => clubPage(club, "students", id, ...tab)
  return [
    { label: said(words).access, to: to() },
    ...(anonymized ? [] : [{ label: said(words).profile, to: to("profile") }]),
    { label: said(words).purchases, to: to("purchases") },
    { label: said(words).progress, to: to("progress") },
    { label: said(words).points, to: to("points") },
    ...(may(club.role, "administer") ? [{ label: said(words).webhooks, to: to("webhooks") }] : [])
  ]
}

const leadOf = ({ anonymized, enrollments, verified }: StudentData) => {
  if (anonymized) return said(words).removedText
  const count = activeCount(enrollments, clock.value)
  const access = count === 0 ? said(words).none : said(words).active(count)
  return verified ? access : `${access} ${said(words).unconfirmed}`
}

const titleOf = ({ anonymized, name }: StudentData) => anonymized ? said(words).removedTitle : name

/** One student: their state, and everything that the club knows about them. */
export default function Student({ club, params }: ClubViewProps) {
  const { student: id = "", tab = "" } = params
  const { data: student, error, reload } = useStudent(club, id)
  const above = [{ label: said(commonWords).students, to: clubPage(club, "students") }]
  if (student === undefined) {
    return (
      <>
        <PageHead title={said(commonWords).students} above={above} />
        {error === undefined ? <Loading /> : <Failure error={error} again={reload} />}
      </>
    )
  }
  const Part = parts[tab] ?? Nothing
  return (
    <>
      <PageHead
        title={titleOf(student)}
        above={above}
        badge={student.anonymized && <Badge tone="quiet">{said(words).removed}</Badge>}
      >
        <p>{leadOf(student)}</p>
        {!student.anonymized && <p class="small">{student.email}</p>}
      </PageHead>
      {student.anonymized && may(club.role, "administer") && <Receipt club={club} student={student} />}
      <Tabs label={said(words).parts} tabs={tabsOf(club, student)} />
      <Part club={club} student={student} />
    </>
  )
}
