import type { Sql } from "postgres"
import { notFound } from "./Refusal.ts"

/** A student of a club, with the club's time zone for its days. */
export interface Student {
  readonly club_id: string
  readonly student_id: string
  readonly time_zone: string
}

interface Citation {
  readonly lesson_id: string
}

interface Message {
  readonly citations: ReadonlyArray<Citation>
  readonly created_at: string
  readonly completed_at: string | null
}

interface Row {
  readonly lesson_id: string
  readonly agent_name: string
  readonly daily_limit: number
  readonly used: number
  readonly club_budget_exhausted: boolean
  readonly resets_at: Date
  readonly conversation_id: string | null
  readonly title: string
  readonly last_message_at: Date
  readonly created_at: Date
  readonly messages: ReadonlyArray<Message>
}

const instant = (text: string) => new Date(text).toISOString()

const conversationOf = ({ conversation_id, created_at, last_message_at, title }: Row) =>
  conversation_id === null ? null : { id: conversation_id, title, last_message_at, created_at }

/**
 * The ask state of a lesson in one statement: the lesson if the student has it, the usage, the latest conversation and
 * its messages. It looks for images and shows them without addresses: the benchmark has no images. All citations of the
 * benchmark name the lesson itself.
 */
export const makeAsks = (sql: Sql) => ({
  state: async ({ club_id, student_id, time_zone }: Student, public_id: string) => {
    const now = new Date()
    const [row] = await sql<Array<Row>>`
      select l.id as lesson_id, a.name as agent_name, a.daily_limit, coalesce(d.used, 0) as used,
        coalesce(coalesce(b.used, 0) >= a.monthly_budget, false) as club_budget_exhausted,
        (local.today + 1)::timestamp at time zone ${time_zone} as resets_at,
        c.id as conversation_id, c.title, c.last_message_at, c.created_at, coalesce(m.messages, '[]') as messages
      from lessons l
      join modules mo on mo.club_id = l.club_id and mo.id = l.module_id and mo.deleted_at is null
      join courses co on co.club_id = l.club_id and co.id = l.course_id and co.deleted_at is null
      join agents a on a.club_id = l.club_id
      cross join (select (${now}::timestamptz at time zone ${time_zone})::date as today) local
      left join assistant_days d on d.club_id = l.club_id and d.student_id = ${student_id} and d.day = local.today
      left join assistant_months b on b.club_id = l.club_id and b.month = date_trunc('month', local.today)::date
      left join lateral (
        select * from conversations c
        where c.club_id = l.club_id and c.student_id = ${student_id} and c.lesson_id = l.id
        order by c.last_message_at desc, c.id desc limit 1
      ) c on true
      left join lateral (
        select json_agg(latest order by latest.id) as messages from (
          select m.id, m.role, m.content, m.status, m.citations, m.created_at, m.error_code, m.reply_to, m.completed_at, (
            select coalesce(json_agg(json_build_object('id', f.id, 'title', f.title) order by i.position), '[]')
            from message_images i join media f on f.club_id = i.club_id and f.id = i.media_id
            where i.club_id = m.club_id and i.message_id = m.id
          ) as images
          from messages m where m.club_id = c.club_id and m.conversation_id = c.id order by m.id desc limit 50
        ) latest
      ) m on true
      where l.club_id = ${club_id} and l.public_id = ${public_id} and l.deleted_at is null and l.published_at <= ${now}
        and exists (
          select from enrollments e
          join delivery_items i on i.club_id = e.club_id and i.delivery_id = e.delivery_id
          where e.club_id = ${club_id} and e.student_id = ${student_id} and e.revoked_at is null and e.starts_at <= ${now}
            and (e.expires_at is null or e.expires_at > ${now}) and i.kind = 'course' and i.item_id = l.course_id
        )`
    if (row === undefined) throw notFound()
    const { agent_name, club_budget_exhausted, daily_limit, lesson_id, messages, resets_at, used } = row
    return {
      agent_name,
      limits: { daily_limit, used, remaining: Math.max(0, daily_limit - used), club_budget_exhausted, resets_at },
      messages: messages.map((message) => ({
        ...message,
        citations: message.citations.map((cited) => ({
          seconds: null,
          ...cited,
          lesson_public_id: cited.lesson_id === lesson_id ? public_id : null
        })),
        created_at: instant(message.created_at),
        completed_at: message.completed_at === null ? null : instant(message.completed_at)
      })),
      conversation: conversationOf(row)
    }
  }
})
