import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, Redacted, Schedule } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { readdirSync } from "node:fs"
import { partSize } from "../../src/platform/storage/UploadInParts.ts"
import { freePort } from "../harness/FreePort.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { archive } from "../learning/media/Files.ts"
import { foundAt, roundTrip } from "../platform/storage/Club.ts"
import { blocks, guide, marked, project } from "./Guides.ts"

const [partCommands = ""] = blocks(marked(guide("storage"), "parts"), "sh")
const [commands = ""] = blocks(marked(guide("storage"), "storage"), "sh")

const answers = (url: string) => HttpClient.get(url).pipe(Effect.retry(Schedule.spaced("100 millis")))

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

it.live("a file goes in parts, and on where it broke, with the guide's commands", () =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-parts-" })
    const smtp = yield* startSmtp()
    const { url } = yield* startApi({
      env: {
        DATA_DIR: folder,
        DATABASE_URL: Redacted.value(yield* freshDatabaseUrl),
        APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
        SMTP_URL: Redacted.value(smtp.url)
      }
    })
    const club = yield* foundAt(url, smtp.received)
    const file = Buffer.concat([archive("a.txt", "hello"), Buffer.alloc(partSize, "z"), Buffer.from("end")])
    yield* fs.writeFile(`${folder}/aula.zip`, file)
    // The first part breaks off in the middle, so it is missing.
    const loop = partCommands.slice(partCommands.indexOf("while PARTS"))
    const broken = loop.replace("head -c $BYTES", "head -c $((BYTES - 9))")
    assert.notStrictEqual(broken, loop)
    // A refusal ends the commands. The reader then continues with the loop.
    const script = `${partCommands.replace(loop, `(${broken}) && exit 9`)}\n${loop}`
    const said = yield* spawner.string(ChildProcess.make("bash", ["-c", script], {
      cwd: folder,
      env: { TOKEN: club.token, CLUB: club.url },
      extendEnv: true
    }))
    assert.include(said, "\"status\":\"ready\"")
    const names = yield* fs.readDirectory(`${folder}/files/kept`, { recursive: true })
    const kept = names.find((name) => name.includes("/")) ?? ""
    assert.isTrue(file.equals(yield* fs.readFile(`${folder}/files/kept/${kept}`)))
  }).pipe(Effect.scoped, Effect.provide([NodeServices.layer, FetchHttpClient.layer])))
