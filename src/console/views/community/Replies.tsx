import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { Markdown } from "../../../browser/parts/Markdown.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { More } from "../../../browser/parts/More.tsx"
import { Failure } from "../../../browser/parts/States.tsx"
import type { Membership } from "../../club/Session.ts"
import { ofClub } from "../../club/View.ts"
import type { Comment } from "./comments.ts"

const words = spoken(
  { deleted: "Its text was deleted.", more: "Show all" },
  { deleted: "O texto foi excluído.", more: "Mostrar todas" }
)

const Reply = ({ reply }: { readonly reply: Comment }) => (
  <li>
    <p class="soft small">
      <strong dir="auto">{reply.author.name}</strong>, <Moment at={reply.created_at} />
    </p>
    {reply.deleted ? <p class="soft">{said(words).deleted}</p> : <Markdown small text={reply.body} />}
  </li>
)

/** The replies to a comment, the oldest first. */
export const Replies = ({ club, comment }: { readonly club: Membership; readonly comment: Comment }) => {
  const list = useList<Comment>(
    `${club.organization_id}/comments/${comment.id}/replies?${comment.replies_count}`,
    ({ cursor, limit, signal }) =>
      turma.comments.replies({ ...ofClub(club), commentId: comment.id, cursor, limit }, { signal })
  )
  const rows = Array.from({ length: list.rows }, (_, row) => list.item(row)).filter((reply) => reply !== undefined)
  return (
    <>
      <ul class="plain-list stack replies">
        {(rows.length === 0 ? comment.replies : rows).map((reply) => <Reply key={reply.id} reply={reply} />)}
      </ul>
      {list.error !== undefined && <Failure error={list.error} again={list.reload} />}
      <More list={list} label={said(words).more} />
    </>
  )
}
