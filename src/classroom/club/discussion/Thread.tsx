import { useSignal } from "@preact/signals"
import { said } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { Failure } from "../../../browser/parts/States.tsx"
import { clubId } from "../View.ts"
import { type Place, repliesTo } from "./calls.ts"
import { CommentItem } from "./CommentItem.tsx"
import type { Change, Comment } from "./comments.ts"
import { Composer } from "./Composer.tsx"
import { useComments } from "./useComments.ts"
import { words } from "./words.ts"
import { isOnItsWay, write } from "./write.ts"

interface RepliesProps {
  readonly place: Place
  readonly comment: Comment
  /** The comment of the thread that the reader replies to. */
  readonly to: Comment | undefined
  readonly replyTo: (comment: Comment | undefined) => void
}

interface KnownRepliesProps extends RepliesProps {
  readonly read: ReadonlyArray<Comment>
  /** The number of replies beyond them. */
  readonly rest: number
  readonly more: () => void
}

const KnownReplies = ({ comment, more, place, read, replyTo, rest, to }: KnownRepliesProps) => {
  const known = useComments(read, "last")
  return (
    <div class="replies">
      {known.shown.length > 0 && (
        <ul class="plain-list" aria-label={said(words).replies(comment.author.name)}>
          {known.shown.map((one) => (
            <li key={one.id}>
              <CommentItem
                comment={one}
                isOnItsWay={isOnItsWay(one)}
                change={(change) => known.change(one.id, change)}
                reply={() => replyTo(one)}
              />
            </li>
          ))}
        </ul>
      )}
      {rest > 0 && <button type="button" class="quiet plain" onClick={more}>{said(words).moreReplies(rest)}</button>}
      {to !== undefined && (
        <Composer
          key={to.id}
          draft={`comments/${comment.id}/reply`}
          label={said(words).replyField(to.author.name)}
          placeholder={said(words).replyPlaceholder(to.author.name)}
          action={said(words).reply}
          send={(sent) => write(known, place, sent, to.id)}
          close={() => replyTo(undefined)}
        />
      )}
    </div>
  )
}

const AllReplies = (props: RepliesProps) => {
  const { id, replies, replies_count } = props.comment
  const list = useList<Comment>(`${clubId}/comments/${id}/replies`, repliesTo(id))
  const rows = Array.from({ length: list.rows }, (_, row) => list.item(row)).filter((one) => one !== undefined)
  const read = rows.length === 0 ? replies : rows
  const hasMore = list.rows > 0 && list.item(list.rows - 1) === undefined
  return (
    <>
      <KnownReplies
        {...props}
        read={read}
        rest={hasMore ? Math.max(1, replies_count - read.length) : 0}
        more={() => list.look(list.rows - 1, list.rows)}
      />
      {list.error !== undefined && <Failure error={list.error} again={list.reload} />}
    </>
  )
}

interface ThreadProps {
  readonly place: Place
  readonly comment: Comment
  readonly change: (change: Change) => void
}

/** A first comment with the replies to it. */
export const Thread = ({ change, comment, place }: ThreadProps) => {
  const isAll = useSignal(false)
  const to = useSignal<Comment | undefined>(undefined)
  const replyTo = (one: Comment | undefined) => (to.value = one)
  const props = { place, comment, to: to.value, replyTo }
  const { replies, replies_count } = comment
  return (
    <>
      <CommentItem
        comment={comment}
        isOnItsWay={isOnItsWay(comment)}
        change={change}
        reply={() => replyTo(comment)}
      />
      {isAll.value
        ? <AllReplies {...props} />
        : (
          <KnownReplies
            {...props}
            read={replies}
            rest={Math.max(0, replies_count - replies.length)}
            more={() => (isAll.value = true)}
          />
        )}
    </>
  )
}
