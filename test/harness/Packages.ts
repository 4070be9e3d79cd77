import { Effect } from "effect"
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"

/** Runs a program to its end, quietly. */
export const command = (program: string, ...args: ReadonlyArray<string>) =>
  Effect.callback<void, Error>((resume) => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
    execFile(program, args, { env }, (error) => resume(error === null ? Effect.void : Effect.fail(error)))
  })

/** Whether we may install a package: as root, on Debian and what is made of it. */
export const mayInstall = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")

/** Installs a package of Debian. Waits for others who are installing. */
export const install = (...packages: ReadonlyArray<string>) =>
  Effect.andThen(
    command("apt-get", "-o", "DPkg::Lock::Timeout=120", "update"),
    command("apt-get", "-o", "DPkg::Lock::Timeout=120", "install", "-y", "--no-install-recommends", ...packages)
  )
