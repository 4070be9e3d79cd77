import { said, spoken } from "../../browser/client/Language.ts"
import { Avatar } from "../../browser/parts/Avatar.tsx"
import { Icon } from "../../browser/parts/Icon.tsx"
import type { IconName } from "../../browser/parts/icons.ts"
import { Moment } from "../../browser/parts/Moment.tsx"
import { type Notice, placeOf } from "./noticePlace.ts"
import { to } from "./View.ts"

type Kind = Notice["kind"]

/** The words between who did it and what it is about. */
const words = spoken<Readonly<Record<Kind | "staff" | "unread", string>>>(
  {
    assignment_reviewed: "reviewed your assignment in",
    assistant_answer: "answered your comment in",
    live: "New live:",
    mention: "mentioned you in",
    reply: "replied to you in",
    staff: "The team",
    support_answer: "answered your request:",
    unread: "Unread"
  },
  {
    assignment_reviewed: "avaliou sua tarefa em",
    assistant_answer: "respondeu ao seu comentário em",
    live: "Novo encontro ao vivo:",
    mention: "mencionou você em",
    reply: "respondeu a você em",
    staff: "A equipe",
    support_answer: "respondeu ao seu pedido de ajuda:",
    unread: "Não lido"
  }
)

const icons: Readonly<Record<Kind, IconName>> = {
  assignment_reviewed: "check",
  assistant_answer: "spark",
  live: "live",
  mention: "reply",
  reply: "reply",
  support_answer: "help"
}

const Picture = ({ notice: { actor_name, actor_role, kind } }: { readonly notice: Notice }) =>
  actor_name === null || actor_role === null
    ? (
      <span class="avatar staff" aria-hidden="true">
        <Icon name={icons[kind]} />
      </span>
    )
    : <Avatar name={actor_name} role={actor_role} />

/** One thing that happened. It leads to its place. */
export const NoticeRow = ({ notice, read }: { readonly notice: Notice; readonly read: () => void }) => {
  const { comment, path } = placeOf(notice)
  const { actor_name, created_at, excerpt, kind, read_at, title } = notice
  const actor = actor_name ?? (kind === "live" ? undefined : said(words).staff)
  return (
    <a
      class={read_at === null ? "notice-row unread" : "notice-row"}
      href={comment === null ? to(...path) : `${to(...path)}?comment=${encodeURIComponent(comment)}`}
      onClick={read}
    >
      <Picture notice={notice} />
      <span class="notice-words">
        <span dir="auto">
          {actor !== undefined && <strong>{actor}</strong>} {said(words)[kind]} <strong>{title}</strong>
        </span>
        {excerpt !== null && <span class="notice-excerpt soft" dir="auto">{excerpt}</span>}
        <span class="soft small">
          <Moment at={created_at} />
        </span>
      </span>
      {read_at === null && (
        <span class="dot" title={said(words).unread}>
          <span class="visually-hidden">{said(words).unread}</span>
        </span>
      )}
    </a>
  )
}
