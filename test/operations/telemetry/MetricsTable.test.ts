import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { globSync, readFileSync } from "node:fs"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { guide, marked, project } from "../../guides/Guides.ts"
import { appLayer, send } from "../../harness/App.ts"

const secret = "a-long-random-text"
const metrics = Effect.map(send("GET", "/internal/metrics", { token: secret }), ({ text }) => text)

/** The labels of each metric, by the guide. */
const documented = () => {
  const rows = marked(guide("watching"), "metrics").split("\n").filter((line) => line.startsWith("| `"))
  return new Map(rows.flatMap((row) => {
    const [, names = "", labels = ""] = row.split("|")
    const of = [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label)
    return [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name ?? "", of] as const)
  }))
}

const familiesIn = (text: string) => [...text.matchAll(/^# TYPE (turma_\w+) /gm)].map(([, name]) => name ?? "")

/** Every label of a series of this family, except a histogram's `le`. */
const labelsIn = (text: string, name: string) => {
  const series = [...text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{(.*)\\} `, "gm"))]
  const labels = series.flatMap(([, of = ""]) => [...of.matchAll(/(\w+)="/g)].map(([, label]) => label))
  return [...new Set(labels)].filter((label) => label !== "le")
}

const valueOf = (text: string, series: string) =>
  text.split("\n").find((line) => line.startsWith(`${series} `))?.slice(series.length + 1)

layer(appLayer({ INTERNAL_SECRET: secret }))("The metrics", (it) => {
  it.effect("are those that the guide names, with its labels", () =>
    Effect.gen(function*() {
      const text = yield* metrics
      const table = documented()
      const families = familiesIn(text)
      assert.isAbove(families.length, 20)
      assert.deepStrictEqual(families.filter((name) => !table.has(name)), [])
      for (const name of families) assert.includeMembers([...table.get(name) ?? []], labelsIn(text, name), name)
      // A metric without a count has no series yet, but the sources name it.
      const sources = globSync(`${project}src/**/*.ts`).map((file) => readFileSync(file, "utf8")).join("\n")
      assert.deepStrictEqual([...table.keys()].filter((name) => !sources.includes(name)), [])
      const made = [...sources.matchAll(/\b(?:gauge|counter|histogram|timer)\(\s*"(turma_\w+)"/g)]
      assert.isAbove(made.length, 30)
      assert.deepStrictEqual(made.map(([, name = ""]) => name).filter((name) => !table.has(name)), [])
    }))

  it.effect("say how much waits in each queue, and since when, once a second at most", () =>
    Effect.gen(function*() {
      const mailer = yield* Mailer
      const mails = Effect.map(metrics, (text) =>
        ["depth", "oldest_seconds"].map((what) => valueOf(text, `turma_queue_${what}{queue="mails"}`)))
      yield* TestClock.adjust("2 seconds")
      const before = yield* mails
      yield* mailer.enqueue({ recipient: "ana@example.com", subject: "S", text: "T", html: "T" })
      assert.deepStrictEqual(yield* mails, before)
      yield* TestClock.adjust("90 seconds")
      assert.deepStrictEqual(yield* mails, ["1", "90"])
    }))

  it.effect("leave out a part that does not answer, and say so", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* TestClock.adjust("2 seconds")
      const text = yield* sql
        .withTransaction(Effect.andThen(sql`lock table student_imports in access exclusive mode`, metrics))
      assert.strictEqual(valueOf(text, `turma_metrics_part_answered{part="queues"}`), "0")
      assert.notInclude(text, `turma_queue_depth{queue="mails"}`)
      assert.include(text, `turma_queue_depth{queue="webhook_deliveries"}`)
      assert.match(text, /^turma_database_size_bytes \d+$/m)
      assert.match(text, /^turma_database_pool_in_use\{process="\d+",kind="exclusive"\} \d+$/m)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(valueOf(yield* metrics, `turma_metrics_part_answered{part="queues"}`), "1")
    }))
})
