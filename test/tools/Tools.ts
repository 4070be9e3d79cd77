import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { basename, join, relative, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

// Linters and client generators that read our OpenAPI document, and the check of unused code. They are a separate
// package with its own lock file, so that the first command does not install them.

/** The folder of these tools. */
export const tools = import.meta.dirname

/** The folder of the official client for agents, and of the check of servers. */
export const agents = join(tools, "agents")

/** The size of each package of tools. */
const sizes: Readonly<Record<string, string>> = { tools: "some 230 MB", agents: "some 110 MB", prose: "some 13 MB" }

/** The folder of the project. */
export const project = resolve(tools, "../..")

/** The output of a program that has ended. `code` is null if the program was not found or was killed. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

// Turns off their checks for updates and their telemetry.
const quiet = {
  ...process.env,
  DO_NOT_TRACK: "1",
  NO_COLOR: "1",
  NO_UPDATE_NOTIFIER: "1",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  REDOCLY_TELEMETRY: "off",
  SCARF_ANALYTICS: "false",
  // A compiler of ours soon ends, and makes little that is forgotten before.
  GOGC: "off",
  npm_config_update_notifier: "false"
}

const run = (command: string, args: ReadonlyArray<string>, cwd: string) =>
  new Promise<Ended>((done) => {
    const child = execFile(
      command,
      args,
      { cwd, env: quiet, maxBuffer: 256 * 1024 * 1024 },
      (_, stdout, stderr) => done({ code: child.exitCode, stdout, stderr })
    )
  })

const unreachable = /^npm error (?:network|code (?:EAI_AGAIN|ECONN\w+|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ETIMEDOUT))/m

/** Why the tools cannot be used. `offline` is true if npm reached no registry. */
export interface Missing {
  readonly reason: string
  readonly offline: boolean
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Waits until no other process has this file, and takes it. A dead process loses the file. */
const take = async (file: string): Promise<void> => {
  const isTaken = await writeFile(file, `${process.pid}`, { flag: "wx" }).then(() => true, () => false)
  if (isTaken) return
  const holder = Number(await readFile(file, "utf8").catch(() => ""))
  if (holder > 0 && !isAlive(holder)) await rm(file, { force: true })
  await sleep(100)
  return take(file)
}

const installInto = async (place: string): Promise<Missing | undefined> => {
  const { code, stderr } = await run("npm", ["ci", "--prefix", place, "--ignore-scripts", "--no-audit"], place)
  if (code === 0) return undefined
  const offline = unreachable.test(stderr)
  return { offline, reason: offline ? "npm reached no registry" : `npm ci failed: ${stderr.trim()}` }
}

/**
 * Installs the tools, after a line about it, unless those of the lock file are already installed. Undefined means that
 * they are there. Test files that need them at the same moment install them once.
 */
export const installTools = async (say: (line: string) => void, place = tools): Promise<Missing | undefined> => {
  const stamp = join(place, "node_modules/.lock-of-turma")
  const lock = createHash("sha256").update(await readFile(join(place, "package-lock.json"))).digest("hex")
  const isInstalled = () => readFile(stamp, "utf8").then((installed) => installed === lock, () => false)
  if (await isInstalled()) return undefined
  const cache = join(project, "node_modules/.cache")
  await mkdir(cache, { recursive: true })
  const turn = join(cache, `installing-${basename(place)}`)
  await take(turn)
  try {
    if (await isInstalled()) return undefined
    const size = sizes[basename(place)] ?? ""
    say(`Installing the tools of ${relative(project, place)}, ${size}, which is done once.`)
    const missing = await installInto(place)
    if (missing === undefined) await writeFile(stamp, lock)
    return missing
  } finally {
    await rm(turn, { force: true })
  }
}

/** Runs one of the tools, by the name of its command. */
export const runTool = (name: string, args: ReadonlyArray<string>, cwd: string, place = tools): Promise<Ended> =>
  run(process.execPath, [join(place, "node_modules/.bin", name), ...args], cwd)

/** Runs one of the project's own commands. */
export const runOwn = (path: string, args: ReadonlyArray<string>, cwd: string): Promise<Ended> =>
  run(process.execPath, [join(project, path), ...args], cwd)

/** Compiles the project of this folder with the project's own compiler. Several threads would check types twice. */
export const compile = (folder: string): Promise<Ended> =>
  runOwn("node_modules/typescript/bin/tsc", ["--project", folder, "--singleThreaded"], folder)
