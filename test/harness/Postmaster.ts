import { Effect, Redacted } from "effect"
import { readFileSync } from "node:fs"

/** The address of the server under an embedded database's folder, for users that may read its password. */
export const embeddedUrl = (directory: string) => {
  const port = readFileSync(`${directory}/cluster/postmaster.pid`, "utf8").split("\n")[3]
  const password = readFileSync(`${directory}/password`, "utf8")
  return Redacted.make(`postgres://turma:${password}@127.0.0.1:${port}/postgres`)
}

/** The id of the server's first process under an embedded database's folder; undefined without one. */
export const postmasterOf = (directory: string): number | undefined => {
  try {
    const pid = Number(readFileSync(`${directory}/cluster/postmaster.pid`, "utf8").split("\n", 1)[0])
    return pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

/** Kills it as the system does if memory runs out. Answers its id, if it ran. */
export const killPostmaster = (directory: string) =>
  Effect.sync(() => {
    const pid = postmasterOf(directory)
    if (pid === undefined) return undefined
    try {
      process.kill(pid, "SIGKILL")
      return pid
    } catch {
      // The process that the file names is already dead.
      return undefined
    }
  })
