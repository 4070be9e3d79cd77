import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Dialog } from "../../../browser/parts/Dialog.tsx"
import { TextArea, TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import { Table } from "../../../browser/parts/Table.tsx"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { clubPage, type ClubViewProps, ofClub, useCommands } from "../../club/View.ts"
import { type Post, postTitle } from "./postWords.ts"
import { viewersOf } from "./seen.ts"
import { communityKey, communityWords } from "./shared.ts"

const words = spoken(
  {
    archived: "Archived",
    author: "Author",
    body: "Text",
    comments: "Comments",
    empty: "Nothing was posted here yet",
    emptyText: "Posts of students and the team appear here, the newest first.",
    everybody: "Every student of the club sees it while the community is published.",
    granted: "Students with a delivery that contains the community see it while the community is published.",
    hidden: "Hidden",
    missing: "There is no such space",
    nobody: "No student sees it.",
    pinned: "Pinned",
    post: "Post",
    posted: "Posted",
    posts: "Posts",
    state: "State",
    title: "Title",
    when: "When",
    write: "Write a post"
  },
  {
    archived: "Arquivado",
    author: "Autor",
    body: "Texto",
    comments: "Comentários",
    empty: "Nada foi postado aqui ainda",
    emptyText: "Os posts dos alunos e da equipe aparecem aqui, do mais novo ao mais antigo.",
    everybody: "Todos os alunos do clube veem este espaço enquanto a comunidade está publicada.",
    granted: "Alunos com uma entrega que inclui a comunidade veem este espaço enquanto ela está publicada.",
    hidden: "Oculto",
    missing: "Este espaço não existe",
    nobody: "Nenhum aluno vê este espaço.",
    pinned: "Fixado",
    post: "Post",
    posted: "Postado",
    posts: "Posts",
    state: "Situação",
    title: "Título",
    when: "Quando",
    write: "Escrever um post"
  }
)

interface WriteProps {
  readonly club: Membership
  readonly spaceId: string
  readonly after: () => void
  readonly onClose: () => void
}

const Write = ({ after, club, onClose, spaceId }: WriteProps) => {
  const form = useForm({
    values: { title: "", body: "" },
    send: async (value) => {
      const title = value("title").trim()
      await turma.posts.create({
        ...ofClub(club),
        spaceId,
        body: { title: title === "" ? null : title, body: value("body") }
      })
      after()
      onClose()
    },
    done: said(words).posted
  })
  return (
    <Dialog title={said(words).write} onClose={onClose} wide>
      <form class="stack" onSubmit={form.submit}>
        <TextField form={form} name="title" label={said(words).title} maxLength={200} autofocus />
        <TextArea form={form} name="body" label={said(words).body} rows={8} required maxLength={20_000} />
        <div class="actions">
          <button type="submit" aria-busy={form.isRunning}>{said(words).write}</button>
        </div>
      </form>
    </Dialog>
  )
}

const State = ({ post }: { readonly post: Post }) => (
  <>
    {post.hidden && <Badge tone="warning">{said(words).hidden}</Badge>}{" "}
    {post.pinned && <Badge tone="good">{said(words).pinned}</Badge>}
  </>
)

const postsKey = (club: Membership, spaceId: string) => `${club.organization_id}/spaces/${spaceId}/posts`

const Posts = ({ club, spaceId }: Pick<WriteProps, "club" | "spaceId">) => {
  const list = useList<Post>(
    postsKey(club, spaceId),
    ({ cursor, limit, signal }) => turma.posts.list({ ...ofClub(club), spaceId, cursor, limit }, { signal })
  )
  return (
    <Table
      label={said(words).posts}
      list={list}
      keyOf={({ id }) => id}
      to={({ id }) => clubPage(club, "community", "posts", id)}
      empty={<Empty icon="chat" title={said(words).empty}>{said(words).emptyText}</Empty>}
      columns={[
        { key: "post", head: said(words).post, cell: (post) => <span class="long" dir="auto">{postTitle(post)}</span> },
        {
          key: "author",
          head: said(words).author,
          onCard: "detail",
          cell: ({ author }) => <span dir="auto">{author.name}</span>
        },
        {
          key: "state",
          head: said(words).state,
          onCard: "state",
          width: "12rem",
          cell: (post) => <State post={post} />
        },
        {
          key: "comments",
          head: said(words).comments,
          isNumber: true,
          onCard: "headed",
          width: "8rem",
          cell: ({ comments_count }) => number(comments_count)
        },
        {
          key: "when",
          head: said(words).when,
          onCard: "detail",
          width: "9.5rem",
          cell: ({ created_at }) => <Moment at={created_at} />
        }
      ]}
    />
  )
}

/** A space and what was posted there. */
export default function SpacePage({ club, params }: ClubViewProps) {
  const spaceId = params["space"] ?? ""
  const isWriting = useSignal(false)
  const community = useRead(communityKey(club), (signal) => turma.community.read(ofClub(club), { signal }))
  const mayTeach = may(club.role, "teach")
  const write = () => (isWriting.value = true)
  useCommands(mayTeach ? [{ label: said(words).write, keys: "n", run: write }] : [])
  return (
    <Shown read={community}>
      {({ data: { spaces } }) => {
        const space = spaces.find(({ id }) => id === spaceId)
        if (space === undefined) return <Empty title={said(words).missing} />
        return (
          <>
            <PageHead
              title={space.name}
              above={[{ label: said(communityWords).community, to: clubPage(club, "community") }]}
              badge={space.archived && <Badge tone="quiet">{said(words).archived}</Badge>}
              actions={mayTeach && !space.archived && <button type="button" onClick={write}>{said(words).write}
              </button>}
            >
              <p>{said(words)[viewersOf(space)]}</p>
              {space.description !== "" && <p class="written" dir="auto">{space.description}</p>}
            </PageHead>
            <Posts club={club} spaceId={spaceId} />
            {isWriting.value && (
              <Write
                club={club}
                spaceId={spaceId}
                after={() => changed(postsKey(club, spaceId))}
                onClose={() => (isWriting.value = false)}
              />
            )}
          </>
        )
      }}
    </Shown>
  )
}
