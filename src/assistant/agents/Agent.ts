import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { text } from "../../platform/http/Text.ts"

/** A UUID. */
export const AgentId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("AgentId"))
export type AgentId = typeof AgentId.Type

/** The assistant of a club, as its members see it. */
export class Agent extends Schema.Class<Agent>("Agent")({
  id: AgentId,
  name: Schema.String,
  /** Whether it answers. */
  enabled: Schema.Boolean,
  /** How many questions a student may ask a day. */
  daily_limit: Schema.Int,
  /** How many answers a month the club allows in all; null is no limit. */
  monthly_budget: Schema.NullOr(Schema.Int),
  created_at: Schema.DateTimeUtcFromDate
}) {}

/** Fields left out stay as they are. */
export const AgentPatch = Schema.Struct({
  name: Schema.optionalKey(text(1, 80)),
  enabled: Schema.optionalKey(Schema.Boolean),
  daily_limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))),
  monthly_budget: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })))
  )
})
export type AgentPatch = typeof AgentPatch.Type

/** What a new club's agent is until the club says otherwise (http-surface, Rulings: 10 questions a day). */
export const defaultAgent = (locale: string) => ({
  name: locale === "pt-BR" ? "Assistente" : "Assistant",
  enabled: true,
  daily_limit: 10
})

/** The club has switched its assistant off. */
export class AssistantDisabled extends ApiError<AssistantDisabled>()("AssistantDisabled", {
  status: 409,
  code: "assistant_disabled",
  message: "The assistant is switched off"
}) {}
