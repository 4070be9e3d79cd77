import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { ActionButton } from "../../../browser/parts/ActionButton.tsx"
import { Avatar } from "../../../browser/parts/Avatar.tsx"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import type { IconName } from "../../../browser/parts/icons.ts"
import { Markdown } from "../../../browser/parts/Markdown.tsx"
import { Menu, MenuEntry } from "../../../browser/parts/Menu.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { SafeLink } from "../../../browser/parts/SafeLink.tsx"
import { attempt, tellDone } from "../../../browser/parts/Toasts.tsx"
import type { Membership } from "../../club/Session.ts"
import { ofClub } from "../../club/View.ts"
import { type Comment, mayModerate } from "./comments.ts"
import { Replies } from "./Replies.tsx"
import { WordsForm } from "./WordsForm.tsx"

const words = spoken(
  {
    answered: "Answered",
    answeredMark: "Mark as answered",
    assistant: "Assistant",
    askAssistant: "Have the assistant answer",
    deleted: "Its text was deleted.",
    goes: "Its text, mentions and images are erased. Replies to it stay, and so do points it earned.",
    hidden: "Hidden",
    hide: "Hide",
    isReply: "A reply",
    letThrough: "Let through",
    more: (name: string) => `More for the comment of ${name}`,
    notSpam: "Not spam",
    pending: "Waits for the team",
    pin: "Pin",
    pinned: "Pinned",
    remove: "Delete",
    removeAction: "Delete the comment",
    removed: "The comment is deleted",
    removeTitle: "Delete this comment?",
    reply: "Reply",
    replies: (count: string) => `Replies: ${count}`,
    replyTo: (name: string) => `Reply to ${name}`,
    show: "Show",
    silent: (reason: string) => `The assistant stayed silent: ${reason}`,
    spam: "Spam",
    staff: "Team",
    student: "Student",
    unanswered: "Mark as unanswered",
    unpin: "Unpin"
  },
  {
    answered: "Respondido",
    answeredMark: "Marcar como respondido",
    assistant: "Assistente",
    askAssistant: "Pedir resposta ao assistente",
    deleted: "O texto foi excluído.",
    goes: "O texto, as menções e as imagens são apagados. As respostas e os pontos que ele rendeu ficam.",
    hidden: "Oculto",
    hide: "Ocultar",
    isReply: "Uma resposta",
    letThrough: "Liberar",
    more: (name: string) => `Mais ações para o comentário de ${name}`,
    notSpam: "Não é spam",
    pending: "Aguardando a equipe",
    pin: "Fixar",
    pinned: "Fixado",
    remove: "Excluir",
    removeAction: "Excluir o comentário",
    removed: "O comentário foi excluído",
    removeTitle: "Excluir este comentário?",
    reply: "Responder",
    replies: (count: string) => `Respostas: ${count}`,
    replyTo: (name: string) => `Responder a ${name}`,
    show: "Mostrar",
    silent: (reason: string) => `O assistente não respondeu: ${reason}`,
    spam: "Spam",
    staff: "Equipe",
    student: "Aluno",
    unanswered: "Marcar como não respondido",
    unpin: "Desafixar"
  }
)

interface CommentCardProps {
  readonly club: Membership
  readonly comment: Comment
  /** Shows it as it is now. */
  readonly replace: (comment: Comment) => void
  readonly reload: () => void
}

const Marks = ({ comment }: Pick<CommentCardProps, "comment">) => (
  <>
    {comment.pending && <Badge tone="waiting">{said(words).pending}</Badge>}
    {comment.spam && <Badge tone="bad">{said(words).spam}</Badge>}
    {comment.hidden && <Badge tone="warning">{said(words).hidden}</Badge>}
    {comment.pinned && <Badge tone="quiet">{said(words).pinned}</Badge>}
    {comment.answered && <Badge tone="good">{said(words).answered}</Badge>}
  </>
)

type Patch = Partial<Readonly<Record<"answered" | "hidden" | "pending" | "pinned" | "spam", boolean>>>

const Moderation = ({ club, comment, reload, replace }: CommentCardProps) => {
  const isOpen = useSignal<"" | "reply" | "remove">("")
  const params = { ...ofClub(club), commentId: comment.id }
  const read = async () => replace((await turma.comments.get(params)).data)
  const change = (body: Patch) =>
    void attempt(async () => replace((await turma.comments.update({ ...params, body })).data))
  const askAssistant = async () => {
    const { data } = await turma.assistantReplies.reply(params, { timeout: 60_000 })
    if ("reason" in data) tellDone(said(words).silent(data.reason))
    await read()
  }
  const button = (label: string, run: () => void) => <button type="button" class="quiet" onClick={run}>{label}</button>
  const entry = (icon: IconName, label: string, act: () => void) => <MenuEntry icon={icon} label={label} act={act} />
  return (
    <>
      <div class="actions">
        {comment.pending && button(said(words).letThrough, () => change({ pending: false }))}
        {button(said(words).reply, () => (isOpen.value = isOpen.peek() === "reply" ? "" : "reply"))}
        {!comment.pending && comment.author.role === "student" && !comment.answered && (
          <ActionButton isQuiet work={askAssistant}>{said(words).askAssistant}</ActionButton>
        )}
        <Menu label={said(words).more(comment.author.name)} icon="more">
          {(comment.answered || comment.author.role === "student") && entry(
            "check",
            comment.answered ? said(words).unanswered : said(words).answeredMark,
            () => change({ answered: !comment.answered })
          )}
          {entry(
            "lock",
            comment.hidden ? said(words).show : said(words).hide,
            () => change({ hidden: !comment.hidden })
          )}
          {entry(
            "pin",
            comment.pinned ? said(words).unpin : said(words).pin,
            () => change({ pinned: !comment.pinned })
          )}
          {entry("flag", comment.spam ? said(words).notSpam : said(words).spam, () => change({ spam: !comment.spam }))}
          <MenuEntry icon="remove" isDangerous label={said(words).remove} act={() => (isOpen.value = "remove")} />
        </Menu>
      </div>
      {isOpen.value === "reply" && (
        <WordsForm
          label={said(words).replyTo(comment.author.name)}
          action={said(words).reply}
          send={async (body) => {
            await turma.comments.reply({ ...params, body: { body } })
            isOpen.value = ""
            await read()
          }}
        />
      )}
      {isOpen.value === "remove" && (
        <Confirm
          title={said(words).removeTitle}
          action={said(words).removeAction}
          isDangerous
          done={said(words).removed}
          work={async () => {
            await turma.comments.remove(params)
            reload()
          }}
          onClose={() => (isOpen.value = "")}
        >
          <p>{said(words).goes}</p>
        </Confirm>
      )}
    </>
  )
}

/** A comment and its actions. */
export const CommentCard = (props: CommentCardProps) => {
  const { club, comment } = props
  const { author, body, deleted, images, parent_id } = comment
  const isOpened = useSignal(false)
  return (
    <>
      <div class="line">
        <div class="line-words">
          <Avatar name={author.name} role={author.role} />
          <strong dir="auto">{author.name}</strong>
          <span class="soft small">
            {said(words)[author.role]}
            {parent_id !== null && `, ${said(words).isReply}`}, <Moment at={comment.created_at} />
          </span>
        </div>
        <div class="actions">
          <Marks comment={comment} />
        </div>
      </div>
      {deleted ? <p class="soft">{said(words).deleted}</p> : <Markdown small text={body} />}
      {images.length > 0 && (
        <ul>
          {images.map(({ title, url }) => (
            <li key={url}>
              <SafeLink to={url}>{title}</SafeLink>
            </li>
          ))}
        </ul>
      )}
      {comment.replies_count > 0 && (
        <details onToggle={({ currentTarget }) => (isOpened.value ||= currentTarget.open)}>
          <summary>{said(words).replies(number(comment.replies_count))}</summary>
          {isOpened.value && <Replies club={club} comment={comment} />}
        </details>
      )}
      {mayModerate(club) && !deleted && <Moderation {...props} />}
    </>
  )
}
