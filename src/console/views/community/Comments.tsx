import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { query, setQuery } from "../../../browser/client/Location.ts"
import type { LoadPage } from "../../../browser/client/LongList.ts"
import { Feed } from "../../../browser/parts/Feed.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty } from "../../../browser/parts/States.tsx"
import { Tabs } from "../../../browser/parts/Tabs.tsx"
import type { Membership } from "../../club/Session.ts"
import { type ClubViewProps, ofClub } from "../../club/View.ts"
import { CommentCard } from "./CommentCard.tsx"
import { type Comment, mayModerate } from "./comments.ts"
import { type Moderated, Reports } from "./Reports.tsx"
import { communityTabs, communityWords } from "./shared.ts"

const states = ["all", "unanswered", "pending", "reported", "hidden", "spam"] as const

type State = (typeof states)[number]

const words = spoken<Record<State | "empty" | "emptyText" | "show", string> & { lead: Record<State, string> }>(
  {
    all: "All",
    empty: "Nothing here",
    emptyText: "Comments on lessons and posts appear here, to answer and moderate.",
    hidden: "Hidden",
    lead: {
      all: "All comments on lessons and posts, the newest first.",
      hidden: "Comments hidden from every student.",
      pending:
        "Comments that only their author sees until the team lets them through: they have many links or were reported.",
      reported: "Comments that students reported. After the third report, a comment waits for the team.",
      spam: "Comments that the team marked as spam: only their author sees them.",
      unanswered: "Comments of students that nobody has answered yet."
    },
    pending: "Waiting for the team",
    reported: "Reported",
    show: "Show",
    spam: "Spam",
    unanswered: "Unanswered"
  },
  {
    all: "Todos",
    empty: "Nada aqui",
    emptyText: "Os comentários em aulas e posts aparecem aqui, para responder e moderar.",
    hidden: "Ocultos",
    lead: {
      all: "Todos os comentários em aulas e posts, do mais novo ao mais antigo.",
      hidden: "Comentários ocultos para todos os alunos.",
      pending: "Comentários que só o autor vê até a equipe liberar: têm muitos links ou foram denunciados.",
      reported: "Comentários denunciados por alunos. Na terceira denúncia, o comentário fica aguardando a equipe.",
      spam: "Comentários que a equipe marcou como spam: só o autor vê.",
      unanswered: "Comentários de alunos que ninguém respondeu ainda."
    },
    pending: "Aguardando a equipe",
    reported: "Denunciados",
    show: "Mostrar",
    spam: "Spam",
    unanswered: "Sem resposta"
  }
)

interface Listed {
  readonly comment: Comment
  /** Its place and its reports. Undefined for members who do not moderate. */
  readonly moderated: Moderated | undefined
}

/** Comments of a state. Members who moderate also get place and reports. */
const readPage = (club: Membership, state: State): LoadPage<Listed> => async ({ cursor, limit, signal }) => {
  const params = { ...ofClub(club), state, cursor, limit }
  if (mayModerate(club)) {
    const page = await turma.comments.moderation(params, { signal })
    return { ...page, data: page.data.map((moderated) => ({ comment: moderated.comment, moderated })) }
  }
  const page = await turma.comments.list(params, { signal })
  return { ...page, data: page.data.map((comment) => ({ comment, moderated: undefined })) }
}

/** Comments on lessons and posts, with answers and moderation. */
export default function Comments({ club }: ClubViewProps) {
  const state = states.find((one) => one === query.value.get("state")) ?? "all"
  const list = useList(`${club.organization_id}/comments?${state}`, readPage(club, state))
  return (
    <>
      <PageHead title={said(communityWords).comments}>{said(words).lead[state]}</PageHead>
      <Tabs {...communityTabs(club)} />
      <div class="filters">
        <div class="field">
          <label for="state">{said(words).show}</label>
          <select
            id="state"
            value={state}
            onChange={({ currentTarget: { value } }) => setQuery({ state: value === "all" ? undefined : value })}
          >
            {states.map((one) => <option key={one} value={one}>{said(words)[one]}</option>)}
          </select>
        </div>
      </div>
      <Feed
        label={said(communityWords).comments}
        list={list}
        keyOf={({ comment }) => comment.id}
        empty={<Empty icon="chat" title={said(words).empty}>{said(words).emptyText}</Empty>}
      >
        {({ comment, moderated }) => (
          <>
            {moderated !== undefined && <Reports club={club} moderated={moderated} />}
            <CommentCard
              club={club}
              comment={comment}
              replace={(now) => list.replace({ comment: now, moderated }, ({ comment }) => comment.id === now.id)}
              reload={list.reload}
            />
          </>
        )}
      </Feed>
    </>
  )
}
