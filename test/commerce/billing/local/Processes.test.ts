import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Redacted, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { connectionsLayer } from "../../../../src/platform/sql/Connections.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { freshDatabaseUrl } from "../../../harness/Postgres.ts"
import { runTurma, startTurma } from "../../../harness/Turma.ts"
import { untilBlocked, whileHeld } from "../../../harness/Waiting.ts"

const Count = Schema.Tuple([Schema.Struct({ count: Schema.Int })])

const countOf = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
  Effect.map(Effect.orDie(Effect.flatMap(statement, Schema.decodeUnknownEffect(Count))), ([{ count }]) => count)

const settings = (url: Redacted.Redacted) => ({
  DATABASE_URL: Redacted.value(url),
  APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  BILLING_PROVIDER: "local"
})

/** How often the test looks how far the workers are. */
const schedule = Schedule.spaced("100 millis")

const connected = <A, E, R>(work: (env: ReturnType<typeof settings>) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    freshDatabaseUrl,
    (url) => Effect.provide(work(settings(url)), connectionsLayer({ url, connections: 4 }))
  )

layer(NodeServices.layer, { excludeTestServices: true })(
  "Processes with our own ledger",
  (it) => {
    it.effect("that are killed while they invoice leave nothing half and nothing twice", () =>
      connected((env) =>
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const clubs = yield* Effect.replicateEffect(makeClub(), 20)
          // Two years and a week ago: since then 24 more periods have begun.
          const anchor = DateTime.subtract(yield* DateTime.now, { months: 24, days: 7 })
          const dates = [anchor, DateTime.add(anchor, { months: 1 })].map(DateTime.toDateUtc)
          for (const { id } of clubs) {
            yield* sql`
            insert into billing_accounts (club_id, provider, plan_key, anchor, invoiced_until, created_at)
            values (${id}, 'local', 'starter', ${dates[0]}, ${dates[1]}, ${dates[0]})`
          }
          const invoices = countOf(sql`select count(*)::int as count from billing_invoices`)
          const due = countOf(sql`
          select count(*)::int as count from billing_accounts where invoiced_until <= ${
            DateTime.toDateUtc(yield* DateTime.now)
          }`)
          const tenth = clubs.map(({ id }) => id).toSorted()[9]
          // It waits in the middle of the tenth club, until the test kills it.
          yield* sql`
          create function wait_for_kill() returns trigger language plpgsql as
          'begin
            set local lock_timeout = 0;
            perform pg_advisory_xact_lock_shared(4711);
            return new;
          end'`
          yield* sql.unsafe(`
          create trigger wait_for_kill before insert on billing_invoices for each row
          when (new.number = 12 and new.club_id = '${tenth}') execute function wait_for_kill()`)
          yield* whileHeld(
            sql`select pg_advisory_xact_lock(4711)`,
            Effect.gen(function*() {
              const lost = yield* startTurma({ env: { ...env, ROLE: "worker" } })
              yield* Effect.repeat(invoices, { until: (count) => count === 9 * 24, schedule })
              yield* untilBlocked()
              yield* lost.end("SIGKILL")
            })
          )
          assert.strictEqual(yield* invoices, 9 * 24)
          const other = yield* startTurma({ env: { ...env, ROLE: "worker" } })
          yield* Effect.repeat(due, { until: (count) => count === 0, schedule })
          yield* other.end()
          const wrong = sql`
          select count(*)::int as count from (
            select i.club_id from billing_invoices i
            group by i.club_id
            having count(*) <> 24 or min(number) <> 1 or max(number) <> 24 or sum(total_cents) <> 24 * 2900
              or count(distinct period_start) <> 24
          ) w`
          assert.deepStrictEqual([yield* invoices, yield* countOf(wrong)], [20 * 24, 0])
          const entries = sql`
          select count(*)::int as count from billing_entries where invoice_id is not null and amount_cents = 2900`
          assert.strictEqual(yield* countOf(entries), 20 * 24)
        })
      ))

    it.effect("turma billing plan gives a club a plan, another one, and says what is wrong in one line", () =>
      connected((env) =>
        Effect.gen(function*() {
          const club = yield* makeClub()
          const plan = (key: string, given: object = {}, id: string = club.organization_id) =>
            runTurma({ args: ["src/cli/main.ts", "billing", "plan", id, key], env: { ...env, ...given } })
          const first = yield* plan("starter")
          assert.deepStrictEqual([first.code, first.stderr], [0, ""])
          assert.match(first.stdout, /has the plan from now on, and an invoice/)
          assert.match((yield* plan("growth")).stdout, /the rest of the old one is credited/)
          assert.match((yield* plan("growth")).stdout, /has this plan already/)
          assert.deepStrictEqual(yield* Effect.map(plan("gold"), ({ code, stderr }) => [code, stderr]), [
            2,
            "turma: there is no plan gold; there are starter, growth\n"
          ])
          assert.deepStrictEqual(yield* Effect.map(plan("growth", {}, "x"), ({ code, stderr }) => [code, stderr]), [
            2,
            "turma: there is no club x\n"
          ])
          const none = yield* plan("growth", { BILLING_PROVIDER: "none" })
          assert.deepStrictEqual([none.code, none.stderr], [
            2,
            "turma: plans are given by hand only with BILLING_PROVIDER=local\n"
          ])
          const sql = yield* SqlClient.SqlClient
          assert.strictEqual(yield* countOf(sql`select count(*)::int as count from billing_invoices`), 2)
        })
      ))
  }
)
