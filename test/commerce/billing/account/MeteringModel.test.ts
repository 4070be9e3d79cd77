import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import type { ContractedAddonId } from "../../../../src/commerce/billing/account/Account.ts"
import type { UsageTaken } from "../../../../src/commerce/billing/account/Metering.ts"
import { periodAt } from "../../../../src/commerce/billing/account/Period.ts"
import { clubOn, contract, counted, exhausted, giveBack, MeteredLayer, remove, usedAt } from "./Metered.ts"

const Step = Schema.Tuple([
  Schema.Literals(["take", "take", "give back", "contract or remove", "wait"]),
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 25 }))
])
const Steps = Schema.Array(Step).check(Schema.isMinLength(10), Schema.isMaxLength(40))

/** The expected use of a club on `fifty`, by the start of the period in milliseconds. */
class Model {
  readonly used = new Map<number, number>()
  readonly taken: Array<UsageTaken> = []
  readonly anchor: DateTime.Utc
  addon: ContractedAddonId | undefined

  constructor(anchor: DateTime.Utc) {
    this.anchor = anchor
  }

  readonly limit = () => this.addon === undefined ? 50 : 60
  readonly in = (at: DateTime.Utc) => this.used.get(this.key(at)) ?? 0
  readonly add = (at: DateTime.Utc, units: number) => void this.used.set(this.key(at), this.in(at) + units)
  private readonly key = (at: DateTime.Utc) => DateTime.toEpochMillis(periodAt(this.anchor, at).start)
}

const taking = Effect.fnUntraced(function*(
  club: Effect.Success<ReturnType<typeof clubOn>>,
  model: Model,
  units: number
) {
  const now = yield* DateTime.now
  const fits = model.in(now) + units <= model.limit()
  const taken = yield* counted(club, units).pipe(Effect.catchTag("ResourceUsedUp", () => Effect.succeed(undefined)))
  assert.strictEqual(taken !== undefined, fits)
  if (taken === undefined) return
  model.add(now, units)
  model.taken.push(taken)
  assert.strictEqual(taken.exhausted, model.in(now) >= model.limit())
})

layer(MeteredLayer)("Whatever is taken, given back, contracted and removed", (it) => {
  it.effect.prop(
    "what each period has used is what a model says, and no period more than it had",
    { steps: Steps },
    Effect.fnUntraced(function*({ steps }) {
      const club = yield* clubOn("fifty")
      const model = new Model(yield* DateTime.now)
      for (const [step, much] of steps) {
        if (step === "take") yield* taking(club, model, much)
        if (step === "wait") yield* TestClock.adjust(`${much} days`)
        if (step === "give back") {
          const [back] = model.taken.splice(much % Math.max(1, model.taken.length), 1)
          if (back !== undefined) {
            yield* giveBack(club, back)
            model.add(back.period_start, -back.units)
          }
        }
        if (step === "contract or remove") {
          if (model.addon === undefined) model.addon = yield* contract(club, "ten_more")
          else {
            yield* remove(club, model.addon)
            model.addon = undefined
          }
        }
        const used = model.in(yield* DateTime.now)
        assert.deepStrictEqual([yield* usedAt(club), yield* exhausted(club)], [used, used >= model.limit()])
      }
      for (const [start, used] of model.used) {
        assert.strictEqual(yield* usedAt(club, DateTime.makeUnsafe(start)), used)
      }
    }),
    { arbitrary: { runs: 25 } }
  )
})
