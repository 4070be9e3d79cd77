import { anyOf, boolean, integer, nullOr, oneOf, record, type Shape, string, timestamp, uuid } from "./Shape.ts"

// Contract, Resources and their fields, for the records that several tests need.

const kind = oneOf("video", "image", "audio", "document", "file")
const provider = oneOf("storage", "youtube", "vimeo", "panda", "bunny", "mux")

const mediaFields = {
  id: uuid,
  kind,
  title: string,
  provider,
  status: oneOf("uploading", "ready", "failed"),
  visibility: oneOf("private", "public"),
  archived: boolean,
  created_at: timestamp,
  file_name: nullOr(string),
  mime: nullOr(string),
  size_bytes: nullOr(integer),
  external_id: nullOr(string),
  error: nullOr(string),
  duration_seconds: nullOr(integer),
  width: nullOr(integer),
  height: nullOr(integer),
  preview_url: nullOr(string),
  thumbnail_url: nullOr(string),
  folder_id: nullOr(uuid)
}
export const Media = record(mediaFields)

/** A comment's image, or another file that is shown inside something. */
export const ShownMedia = record({
  kind,
  provider,
  url: string,
  expires_at: nullOr(timestamp),
  signed: boolean,
  thumbnail_url: nullOr(string),
  duration_seconds: nullOr(integer),
  mime: nullOr(string),
  size_bytes: nullOr(integer),
  width: nullOr(integer),
  height: nullOr(integer),
  title: string
})

const Role = oneOf("student", "staff", "assistant")
export const Author = record({ name: string, role: Role, id: uuid, anonymized: boolean })

const commentFields = {
  id: uuid,
  body: string,
  author: Author,
  reactions: anyOf(record({ reaction: string, count: integer, mine: boolean })),
  replies_count: integer,
  created_at: timestamp,
  hidden: boolean,
  pinned: boolean,
  deleted: boolean,
  mine: boolean,
  answered: boolean,
  pending: boolean,
  spam: boolean,
  saved: boolean,
  parent_id: nullOr(uuid),
  mentions: anyOf(record({ id: uuid, name: string, role: Role })),
  images: anyOf(ShownMedia),
  edited_at: nullOr(timestamp)
}
/** With its first replies, which are comments too. */
export const Comment: Shape = (value, path) => record({ ...commentFields, replies: anyOf(Comment) })(value, path)

const Citation = record({
  cited_text: string,
  source_id: uuid,
  source_kind: oneOf("lesson", "media"),
  source_title: string,
  media_id: nullOr(uuid),
  lesson_id: uuid,
  page_from: nullOr(integer),
  page_to: nullOr(integer),
  seconds: nullOr(integer),
  lesson_public_id: nullOr(string)
})
export const Limits = record({
  daily_limit: integer,
  used: integer,
  remaining: integer,
  club_budget_exhausted: boolean,
  resets_at: timestamp
})
export const Conversation = record({ id: uuid, title: string, last_message_at: timestamp, created_at: timestamp })
export const Message = record({
  id: uuid,
  role: oneOf("user", "assistant"),
  content: string,
  status: oneOf("generating", "completed", "failed", "canceled"),
  images: anyOf(record({ ...mediaFields, type: kind, download_url: string, favorite: boolean, usage_count: integer })),
  citations: anyOf(Citation),
  created_at: timestamp,
  error_code:
    nullOr(oneOf("timeout", "interrupted", "provider_unavailable", "provider_rate_limited", "answer_refused")),
  reply_to: nullOr(uuid),
  completed_at: nullOr(timestamp)
})
export const AskState = record({
  agent_name: string,
  limits: Limits,
  messages: anyOf(Message),
  conversation: nullOr(Conversation)
})
