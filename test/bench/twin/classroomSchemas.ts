import { array, boolean, data, integer, object, string } from "./schemas.ts"

const nullable = (type: string) => ({ type: [type, "null"] })
const instant = { type: "string", format: "date-time" } as const
const perhaps = { type: ["string", "null"], format: "date-time" } as const

const citation = object({
  cited_text: string,
  source_id: string,
  source_kind: string,
  source_title: string,
  media_id: nullable("string"),
  lesson_id: string,
  page_from: nullable("integer"),
  page_to: nullable("integer"),
  seconds: nullable("integer"),
  lesson_public_id: nullable("string")
})

const message = object({
  id: string,
  role: string,
  content: string,
  status: string,
  images: array(object({ id: string, title: string })),
  citations: array(citation),
  created_at: string,
  error_code: nullable("string"),
  reply_to: nullable("string"),
  completed_at: nullable("string")
})

export const askAnswer = data(object({
  agent_name: string,
  limits: object({
    daily_limit: integer,
    used: integer,
    remaining: integer,
    club_budget_exhausted: boolean,
    resets_at: instant
  }),
  messages: array(message),
  conversation: {
    ...object({ id: string, title: string, last_message_at: instant, created_at: instant }),
    nullable: true
  }
}))

export const repositoriesAnswer = data(array(object({
  public_id: string,
  title: string,
  file_count: integer,
  instructor_name: nullable("string"),
  cover_url: nullable("string")
})))

export const completionAnswer = data(object({
  lesson: object({ id: string, public_id: string, title: string }),
  completed: boolean,
  completed_at: instant,
  first_completed_at: instant,
  course: object({
    id: string,
    public_id: string,
    title: string,
    progress: object({
      lessons_count: integer,
      completed_count: integer,
      percent: integer,
      next_lesson_public_id: nullable("string"),
      completed_at: perhaps
    })
  }),
  points_awarded: integer
}))

const level = object({ id: string, name: string, min_points: integer })
const page = {
  data: array(object({ student: object({ id: string, name: string }), points: integer, level, position: integer })),
  next_cursor: nullable("string")
}

export const rankingAnswer = { 200: object(page) }

export const ownRankingAnswer = {
  200: object({ ...page, me: object({ points: integer, level, position: nullable("integer") }) })
}

export const rankingQuery = {
  type: "object",
  properties: {
    period: { type: "string", enum: ["7d", "30d", "all"] },
    limit: { type: "string", pattern: "^([1-9]\\d?|100)$" },
    cursor: string
  },
  additionalProperties: false
} as const
