import { assert, beforeAll, describe, it } from "@effect/vitest"
import { chmod, cp, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { withFiles } from "../harness/Files.ts"
import { run } from "../harness/Programs.ts"
import { startArguments, startEnvironment } from "../harness/ScriptArguments.ts"
import { ensure } from "./Debian.ts"
import { files, project, read } from "./Deployed.ts"
import { unitOf } from "./Units.ts"

const units = files.filter((path) => /\.(?:service|timer)$/.test(path))
const service = unitOf("deploy/systemd/turma.service")

/** Calls `use` with a root that has the units, their programs, and the units of Debian that they name. */
const withRoot = (use: (root: string) => Promise<void>) =>
  withFiles(
    { "opt/turma/bin/node": "#!/bin/sh\n", "bin/sh": "#!/bin/sh\n", "bin/kill": "#!/bin/sh\n" },
    async (root) => {
      const place = join(root, "etc/systemd/system")
      await mkdir(place, { recursive: true })
      await Promise.all(units.map((path) => cp(join(project, path), join(place, path.split("/").at(-1) ?? ""))))
      await mkdir(join(place, "turma.service.d"))
      await cp(join(project, "deploy/systemd/processes.conf"), join(place, "turma.service.d/processes.conf"))
      const ends = ["network-online.target", "multi-user.target", "timers.target", "sysinit.target", "basic.target"]
      await Promise.all([
        ...ends.map((name) => writeFile(join(place, name), "[Unit]\nDefaultDependencies=no\n")),
        chmod(root, 0o755)
      ])
      await use(root)
    }
  )

const exposure = async (path: string) => {
  const { stdout } = await run("systemd-analyze", ["security", "--offline=true", "--no-pager", path], { cwd: project })
  return Number(/Overall exposure level for .*: ([\d.]+)/.exec(stdout)?.[1])
}

describe("the units of systemd", () => {
  beforeAll(() => ensure("systemd", "systemd-analyze", "--version"))

  it("are understood whole by systemd, with several processes too", () =>
    withRoot(async (root) => {
      const names = units.map((path) => path.split("/").at(-1) ?? "")
      const { stderr, stdout } = await run("systemd-analyze", ["verify", "--man=no", `--root=${root}`, ...names], {
        cwd: root
      })
      assert.strictEqual(stderr + stdout, "")
    }))

  it.each(units.filter((path) => path.endsWith(".service")))("%s exposes next to nothing", async (path) => {
    // Out of ten. The rest is the network, and memory for the code that V8 compiles.
    assert.isAtMost(await exposure(path), 1.4)
  })

  it("let the service keep its backups where the timer does", () => {
    for (const unit of [service, unitOf("deploy/systemd/turma-backup.service")]) {
      assert.deepStrictEqual(unit.get("StateDirectory"), ["turma turma-backups"])
    }
  })

  it("run what npm start runs", () => {
    assert.deepStrictEqual(service.get("ExecStart"), [`/opt/turma/bin/node ${startArguments.join(" ")}`])
    for (const [name, value] of Object.entries(startEnvironment)) {
      assert.include(service.get("Environment")?.join(" "), `${name}=${value}`)
    }
  })

  it("let V8 compile, give it its time to stop, and reload only several processes", () => {
    assert.isUndefined(service.get("MemoryDenyWriteExecute"))
    assert.isAtLeast(Number(service.get("TimeoutStopSec")?.[0]), 25)
    assert.isUndefined(service.get("ExecReload"))
    const several = unitOf("deploy/systemd/processes.conf")
    assert.match(several.get("Environment")?.[0] ?? "", /^PROCESSES=[2-9]$/)
    assert.deepStrictEqual(several.get("ExecReload"), ["/bin/kill -HUP $MAINPID"])
  })

  it("harden the backup as the service", () => {
    const backup = unitOf("deploy/systemd/turma-backup.service")
    const hardening =
      /^(?:Ambient|Capab|Device|Lock|NoNew|Private|Proc|Protect|Remove|Restrict(?!edBy)|SystemCall|UMask)/
    const named = [...service.keys()].filter((name) => hardening.test(name))
    assert.isAbove(named.length, 20)
    for (const name of named) assert.deepStrictEqual(backup.get(name), service.get(name), name)
    assert.match(read("deploy/systemd/turma-backup.timer"), /^OnCalendar=.+$/m)
  })

  it("make one backup, verified, of which the last seven stay, where BACKUP_URL says or in a folder of its own", () =>
    withFiles({ node: "#!/bin/sh\necho \"$@\"\n" }, async (folder) => {
      const node = join(folder, "node")
      await chmod(node, 0o755)
      const [start = ""] = unitOf("deploy/systemd/turma-backup.service").get("ExecStart") ?? []
      // As systemd reads it: `$$` is a dollar sign, and text between apostrophes is one word.
      const [, script = ""] = /^\/bin\/sh -euc '([^']*)'$/.exec(start.replaceAll("$$", "$")) ?? []
      const said = (env: Record<string, string>) =>
        run("/bin/sh", ["-euc", script.replace("/opt/turma/bin/node", node)], { cwd: folder, env })
      const command = "bin/turma.js backup --keep 7 --verify"
      assert.strictEqual((await said({})).stdout, `${command} /var/lib/turma-backups\n`)
      assert.strictEqual((await said({ BACKUP_URL: "s3://id:secret@host/bucket" })).stdout, `${command}\n`)
      assert.strictEqual((await said({ BACKUP_URL_FILE: "/etc/turma/secrets/backup-url" })).stdout, `${command}\n`)
    }))

  it("run commands as the service: its user, variables, folders and Node", () =>
    withFiles({ "bin/systemd-run": "#!/bin/sh\nprintf '%s\\0' \"$@\"\nexit 3\n" }, async (folder) => {
      const command = join(project, "deploy/systemd/turma")
      const env = { PATH: `${join(folder, "bin")}:${process.env["PATH"]}` }
      // The command ends with the code of the program that it runs.
      const script = `${command} backup "/a folder" --verify || [ $? = 3 ]`
      const { stdout } = await run("sh", ["-euc", script], { cwd: folder, env })
      const given = stdout.split("\0").slice(0, -1)
      const of = (option: string) =>
        given.filter((word) => word.startsWith(`--${option}=`)).map((word) => word.slice(option.length + 3))
      const [variables = ""] = service.get("Environment") ?? []
      assert.deepStrictEqual(of("setenv"), variables.split(" "))
      const names = [
        "User",
        "Group",
        "WorkingDirectory",
        "EnvironmentFile",
        "StateDirectory",
        "StateDirectoryMode",
        "UMask"
      ]
      assert.deepStrictEqual(of("property"), names.map((name) => `${name}=${service.get(name)?.join(" ")}`))
      const [start = ""] = service.get("ExecStart") ?? []
      const [node = ""] = start.split(" ")
      assert.deepStrictEqual(given.slice(given.indexOf(node)), [
        node,
        "bin/turma.js",
        "backup",
        "/a folder",
        "--verify"
      ])
      assert.includeMembers(given, ["--pipe", "--wait", "--collect"])
    }))

  it("has a timer whose time there is", async () => {
    const [calendar = ""] = unitOf("deploy/systemd/turma-backup.timer").get("OnCalendar") ?? []
    const { stdout } = await run("systemd-analyze", ["calendar", calendar], { cwd: project })
    assert.match(stdout, /Normalized form: \*-\*-\* 03:00:00/)
  })
})
