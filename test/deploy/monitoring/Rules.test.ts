import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { readFileSync } from "node:fs"
import { guide, project } from "../../guides/Guides.ts"
import { ensurePrometheus, promtool } from "../../harness/Prometheus.ts"
import { within } from "../Deployed.ts"
import { adapter, scalingMetric } from "../Manifests.ts"
import { cases } from "./Cases.ts"

// The rules alone: for every alert, one series at which it fires, and one close to it at which it does not.

const folder = `${project}deploy/monitoring`
const rules = readFileSync(`${folder}/alerts.yml`, "utf8")
const alerts = [...rules.matchAll(/^ {6}- alert: (\w+)$/gm)].map(([, name = ""]) => name)

/** A test of promtool: it checks after two hours if the alert fires. */
const testOf = (alert: string, isBad: boolean) => {
  const one = cases[alert]
  if (one === undefined) throw new Error(`No series for ${alert}`)
  const series = { ...one.also, [one.series]: isBad ? one.bad : one.good }
  return {
    interval: "1m",
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [{
      expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
      eval_time: "115m",
      exp_samples: [{ labels: "{}", value: isBad ? 1 : 0 }]
    }]
  }
}

layer(NodeServices.layer, { excludeTestServices: true })("The rules for Prometheus", (it) => {
  it.effect("are as Prometheus wants them, as is the example of a configuration", () =>
    Effect.gen(function*() {
      yield* ensurePrometheus
      const checked = yield* promtool(folder, "check", "rules", "alerts.yml")
      assert.isTrue(checked.passes, checked.said)
      const fs = yield* FileSystem.FileSystem
      const copy = yield* fs.makeTempDirectoryScoped()
      for (const name of ["alerts.yml", "prometheus.yml"]) yield* fs.copyFile(`${folder}/${name}`, `${copy}/${name}`)
      yield* fs.writeFileString(`${copy}/internal-secret`, "secret")
      const config = yield* promtool(copy, "check", "config", "prometheus.yml")
      assert.isTrue(config.passes, config.said)
    }))

  it.effect("have beside them what workers are scaled by: of all that wait, the one that waits longest", () =>
    Effect.gen(function*() {
      yield* ensurePrometheus
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      // The adapter's query for an external metric: in one namespace, without groups.
      const expr = String(within(adapter, "rules", "external", 0, "metricsQuery"))
        .replaceAll("<<.Series>>", scalingMetric)
        .replaceAll("<<.LabelMatchers>>", `namespace="turma"`)
        .replaceAll("<<.GroupBy>>", "")
      assert.notInclude(expr, "<<")
      const waits = [["turma", "a", "event", 3], ["turma", "a", "delivery", 16], ["turma", "b", "delivery", 17], [
        "other",
        "c",
        "delivery",
        99
      ]] as const
      const test = {
        interval: "1m",
        input_series: waits.map(([namespace, pod, what, seconds]) => ({
          series: `${scalingMetric}{namespace="${namespace}",pod="${pod}",what="${what}"}`,
          values: `${seconds}+0x10`
        })),
        promql_expr_test: [{ expr, eval_time: "10m", exp_samples: [{ labels: "{}", value: 17 }] }]
      }
      yield* fs.writeFileString(`${folder}/tests.yml`, JSON.stringify({ tests: [test] }))
      const { passes, said } = yield* promtool(folder, "test", "rules", "tests.yml")
      assert.isTrue(passes, said)
    }))

  it.effect("fire where something is wrong, and not where it is nearly so", () =>
    Effect.gen(function*() {
      yield* ensurePrometheus
      assert.sameMembers(alerts, Object.keys(cases))
      const fs = yield* FileSystem.FileSystem
      const copy = yield* fs.makeTempDirectoryScoped()
      yield* fs.copyFile(`${folder}/alerts.yml`, `${copy}/alerts.yml`)
      const tests = alerts.flatMap((alert) => [testOf(alert, true), testOf(alert, false)])
      // JSON is YAML.
      yield* fs.writeFileString(`${copy}/tests.yml`, JSON.stringify({ rule_files: ["alerts.yml"], tests }))
      const { passes, said } = yield* promtool(copy, "test", "rules", "tests.yml")
      assert.isTrue(passes, said)
    }))

  it("lead to a heading of the guide, which names the alert", () => {
    const text = guide("watching")
    const sections = new Map(text.split(/^### /m).slice(1).map((section) => {
      const [heading = "", ...rest] = section.split("\n")
      return [heading.toLowerCase().replaceAll(" ", "-"), rest.join("\n")]
    }))
    const links = [...rules.matchAll(/alert: (\w+)$[^]*?runbook_url: \/docs\/guides\/watching#(\S+)$/gm)]
    assert.deepStrictEqual(links.map(([, alert]) => alert), alerts)
    for (const [, alert = "", anchor = ""] of links) assert.include(sections.get(anchor) ?? "", `\`${alert}\``, anchor)
  })
})
