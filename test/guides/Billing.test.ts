import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Schedule } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { freePort } from "../harness/FreePort.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { blocks, guide, marked, project } from "./Guides.ts"

const billing = guide("billing")
const [start = ""] = blocks(billing, "sh")
const between = (name: string) => blocks(marked(billing, name), "sh").join("\n")

it.live("runs every command of the guide to billing", () =>
  Effect.gen(function*() {
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const folder = yield* postgresFolder()
    const port = yield* freePort
    const DATABASE_URL = Redacted.value(yield* freshDatabaseUrl)
    const here = (script: string) =>
      script.replaceAll("3000", `${port}`).replaceAll(/\.data\b/g, folder)
        .replace("DATABASE_URL=postgres://…", `DATABASE_URL=${DATABASE_URL}`)
    const bash = (script: string, env: Record<string, string> = {}) =>
      ChildProcess.make("bash", ["-euo", "pipefail", "-c", here(script)], {
        cwd: project,
        env,
        extendEnv: true,
        stdin: "ignore",
        stderr: "inherit"
      })
    yield* bash(start, {
      PORT: `${port}`,
      DATABASE_URL,
      APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      LOG_LEVEL: "error"
    })
    yield* HttpClient.get(`http://127.0.0.1:${port}/v1/health`).pipe(Effect.retry(Schedule.spaced("200 millis")))
    const said = yield* spawner.string(bash([between("billing"), between("plan"), "billing ''"].join("\n")))
    for (
      const line of [
        /^\{"data":\{"managed":true,.*"plan":\{"key":"starter","name":"Starter"\},"addons":\[\]/m,
        /^\{"data":\{"managed":true,.*"addons":\[\{"key":"assistant_pack",.*"allowance":1500,/m,
        /"kind":"addon","key":"assistant_pack",.*"total_cents":1900/,
        /^\{"managed":true,.*"addons":\[\],.*"allowance":500,/m,
        /"kind":"credit","key":"assistant_pack",.*"amount_cents":-1900,.*"total_cents":1000\}/,
        /^\S+ has the plan from now on: the rest of the old one is credited/m,
        /^\{"data":\{"managed":true,.*"plan":\{"key":"growth","name":"Growth"\}/m
      ]
    ) {
      assert.match(said, line)
    }
  }).pipe(Effect.scoped, Effect.provide([NodeServices.layer, FetchHttpClient.layer])))
