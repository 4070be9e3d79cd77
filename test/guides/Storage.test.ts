import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Schedule } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { ChildProcess } from "effect/process"
import { readdirSync } from "node:fs"
import { freePort } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { foundAt, roundTrip } from "../platform/storage/Club.ts"
import { blocks, guide, marked, project } from "./Guides.ts"

const [commands = ""] = blocks(marked(guide("storage"), "storage"), "sh")

const answers = (url: string) =>
  HttpClient.get(url).pipe(Effect.retry(Schedule.spaced("100 millis")), Effect.timeout("60 seconds"))

it.live("the bucket of this machine keeps what is uploaded, with the guide's commands", () =>
  Effect.gen(function*() {
    const folder = yield* postgresFolder()
    const [port, bucket] = [yield* freePort, yield* freePort]
    const smtp = yield* startSmtp()
    const script = commands.replaceAll("9000", `${bucket}`).replaceAll(/\.data\b/g, folder)
    assert.include(script, "npm start")
    // Ended as one group of processes.
    yield* ChildProcess.make("bash", ["-c", script], {
      cwd: project,
      env: {
        PORT: `${port}`,
        DATA_DIR: folder,
        DATABASE_URL: Redacted.value(yield* freshDatabaseUrl),
        APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
        SMTP_URL: Redacted.value(smtp.url)
      },
      extendEnv: true,
      stdout: "ignore",
      stderr: "inherit"
    })
    const url = `http://127.0.0.1:${port}`
    yield* answers(`${url}/v1/health`)
    yield* answers(`http://127.0.0.1:${bucket}/`)
    const club = yield* foundAt(url, smtp.received)
    assert.deepStrictEqual(yield* roundTrip(club, 100_000), [200, "ready", 100_000])
    const found = readdirSync(`${folder}/bucket/turma`, { recursive: true, encoding: "utf8" })
    assert.lengthOf(found.filter((name) => /^kept\/.*_object$/.test(name)), 1)
    assert.lengthOf(found.filter((name) => /^uploads\/.*_object$/.test(name)), 0)
  }).pipe(Effect.scoped, Effect.provide([NodeServices.layer, FetchHttpClient.layer])))
