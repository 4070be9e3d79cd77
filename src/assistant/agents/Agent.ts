import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { text } from "../../platform/http/Text.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"

/** A UUID. */
export const AgentId = brandedId("AgentId")
export type AgentId = typeof AgentId.Type

const DailyLimit = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))
const MonthlyBudget = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

const about = {
  name: "The name of the assistant in answers and below comments",
  enabled: "True if it answers questions and comments. Its earlier answers stay while it is off",
  daily_limit: "How many questions a student may ask a day, in the club's time zone; 0 allows no questions",
  monthly_budget:
    "How many answers and replies the club allows its students together in a month of its time zone; null: only the plan's limit applies"
}

/** The assistant of a club, as its members see it. */
export class Agent extends Schema.Class<Agent>("Agent")(Schema.Struct({
  id: AgentId.pipe(field("Names the agent on routes, and as the author of what the assistant writes")),
  name: Schema.String.pipe(field(about.name, "Assistente")),
  enabled: Schema.Boolean.pipe(field(about.enabled)),
  daily_limit: DailyLimit.pipe(field(about.daily_limit, 10)),
  monthly_budget: Schema.NullOr(MonthlyBudget).pipe(field(about.monthly_budget, 5000)),
  created_at: Instant.pipe(field("When the agent was created, with the club"))
}).annotate({ description: "The assistant of a club, as its members see it" })) {}

/** Absent fields stay as they are. */
export const AgentPatch = Schema.Struct({
  name: Schema.optionalKey(text(1, 80)).pipe(field(about.name, "Assistente")),
  enabled: Schema.optionalKey(Schema.Boolean).pipe(field(about.enabled)),
  daily_limit: Schema.optionalKey(DailyLimit).pipe(field(about.daily_limit, 10)),
  monthly_budget: Schema.optionalKey(Schema.NullOr(MonthlyBudget)).pipe(field(about.monthly_budget, 5000))
})
export type AgentPatch = typeof AgentPatch.Type

/** A new club's agent, until the club changes it (http-surface, Rulings: 10 questions a day). */
export const defaultAgent = (locale: string) => ({
  name: locale === "pt-BR" ? "Assistente" : "Assistant",
  enabled: true,
  daily_limit: 10
})

/** The club has switched its assistant off. */
export class AssistantDisabled extends ApiError<AssistantDisabled>()("AssistantDisabled", {
  status: 409,
  code: "assistant_disabled",
  message: {
    en: "The assistant is switched off",
    "pt-BR": "O assistente está desligado."
  }
}) {}
