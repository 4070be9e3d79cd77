import type { ComponentChildren } from "preact"
import { dateTime } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import type { IconName } from "../../../browser/parts/icons.ts"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { tellFailure } from "../../../browser/parts/Toasts.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { NoticeRow } from "../../club/NoticeRow.tsx"
import { markRead } from "../../club/notices.ts"
import { sourceAddress } from "../../club/Source.ts"
import { to } from "../../club/View.ts"

const words = spoken(
  {
    allNotices: "All notifications",
    assignment: "Send your assignment again",
    due: "To do",
    fresh: "New lessons",
    live: "Next live",
    now: "Happening now",
    notices: "Replies to you",
    quiz: "Try the quiz again"
  },
  {
    allNotices: "Todos os avisos",
    assignment: "Enviar a tarefa de novo",
    due: "Para fazer",
    fresh: "Aulas novas",
    live: "Próximo encontro ao vivo",
    now: "Acontecendo agora",
    notices: "Respostas para você",
    quiz: "Tentar o questionário de novo"
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

/** Replies, mentions and reviews. Opened, each is read. */
const Unread = ({ notifications }: Pick<HomeData, "notifications">) => (
  <section class="news-part" aria-labelledby="home-notices">
    <h2 id="home-notices">{said(words).notices}</h2>
    <ul class="plain-list">
      {notifications.map((notice) => (
        <li key={notice.id}>
          <NoticeRow notice={notice} read={() => void markRead([notice.id]).catch(tellFailure)} />
        </li>
      ))}
    </ul>
    <a class="small" href={to("notifications")}>{said(words).allNotices}</a>
  </section>
)

/** Since the student was here: answers, work to do again, the next live, and new lessons. */
export const News = ({ home: { due, new_lessons, next_live, notifications } }: { readonly home: HomeData }) => (
  <div class="news">
    {notifications.length > 0 && <Unread notifications={notifications} />}
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
