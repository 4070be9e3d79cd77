import type { ComponentChildren } from "preact"
import { counted, dateTime, number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import type { IconName } from "../../../browser/parts/icons.ts"
import { Moment } from "../../../browser/parts/Moment.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { useNoticeSettings } from "../../club/notices.ts"
import { sourceAddress } from "../../club/Source.ts"
import { to } from "../../club/View.ts"

const words = spoken(
  {
    assignment: "Send your assignment again",
    due: "To do",
    fresh: "New lessons",
    live: "Next live",
    now: "Happening now",
    quiz: "Try the quiz again",
    replies: (count: number) => `${number(count)} new ${counted(count, "notification", "notifications")}`,
    repliesText: "Replies, mentions and feedback"
  },
  {
    assignment: "Enviar a tarefa de novo",
    due: "Para fazer",
    fresh: "Aulas novas",
    live: "Próximo encontro ao vivo",
    now: "Acontecendo agora",
    quiz: "Tentar o questionário de novo",
    replies: (count: number) => `${number(count)} ${counted(count, "aviso novo", "avisos novos")}`,
    repliesText: "Respostas, menções e correções"
  }
)

type HomeData = Schemas["ClassroomHome"]

const Row = ({ children, icon, href, title }: {
  readonly icon: IconName
  readonly href: string
  readonly title: string
  readonly children: ComponentChildren
}) => (
  <li>
    <a class="news-row" href={href}>
      <span class="file-kind">
        <Icon name={icon} />
      </span>
      <span class="lesson-words">
        <strong dir="auto">{title}</strong>
        <span class="soft small">{children}</span>
      </span>
    </a>
  </li>
)

const Part = ({ children, title }: { readonly title: string; readonly children: ComponentChildren }) => (
  <section class="news-part">
    <h2>{title}</h2>
    <ul class="plain-list">{children}</ul>
  </section>
)

const Unread = () => {
  const { data } = useNoticeSettings()
  if (data === undefined || data.unread_count === 0) return null
  return (
    <section class="news-part">
      <ul class="plain-list">
        <Row icon="bell" href={to("notifications")} title={said(words).replies(data.unread_count)}>
          {said(words).repliesText}
        </Row>
      </ul>
    </section>
  )
}

/** Since the student was here: answers, work to do again, the next live, and new lessons. */
export const News = ({ home: { due, new_lessons, next_live } }: { readonly home: HomeData }) => (
  <div class="news">
    <Unread />
    {due.length > 0 && (
      <Part title={said(words).due}>
        {due.map(({ block_id, kind, lesson, title }) => (
          <Row
            key={block_id}
            icon={kind === "quiz" ? "help" : "write"}
            href={sourceAddress(lesson.public_id, { block_id })}
            title={title ?? lesson.title}
          >
            {said(words)[kind]}
          </Row>
        ))}
      </Part>
    )}
    {next_live !== null && (
      <Part title={next_live.status === "open" ? said(words).now : said(words).live}>
        <Row icon="live" href={to("lives")} title={next_live.title}>
          {dateTime(next_live.starts_at)}
        </Row>
      </Part>
    )}
    {new_lessons.length > 0 && (
      <Part title={said(words).fresh}>
        {new_lessons.map(({ course, public_id, published_at, title }) => (
          <Row key={public_id} icon="play" href={to("lessons", public_id)} title={title}>
            <span dir="auto">{course.title}</span> · <Moment at={published_at} />
          </Row>
        ))}
      </Part>
    )}
  </div>
)
