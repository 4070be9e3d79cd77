import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { useDraft } from "../../../browser/client/Drafts.ts"
import { said } from "../../../browser/client/Language.ts"
import { Avatar } from "../../../browser/parts/Avatar.tsx"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { Menu, MenuEntry } from "../../../browser/parts/Menu.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { tellFailure } from "../../../browser/parts/Toasts.tsx"
import { ofClub } from "../View.ts"
import { WordsEditor } from "../WordsEditor.tsx"
import { Written } from "../Written.tsx"
import { type Change, type Comment, withAnswer, withBody, withDeleted, withSaved } from "./comments.ts"
import { Reactions } from "./Reactions.tsx"
import { Report } from "./Report.tsx"
import { useLead } from "./useSought.ts"
import { words } from "./words.ts"

interface CommentItemProps {
  readonly comment: Comment
  /** True until the service has it. */
  readonly isOnItsWay: boolean
  readonly change: (change: Change) => void
  /** Opens a field for a reply to it. */
  readonly reply: () => void
}

const Head = ({ comment: { author, created_at, edited_at, pinned } }: Pick<CommentItemProps, "comment">) => (
  <p class="comment-head">
    <strong dir="auto">{author.name}</strong>
    {author.role !== "student" && <span class={`role ${author.role}`}>{said(words)[author.role]}</span>}
    <span class="soft small">
      <Moment at={created_at} />
      {edited_at !== null && `, ${said(words).edited}`}
    </span>
    {pinned && (
      <span class="soft small pinned">
        <Icon name="pin" />
        {said(words).pinned}
      </span>
    )}
  </p>
)

/** In words: why others do not see it. */
const State = ({ comment: { hidden, mine, pending, spam } }: Pick<CommentItemProps, "comment">) => {
  if (hidden) return <p class="soft">{said(words).hidden}</p>
  if (!mine || (!pending && !spam)) return null
  return (
    <p class="comment-state">
      <Badge tone={spam ? "bad" : "waiting"}>{spam ? said(words).spam : said(words).pending}</Badge>
      <span class="soft small">{spam ? said(words).spamWhy : said(words).pendingWhy}</span>
    </p>
  )
}

const Pictures = ({ comment: { images } }: Pick<CommentItemProps, "comment">) =>
  images.length === 0 ? null : (
    <ul class="pictures">
      {images.map(({ title, url }) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            <img src={url} alt={title} loading="lazy" />
          </a>
        </li>
      ))}
    </ul>
  )

/** A comment or a reply, with everything that a reader does with it. */
export const CommentItem = ({ change, comment, isOnItsWay, reply }: CommentItemProps) => {
  const { author, body, deleted, hidden, id, mine, saved } = comment
  const isOpen = useSignal<"" | "edit" | "remove" | "report">("")
  const draft = useDraft(`comments/${id}/edit`)
  const params = { ...ofClub, commentId: id }
  const close = () => (isOpen.value = "")
  useLead(id)

  const save = async () => {
    change(withSaved(!saved))
    try {
      await (saved ? turma.classroomComments.unsave(params) : turma.classroomComments.save(params))
      change(withSaved(!saved))
    } catch (thrown) {
      change(withSaved(saved))
      tellFailure(thrown)
    }
  }
  const edit = async (now: string) => {
    change(withBody(now))
    try {
      const { data } = await turma.classroomComments.edit({ ...params, body: { body: now } })
      change(withAnswer(data))
      draft.clear()
    } catch (thrown) {
      change(withBody(body))
      isOpen.value = "edit"
      tellFailure(thrown)
    }
  }
  const remove = async () => {
    change(withDeleted(true))
    try {
      await turma.classroomComments.remove(params)
      change(withDeleted(true))
    } catch (thrown) {
      change(withDeleted(false))
      tellFailure(thrown)
    }
  }

  if (deleted) return <p class="soft comment-gone">{said(words).deleted}</p>
  return (
    <article class="comment" id={`comment-${id}`} tabIndex={-1} aria-label={said(words).by(author.name)}>
      <Avatar name={author.name} role={author.role} />
      <div class="comment-body">
        <Head comment={comment} />
        {isOpen.value === "edit"
          ? (
            <WordsEditor
              draft={`comments/${id}/edit`}
              text={body}
              maxLength={5000}
              save={(now) => void edit(now)}
              close={close}
            />
          )
          : !hidden && <Written text={body} mentions={comment.mentions} />}
        {!hidden && <Pictures comment={comment} />}
        <State comment={comment} />
        {isOnItsWay
          ? <p class="soft small" role="status">{said(words).sending}</p>
          : !hidden && (
            <div class="comment-actions">
              <Reactions comment={comment} change={change} />
              <button type="button" class="quiet plain" onClick={reply}>
                <Icon name="reply" />
                {said(words).reply}
              </button>
              <Menu label={said(words).more(author.name)} icon="more">
                <MenuEntry
                  icon="save"
                  label={saved ? said(words).unsave : said(words).save}
                  act={() => void save()}
                />
                {mine && <MenuEntry icon="write" label={said(words).edit} act={() => (isOpen.value = "edit")} />}
                {mine && (
                  <MenuEntry
                    icon="remove"
                    label={said(words).remove}
                    isDangerous
                    act={() => (isOpen.value = "remove")}
                  />
                )}
                {!mine && <MenuEntry icon="flag" label={said(words).report} act={() => (isOpen.value = "report")} />}
              </Menu>
              {saved && (
                <span class="soft small pinned">
                  <Icon name="save" />
                  {said(words).saved}
                </span>
              )}
            </div>
          )}
      </div>
      {isOpen.value === "report" && <Report commentId={id} onClose={close} />}
      {isOpen.value === "remove" && (
        <Confirm
          title={said(words).removeTitle}
          action={said(words).removeAction}
          isDangerous
          work={async () => void remove()}
          onClose={close}
        >
          <p>{said(words).removeText}</p>
        </Confirm>
      )}
    </article>
  )
}
