import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { cp, mkdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { version } from "../../src/platform/version.ts"
import { composePath } from "../deploy/Composed.ts"
import { files, read, within } from "../deploy/Deployed.ts"
import { dockerBuild, dockerRun, publishedAt, runOptions } from "../deploy/Docker.ts"
import { kustomization, migration } from "../deploy/Manifests.ts"
import { unitOf } from "../deploy/Units.ts"
import { withFiles } from "../harness/Files.ts"
import { run } from "../harness/Programs.ts"
import { blocks, guide, marked, project } from "./Guides.ts"

// Takes long: it runs every command against separate services.

const text = guide("deployment")
const scripts = blocks(text, "sh")
const scriptWith = (part: string) => scripts.find((script) => script.includes(part)) ?? ""

const installing = scriptWith("systemd-sysusers")
const upgrading = scriptWith("systemctl restart turma")

/** The same commands in another root folder, without a user `turma`. */
const under = (root: string, script: string) =>
  script.replaceAll(/(?<= )\/(?=(?:opt|etc|usr)\/)/g, `${root}/`).replaceAll(" -g turma", "")

/** Calls `use` with a root folder in which these programs replace those of the machine. */
const withRoot = (
  programs: Record<string, string>,
  use: (root: string, bash: (script: string) => Promise<unknown>) => Promise<void>
) =>
  withFiles(
    Object.fromEntries(Object.entries(programs).map(([name, body]) => [`bin/${name}`, `#!/bin/sh\n${body}\n`])),
    async (root) => {
      await mkdir(join(root, "etc/systemd/system"), { recursive: true })
      await mkdir(join(root, "opt"))
      const env = { PATH: `${join(root, "bin")}:${process.env["PATH"]}`, ROOT: root }
      await use(root, (script) => run("bash", ["-euo", "pipefail", "-c", under(root, script)], { cwd: project, env }))
    }
  )

const noted = (name: string) => `echo ${name} "$@" >> "$ROOT/said"`

describe("the guide to images and units", () => {
  it("names files, scripts and versions that there are", () => {
    for (const [path] of text.matchAll(/\bdeploy\/[\w./-]*\w/g)) {
      // `secrets.sh` and the reader make these.
      if (!/\/(?:secrets|\.env)$/.test(path)) assert.isTrue(existsSync(join(project, path)), path)
    }
    const known = within(JSON.parse(read("package.json")), "scripts")
    for (const [, name = ""] of text.matchAll(/npm run ([\w:]+)/g)) assert.property(known, name)
    for (const [, named] of text.matchAll(/turma[:-](\d+\.\d+\.\d+)/g)) assert.strictEqual(named, version)
  })

  it("makes the secret of Kubernetes with a key for each file that is read", () => {
    const keys = [...scriptWith("create secret").matchAll(/--from-file=([\w-]+)/g)].map(([, key]) => key)
    const literals = within(kustomization, "configMapGenerator", 0, "literals")
    const files = Array.isArray(literals) ? literals.flatMap((one) => /secrets\/turma\/(.+)$/.exec(one)?.[1] ?? []) : []
    assert.deepStrictEqual(keys.toSorted(), files.toSorted())
  })

  it("lays out what the unit runs, with its commands", () =>
    // Commands that would change the machine or call the registry do nothing here.
    withRoot(
      { "systemd-sysusers": ":", npm: `[ "$1" = ci ] || PATH=\${PATH#*:} exec npm "$@"` },
      async (root, bash) => {
        assert.include(installing, ` /opt/turma-${version}`)
        await bash(installing)
        const unit = unitOf("deploy/systemd/turma.service")
        const [command = ""] = unit.get("ExecStart") ?? []
        const [program = ""] = command.split(" ")
        assert.strictEqual(await readlink(join(root, "opt/turma")), `${root}/opt/turma-${version}`)
        for (const path of [program, `${unit.get("WorkingDirectory")?.[0]}/src/cli/run.js`, "/etc/turma/turma.env"]) {
          assert.isTrue(existsSync(join(root, path)), path)
        }
        assert.strictEqual((await stat(join(root, "etc/turma/secrets"))).mode & 0o777, 0o750)
        assert.strictEqual((await stat(join(root, "usr/local/bin/turma"))).mode & 0o777, 0o755)
        const said = await run(join(root, program), ["bin/turma.js", "--version"], { cwd: join(root, "opt/turma") })
        assert.strictEqual(said.stdout.trim(), `turma v${version}`)
      }
    ))

  it("puts a new version beside the one before, with what the operator has set as it was", () =>
    withRoot(
      { npm: `${noted("npm")}; [ "$1" = ci ] || mkdir -p "$4"`, systemctl: noted("systemctl") },
      async (root, bash) => {
        const here = (path: string) => readFileSync(join(root, path), "utf8")
        await mkdir(join(root, "etc/turma"))
        await writeFile(join(root, "etc/turma/turma.env"), "PORT=4000\n")
        await mkdir(join(root, "etc/systemd/system/turma.service.d"))
        await writeFile(join(root, "etc/systemd/system/turma.service.d/override.conf"), "[Service]\n")
        await mkdir(join(root, "opt/turma-before"))
        await symlink(join(root, "opt/turma-before"), join(root, "opt/turma"))
        await writeFile(join(root, "etc/systemd/system/turma.service"), "of the version before\n")
        await bash(upgrading)
        assert.strictEqual(here("etc/turma/turma.env"), "PORT=4000\n")
        assert.strictEqual(here("etc/systemd/system/turma.service.d/override.conf"), "[Service]\n")
        assert.strictEqual(await readlink(join(root, "opt/turma")), `${root}/opt/turma-${version}`)
        assert.isTrue(existsSync(join(root, "opt/turma-before")))
        const placed = files.filter((path) => /\.(?:service|timer)$/.test(path))
        assert.isAbove(placed.length, 2)
        for (const path of placed) {
          assert.strictEqual(here(`etc/systemd/system/${path.split("/").at(-1)}`), read(path))
        }
        assert.strictEqual(here("usr/local/bin/turma"), read("deploy/systemd/turma"))
        assert.deepStrictEqual(here("said").trim().split("\n"), [
          "npm ci --omit=dev",
          `npm run installation -- ${root}/opt/turma-${version}`,
          "systemctl daemon-reload",
          "systemctl restart turma"
        ])
        // The same commands make the folder for the first version. The test above runs them with the real npm.
        const made = upgrading.split("\n").slice(0, 3)
        assert.deepStrictEqual(installing.split("\n").slice(0, 3), made)
      }
    ))

  it("starts the compose file with secrets and settings that were made for it", () =>
    withFiles({ "bin/docker": "#!/bin/sh\necho \"$@\"\n" }, async (folder) => {
      await cp(join(project, "deploy"), join(folder, "deploy"), { recursive: true })
      const [script = ""] = blocks(marked(text, "compose"), "sh")
      const env = { PATH: `${join(folder, "bin")}:${process.env["PATH"]}` }
      const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], { cwd: folder, env })
      assert.strictEqual(stdout, `compose -f ${composePath} up --build --wait\n`)
      assert.include(read(composePath), `docker ${stdout}`)
      assert.isTrue(existsSync(join(folder, "deploy/compose/secrets/app-secret-key")))
      assert.strictEqual(
        await readFile(join(folder, "deploy/compose/.env"), "utf8"),
        read("deploy/compose/.env.example")
      )
    }))

  it("builds and runs the image as the Dockerfile says and as it is tested", () => {
    const image = `turma:${version}`
    assert.deepStrictEqual(dockerBuild, ["docker", "build", "-f", "deploy/container/Dockerfile", "-t", image, "."])
    assert.include(read("deploy/container/Dockerfile"), dockerBuild.join(" "))
    assert.strictEqual(dockerRun.at(-1), image)
    assert.match(publishedAt ?? "", /^127\.0\.0\.1:\d+:3000$/)
    // Image.test.ts runs the image with the same options.
    assert.includeMembers([...runOptions], ["--init", "--read-only", "--cap-drop", "no-new-privileges", "turma:/data"])
    assert.strictEqual(runOptions[runOptions.indexOf("--stop-timeout") + 1], "25")
  })

  it("lets the Job migrate that there is, and waits for it", () => {
    const name = String(within(migration, "metadata", "name"))
    assert.deepStrictEqual(blocks(marked(text, "migrate"), "sh").join("").trim().split("\n"), [
      "kubectl apply -k deploy/kubernetes/migrate",
      `kubectl -n turma wait --for=condition=complete --timeout=24h job/${name}`,
      "kubectl delete -k deploy/kubernetes/migrate"
    ])
  })
})
