import { Schema } from "effect"
import { Level, levelCount } from "./Ladder.ts"

/** What the platform pays points for, each once per origin (contract, PointAction), in the contract's order. */
export const RuleAction = Schema.Literals([
  "lesson_completed",
  "course_completed",
  "quiz_passed",
  "assignment_approved",
  "comment_posted",
  "post_published",
  "live_attended"
])
export type RuleAction = typeof RuleAction.Type

/** Every reason for points: the actions with a rule, and `adjustment` by staff, which is only in the statement. */
export const PointAction = Schema.Literals([...RuleAction.literals, "adjustment"])
export type PointAction = typeof PointAction.Type

const rulePoints = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))

/** Points of an action; 0 means that it is off. `daily_cap`: how often a day it pays, `null` without a cap. */
export const Rule = Schema.Struct({
  action: RuleAction,
  points: rulePoints,
  daily_cap: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "Rule" })
export type Rule = typeof Rule.Type

/** Contract, Gamification: the seven rules in `PointAction`'s order, the levels by `min_points`. */
export const Gamification = Schema.Struct({
  enabled: Schema.Boolean,
  ranking_visible: Schema.Boolean,
  rules: Schema.Array(Rule),
  levels: Schema.NonEmptyArray(Level).check(
    Schema.isMinLength(levelCount.minimum),
    Schema.isMaxLength(levelCount.maximum)
  )
}).annotate({ identifier: "Gamification" })
export type Gamification = typeof Gamification.Type

/** New points for an action. The platform fixes its daily cap, so that is not a field. */
export const RulePatch = Schema.Struct({ action: RuleAction, points: rulePoints })
export type RulePatch = typeof RulePatch.Type

const isOnePerAction = Schema.makeFilter(
  (rules: ReadonlyArray<RulePatch>) => new Set(rules.map(({ action }) => action)).size === rules.length,
  { expected: "must name each action at most once" }
)

/** Absent fields are unchanged; so are the rules of actions that are not named. */
export const GamificationPatch = Schema.Struct({
  enabled: Schema.optionalKey(Schema.Boolean),
  ranking_visible: Schema.optionalKey(Schema.Boolean),
  rules: Schema.optionalKey(Schema.Array(RulePatch).check(isOnePerAction))
})
export type GamificationPatch = typeof GamificationPatch.Type

/** How often a day an action pays, in the club's time zone (contract, Other constants). */
const caps = { comment_posted: 5, post_published: 5 } as const satisfies Partial<Record<RuleAction, number>>

/** The same by the action, none where it pays as often as it is done. */
export const dailyCaps: Partial<Record<RuleAction, number>> = caps

/** An action that pays as often as it is done. */
export type UncappedAction = Exclude<RuleAction, keyof typeof caps>

/** The seven rules, with the points that a club set; an action without points is off. */
export const rulesOf = (set: ReadonlyArray<RulePatch>): ReadonlyArray<Rule> => {
  const points = new Map(set.map(({ action, points }) => [action, points]))
  return RuleAction.literals.map((action) => ({
    action,
    points: points.get(action) ?? 0,
    daily_cap: dailyCaps[action] ?? null
  }))
}
