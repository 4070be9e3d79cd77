import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AccountsRepo } from "../../../../src/commerce/billing/account/AccountsRepo.ts"
import { Metering } from "../../../../src/commerce/billing/account/Metering.ts"
import { UsageRepo } from "../../../../src/commerce/billing/account/UsageRepo.ts"
import { readingMuch } from "../../../harness/RowsRead.ts"
import { clubOn, contract, MeteredLayer } from "./Metered.ts"

const clubs = 20_000

/** Each club has an add-on, a removed add-on, and two periods of two resources. The tested club has ten years. */
const fill = Effect.fnUntraced(function*(club: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  const at = new Date(0)
  yield* sql`
    insert into clubs select gen_random_uuid(), gen_random_uuid(), 'Many', 'many-' || n, 'UTC', 'en', true, ${at}
    from generate_series(1, ${clubs}::int) n`
  yield* sql`
    insert into billing_accounts (club_id, provider, plan_key, anchor, invoiced_until, created_at)
    select id, 'local', 'fifty', ${at}, ${at}, ${at} from clubs on conflict do nothing`
  yield* sql`
    insert into billing_addons (club_id, id, addon_key, contracted_at, removed_at)
    select club_id, gen_random_uuid(), 'ten_more', ${at}, case n when 1 then ${at}::timestamptz end
    from billing_accounts, generate_series(1, 2) n where club_id <> ${club.id}`
  const usage = sql`insert into billing_usage (club_id, resource_key, period_start, used)`
  yield* sql`
    ${usage} select club_id, resource, ${at}::timestamptz - n * interval '1 month', 7
    from billing_accounts, unnest(array['answers', 'minutes']) resource, generate_series(1, 2) n`
  yield* sql`
    ${usage} select ${club.id}::uuid, resource, ${at}::timestamptz - n * interval '1 month', 7
    from unnest(array['answers', 'minutes']) resource, generate_series(3, 120) n`
  yield* sql`analyze`
})

layer(MeteredLayer)("Among many clubs", (it) => {
  it.effect("nothing about what is used reads more than the one club's few rows", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("fifty")
      yield* contract(club, "ten_more")
      yield* fill(club)
      const [accounts, metering, usage] = yield* Effect.all([AccountsRepo, Metering, UsageRepo])
      const now = yield* DateTime.now
      const taken = { resource: "answers", period_start: now, units: 1 }
      const work: Record<string, Effect.Effect<unknown, unknown>> = {
        "a unit": metering.take(club.id, "answers", 1),
        "another": metering.take(club.id, "answers", 1),
        "whether any is left": metering.exhausted(club.id, "answers"),
        "what is used": usage.used(club.id, now),
        "a unit that goes back": metering.giveBack(club.id, taken),
        "the account": accounts.find(club.id, "local")
      }
      // Repeats each statement often enough that PostgreSQL may switch to a plan for any values.
      for (const [name, one] of Object.entries(work)) {
        const many = Effect.replicateEffect(one, 10, { discard: true })
        assert.deepStrictEqual(yield* readingMuch(many, 100), [], name)
      }
    }))
})
