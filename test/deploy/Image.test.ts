import { NodeServices } from "@effect/platform-node"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Redacted } from "effect"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { version } from "../../src/platform/version.ts"
import { eventually } from "../harness/Eventually.ts"
import { freePort } from "../harness/FreePort.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { redisUrl } from "../harness/Redis.ts"
import { startS3 } from "../harness/S3.ts"
import { startArguments, startEnvironment } from "../harness/ScriptArguments.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { ask, startTurma } from "../harness/Turma.ts"
import { foundAt, roundTrip } from "../platform/storage/Club.ts"
import { composed } from "./Composed.ts"
import { jsonAt, listAt, project, within } from "./Deployed.ts"
import { runOptions } from "./Docker.ts"
import { imagesOf } from "./Dockerfile.ts"
import { scalingMetric } from "./Manifests.ts"
import { buildImage, lowLimits, makePodman, withoutPodman } from "./Podman.ts"
import { seccompOf, unitOf } from "./Units.ts"

// Takes long: it builds the image and starts it for each test.

const tag = "localhost/turma:test"

/** The options of every container in these tests. Podman's healthcheck needs timers of systemd, so it is off. */
const common = ["--network=host", "--cgroups=disabled", "--no-healthcheck", ...lowLimits]

/** The hardening of the compose file's services. */
const hardened = ["--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--security-opt=no-new-privileges"]

describe.skipIf(withoutPodman)("the image", () => {
  let podman: Awaited<ReturnType<typeof makePodman>>
  let inspected: unknown

  beforeAll(async () => {
    podman = await makePodman()
    await buildImage(podman, tag, imagesOf("deploy/container/Dockerfile"))
    inspected = JSON.parse(await podman.run("inspect", tag))
    return async () => {
      await podman.run("rm", "--all", "--force")
      rmSync(podman.folder, { recursive: true, force: true })
    }
  })

  /** Runs a container in the foreground, like `docker run`. `stop` is `docker stop`. */
  const start = Effect.fnUntraced(function*(
    name: string,
    env: Record<string, string>,
    more: ReadonlyArray<string>,
    command: ReadonlyArray<string> = []
  ) {
    const set = Object.entries(env).map(([variable, value]) => `--env=${variable}=${value}`)
    const args = podman.args("run", `--name=${name}`, ...common, ...more, ...set, tag, ...command)
    const container = yield* startTurma({ program: podman.program, args, cwd: project, env: podman.env })
    return {
      ...container,
      /** The exit code of the image's health command. */
      health: Effect.promise(() => podman.run("exec", name, ...healthCommand()).then(() => 0, () => 1)),
      stop: Effect.andThen(
        Effect.promise(() => podman.run("stop", "--time=25", name)),
        container.ended
      )
    }
  })

  const config = () => jsonAt(inspected, 0, "Config")
  const healthCommand = () => listAt(inspected, 0, "Healthcheck", "Test").slice(1).map(String)

  it("is of a user without rights, by a number, and of this version", () => {
    assert.strictEqual(config()["User"], "10001:10001")
    assert.strictEqual(within(config(), "Labels", "org.opencontainers.image.version"), version)
    assert.deepStrictEqual(config()["Volumes"], { "/data": {} })
    assert.deepStrictEqual(config()["ExposedPorts"], { "3000/tcp": {} })
  })

  it("runs what npm start runs, as its first process", () => {
    assert.deepStrictEqual(config()["Cmd"], ["node", ...startArguments])
    assert.oneOf(config()["Entrypoint"], [null, undefined])
    const set = listAt(config(), "Env")
    for (const [name, value] of Object.entries(startEnvironment)) assert.include(set, `${name}=${value}`)
  })

  it("adds less than 215 MB to Debian, and lists what it is made of", async () => {
    const sizes = await Promise.all([tag, imagesOf("deploy/container/Dockerfile").debian].map(async (image) =>
      Number(within(JSON.parse(await podman.run("inspect", image)), 0, "Size"))
    ))
    const [whole = 0, debian = 0] = sizes
    process.stdout
      .write(`The image: ${Math.round(whole / 1e6)} MB, ${Math.round((whole - debian) / 1e6)} of them ours\n`)
    assert.isBelow(whole - debian, 215e6)
    const run = (...command: ReadonlyArray<string>) =>
      podman.run("run", "--rm", ...common, ...hardened, tag, ...command)
    const sbom: unknown = JSON.parse(await run("cat", "sbom.cdx.json"))
    assert.strictEqual(within(sbom, "bomFormat"), "CycloneDX")
    const listed = listAt(sbom, "components").map((one) =>
      within(one, "name")
    )
    const found = (await run("ls", "node_modules")).split("\n").filter((name) => !name.startsWith("@"))
    assert.includeMembers(listed, found)
    assert.notInclude(found, "effect")
    assert.notInclude(found, "typescript")
    assert.strictEqual(await run("turma", "--version"), `turma v${version}`)
  })

  it.live("serves from a volume alone, as the guide runs it, with the system calls of the unit for systemd", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const port = yield* freePort
      const profile = join(podman.folder, "seccomp.json")
      const unit = unitOf("deploy/systemd/turma.service")
      yield* fs.writeFileString(profile, JSON.stringify(yield* seccompOf(unit)))
      const container = yield* start("alone", { PORT: `${port}`, STORAGE_FREE_FLOOR: "0 B" }, [
        ...runOptions,
        `--security-opt=seccomp=${profile}`,
        // `ProcSubset=pid` hides the same files.
        "--security-opt=mask=/proc/cpuinfo:/proc/meminfo:/proc/stat:/proc/loadavg"
      ])
      yield* container.until("is ready at")
      const { json } = yield* ask(`http://127.0.0.1:${port}/v1/health/ready`)
      assert.strictEqual(within(json, "data", "status"), "ready")
      assert.strictEqual(yield* container.health, 0)
      const { code } = yield* container.stop
      assert.strictEqual(code, 0, container.said.stdout + container.said.stderr)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("is API and workers of the compose file, which end with 0 within 20 seconds", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const smtp = yield* startSmtp()
      const bucket = yield* startS3
      const secrets = yield* fs.makeTempDirectoryScoped({ prefix: "turma-secrets-" })
      yield* fs.chmod(secrets, 0o711)
      const given: Record<string, string> = {
        "database-url": Redacted.value(yield* freshDatabaseUrl),
        "app-secret-key": Buffer.alloc(32, 7).toString("base64"),
        "storage-url": bucket.url,
        "internal-secret": "between us",
        "backup-passphrase": "nobody else reads this"
      }
      for (const [name, value] of Object.entries(given)) yield* fs.writeFileString(join(secrets, name), `${value}\n`)
      const places = { "redis://redis:6379": redisUrl(), "smtp://mail:1025": Redacted.value(smtp.url) }
      const [apiPort, workerPort] = [yield* freePort, yield* freePort]
      const service = Effect.fnUntraced(function*(name: string, port: number) {
        const { args, env } = composed(name, { secrets, places })
        const more = { PORT: `${port}`, STORAGE_FREE_FLOOR: "0 B", PUBLIC_URL: `http://127.0.0.1:${apiPort}` }
        const container = yield* start(name, { ...env, ...more }, args)
        yield* container.until("is ready at")
        return container
      })
      const api = yield* service("api", apiPort)
      const worker = yield* service("worker", workerPort)
      const url = `http://127.0.0.1:${apiPort}`
      for (const { health } of [api, worker]) assert.strictEqual(yield* health, 0)
      // The worker sends the mail, and the file is in the bucket.
      const club = yield* foundAt(url, smtp.received)
      assert.deepStrictEqual(yield* roundTrip(club, 100_000), [200, "ready", 100_000])
      assert.isNotEmpty(bucket.list())
      const headers = { authorization: "Bearer between us" }
      const { text } = yield* eventually(
        ask(`http://127.0.0.1:${workerPort}/internal/metrics`, { headers }),
        ({ text }) => text.includes(`${scalingMetric}{`)
      )
      assert.include(text, `${scalingMetric}{what="delivery"}`)
      const ended = yield* Effect.all([api.stop, worker.stop], { concurrency: "unbounded" })
      assert.deepStrictEqual(ended.map(({ code }) => code), [0, 0])
      assert.strictEqual(yield* api.health, 1)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
})
