import { Schema } from "effect"
import { field } from "../../platform/http/Field.ts"
import { exampleLevels, Level, levelCount } from "./Ladder.ts"

/** The actions that pay points, each once per origin (contract, PointAction), in the contract's order. */
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

const about = {
  action: "A student's action: each lesson, course, quiz, assignment, comment, post and live pays once",
  points: "How many points the action pays; 0 switches it off",
  enabled: "True if actions pay points. While false, actions earn nothing, not even later, and students see no ranking",
  ranking_visible:
    "True if students see the ranking. While false, points and levels continue, and the staff still sees it"
}

/** Points of an action. */
export const Rule = Schema.Struct({
  action: RuleAction.pipe(field(about.action)),
  points: rulePoints.pipe(field(about.points, 10)),
  daily_cap: Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))).pipe(field(
    "How many times a day the action pays a student, in the club's time zone; null without a cap. Fixed by the platform",
    null
  ))
}).annotate({ identifier: "Rule", description: "The points that a student's action pays" })
export type Rule = typeof Rule.Type

/** Contract, Gamification. */
export const Gamification = Schema.Struct({
  enabled: Schema.Boolean.pipe(field(about.enabled)),
  ranking_visible: Schema.Boolean.pipe(field(about.ranking_visible)),
  rules: Schema.Array(Rule).pipe(field(
    "The seven rules, always all of them, in this order",
    [
      { action: "lesson_completed", points: 10, daily_cap: null },
      { action: "course_completed", points: 100, daily_cap: null },
      { action: "quiz_passed", points: 20, daily_cap: null },
      { action: "assignment_approved", points: 30, daily_cap: null },
      { action: "comment_posted", points: 5, daily_cap: 5 },
      { action: "post_published", points: 5, daily_cap: 5 },
      { action: "live_attended", points: 20, daily_cap: null }
    ]
  )),
  levels: Schema.NonEmptyArray(Level).check(
    Schema.isMinLength(levelCount.minimum),
    Schema.isMaxLength(levelCount.maximum)
  ).pipe(field(
    "The ladder, from the lowest to the highest `min_points`; the first level always has 0",
    [exampleLevels.bronze, exampleLevels.prata, exampleLevels.ouro]
  ))
}).annotate({ identifier: "Gamification", description: "A club's points rules, and its ladder of levels" })
export type Gamification = typeof Gamification.Type

/** New points for an action. The platform fixes its daily cap, so that is not a field. */
export const RulePatch = Schema.Struct({
  action: RuleAction.pipe(field(about.action)),
  points: rulePoints.pipe(field(about.points, 10))
})
export type RulePatch = typeof RulePatch.Type

const isOnePerAction = Schema.makeFilter(
  (rules: ReadonlyArray<RulePatch>) => new Set(rules.map(({ action }) => action)).size === rules.length,
  { expected: "must name each action at most once", toJsonSchema: () => ({ maxItems: RuleAction.literals.length }) }
)

/** Absent fields are unchanged. */
export const GamificationPatch = Schema.Struct({
  enabled: Schema.optionalKey(Schema.Boolean).pipe(field(about.enabled)),
  ranking_visible: Schema.optionalKey(Schema.Boolean).pipe(field(about.ranking_visible)),
  rules: Schema.optionalKey(Schema.Array(RulePatch).check(isOnePerAction))
    .pipe(field("The rules that change, each action at most once; those of other actions stay"))
})
export type GamificationPatch = typeof GamificationPatch.Type

/** How often a day an action pays, in the club's time zone (contract, Other constants). */
const caps = { comment_posted: 5, post_published: 5 } as const satisfies Partial<Record<RuleAction, number>>

/** The caps by action; undefined for an action without a cap. */
export const dailyCaps: Partial<Record<RuleAction, number>> = caps

/** An action without a daily cap. */
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
