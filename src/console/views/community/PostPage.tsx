import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { go } from "../../../browser/client/Location.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { Feed } from "../../../browser/parts/Feed.tsx"
import { Markdown } from "../../../browser/parts/Markdown.tsx"
import { MenuEntry, MoreMenu } from "../../../browser/parts/Menu.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { clubPage, type ClubViewProps, ofClub } from "../../club/View.ts"
import { CommentCard } from "./CommentCard.tsx"
import { type Comment, mayModerate } from "./comments.ts"
import { type Post, postTitle } from "./postWords.ts"
import { communityWords } from "./shared.ts"
import { WordsForm } from "./WordsForm.tsx"

const words = spoken(
  {
    by: "By",
    comment: "Comment as the team",
    comments: "Comments",
    commentSend: "Comment",
    deleted: "Its text was deleted.",
    empty: "Nobody has commented on it",
    goes: "Its text is erased. While it has comments, a mark stays in its place. Points it earned stay.",
    hidden: "Hidden",
    hide: "Hide from students",
    pin: "Pin",
    pinned: "Pinned",
    remove: "Delete",
    removeAction: "Delete the post",
    removed: "The post is deleted",
    removeTitle: "Delete this post?",
    show: "Show to students",
    space: "Space",
    unpin: "Unpin"
  },
  {
    by: "De",
    comment: "Comentar como equipe",
    comments: "Comentários",
    commentSend: "Comentar",
    deleted: "O texto foi excluído.",
    empty: "Ninguém comentou",
    goes: "O texto é apagado. Se houver comentários, fica uma marca no lugar. Os pontos que ele rendeu ficam.",
    hidden: "Oculto",
    hide: "Ocultar dos alunos",
    pin: "Fixar",
    pinned: "Fixado",
    remove: "Excluir",
    removeAction: "Excluir o post",
    removed: "O post foi excluído",
    removeTitle: "Excluir este post?",
    show: "Mostrar aos alunos",
    space: "Espaço",
    unpin: "Desafixar"
  }
)

interface PostProps {
  readonly club: Membership
  readonly post: Post
}

const keyOf = (club: Membership, id: string) => `${club.organization_id}/posts/${id}`

const Actions = ({ club, post }: PostProps) => {
  const isRemoving = useSignal(false)
  const params = { ...ofClub(club), postId: post.id }
  const change = (body: { readonly hidden?: boolean; readonly pinned?: boolean }) =>
    void attempt(async () => {
      await turma.posts.update({ ...params, body })
      changed(keyOf(club, post.id), `${club.organization_id}/spaces/${post.space_id}/posts`)
    })
  return (
    <>
      <button type="button" class="quiet" onClick={() => change({ hidden: !post.hidden })}>
        {post.hidden ? said(words).show : said(words).hide}
      </button>
      <button type="button" class="quiet" onClick={() => change({ pinned: !post.pinned })}>
        {post.pinned ? said(words).unpin : said(words).pin}
      </button>
      <MoreMenu>
        <MenuEntry icon="remove" isDangerous label={said(words).remove} act={() => (isRemoving.value = true)} />
      </MoreMenu>
      {isRemoving.value && (
        <Confirm
          title={said(words).removeTitle}
          action={said(words).removeAction}
          isDangerous
          done={said(words).removed}
          work={async () => {
            await turma.posts.remove(params)
            go(clubPage(club, "community", "spaces", post.space_id), { replace: true })
          }}
          onClose={() => (isRemoving.value = false)}
        >
          <p>{said(words).goes}</p>
        </Confirm>
      )}
    </>
  )
}

const Comments = ({ club, post }: PostProps) => {
  const params = { ...ofClub(club), postId: post.id }
  const list = useList<Comment>(
    `${keyOf(club, post.id)}/comments`,
    ({ cursor, limit, signal }) => turma.postComments.list({ ...params, cursor, limit }, { signal })
  )
  return (
    <section class="stack" aria-labelledby="comments">
      <h2 id="comments">{said(words).comments}</h2>
      {mayModerate(club) && !post.deleted && (
        <WordsForm
          label={said(words).comment}
          action={said(words).commentSend}
          send={async (body) => {
            await turma.postComments.create({ ...params, body: { body } })
            changed(keyOf(club, post.id))
          }}
        />
      )}
      <Feed
        label={said(words).comments}
        list={list}
        keyOf={({ id }) => id}
        empty={<Empty icon="chat" title={said(words).empty} />}
      >
        {(comment) => (
          <CommentCard
            club={club}
            comment={comment}
            replace={(next) => list.replace(next, ({ id }) => id === next.id)}
            reload={list.reload}
          />
        )}
      </Feed>
    </section>
  )
}

/** A post and the comments on it. */
export default function PostPage({ club, params }: ClubViewProps) {
  const postId = params["post"] ?? ""
  const post = useRead(keyOf(club, postId), (signal) => turma.posts.get({ ...ofClub(club), postId }, { signal }))
  return (
    <Shown read={post}>
      {({ data }) => (
        <>
          <PageHead
            title={postTitle(data)}
            above={[
              { label: said(communityWords).community, to: clubPage(club, "community") },
              { label: said(words).space, to: clubPage(club, "community", "spaces", data.space_id) }
            ]}
            badge={
              <>
                {data.hidden && <Badge tone="warning">{said(words).hidden}</Badge>}
                {data.pinned && <Badge tone="good">{said(words).pinned}</Badge>}
              </>
            }
            actions={may(club.role, "teach") && !data.deleted && <Actions club={club} post={data} />}
          >
            {said(words).by} <span dir="auto">{data.author.name}</span>, <Moment at={data.created_at} />
          </PageHead>
          <div class="card">{data.deleted ? said(words).deleted : <Markdown small text={data.body} />}</div>
          <Comments club={club} post={data} />
        </>
      )}
    </Shown>
  )
}
