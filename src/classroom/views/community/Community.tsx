import { counted, number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Failure, Loading } from "../../../browser/parts/States.tsx"
import { to } from "../../club/View.ts"
import { Written } from "../../club/Written.tsx"
import { type Space, useCommunity, useUnread } from "./spaces.ts"
import { words as shared } from "./words.ts"

const words = spoken(
  {
    closed: "The community is not open yet",
    closedText: "As soon as the team opens it, you meet the other students here.",
    none: "There is no space for you yet",
    noneText: "Spaces of your courses appear here.",
    spaces: "Spaces",
    staffOnly: "Only the team posts here",
    unread: (count: number) => `${number(count)} new ${counted(count, "post", "posts")}`
  },
  {
    closed: "A comunidade ainda não abriu",
    closedText: "Assim que a equipe abrir, você encontra os outros alunos aqui.",
    none: "Ainda não há espaços para você",
    noneText: "Os espaços dos seus cursos aparecem aqui.",
    spaces: "Espaços",
    staffOnly: "Só a equipe publica aqui",
    unread: (count: number) => `${number(count)} ${counted(count, "post novo", "posts novos")}`
  }
)

/** The service counts no further. */
const mostCounted = 100

const SpaceRow = ({ space: { description, id, name, posting }, unread }: {
  readonly space: Space
  readonly unread: number
}) => (
  <li>
    <a class="space" href={to("community", "spaces", id)}>
      <span class="space-mark" aria-hidden="true">
        <Icon name={posting === "staff" ? "bell" : "people"} />
      </span>
      <span class="space-words">
        <strong dir="auto">{name}</strong>
        {description !== "" && <span class="soft" dir="auto">{description}</span>}
        {posting === "staff" && <span class="soft small">{said(words).staffOnly}</span>}
      </span>
      {unread > 0 && (
        <span class="count" title={said(words).unread(unread)}>
          <span aria-hidden="true">{unread < mostCounted ? number(unread) : `${number(mostCounted - 1)}+`}</span>
          <span class="visually-hidden">{said(words).unread(unread)}</span>
        </span>
      )}
      <Icon name="next" />
    </a>
  </li>
)

const Closed = () => (
  <>
    <PageHead title={said(shared).community} />
    <Empty title={said(words).closed}>{said(words).closedText}</Empty>
  </>
)

/** The spaces in which students meet. */
export default function CommunityView() {
  const community = useCommunity()
  const unread = useUnread()
  if (community.data === undefined) {
    if (community.error === undefined) return <Loading />
    if (community.error.status === 404) return <Closed />
    return <Failure error={community.error} again={community.reload} />
  }
  const { description, name, spaces } = community.data
  return (
    <>
      <PageHead title={name}>{description !== "" && <Written text={description} />}</PageHead>
      {spaces.length === 0
        ? <Empty title={said(words).none}>{said(words).noneText}</Empty>
        : (
          <ul class="plain-list spaces" aria-label={said(words).spaces}>
            {spaces.map((space) => <SpaceRow key={space.id} space={space} unread={unread.get(space.id) ?? 0} />)}
          </ul>
        )}
    </>
  )
}
