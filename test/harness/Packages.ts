import { Effect } from "effect"
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { rm, writeFile } from "node:fs/promises"

/** Runs a program to its end, quietly. */
export const command = (program: string, ...args: ReadonlyArray<string>) =>
  Effect.callback<void, Error>((resume) => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
    execFile(program, args, { env }, (error) => resume(error === null ? Effect.void : Effect.fail(error)))
  })

/** True if we may install a package: as root, on Debian or a system based on it. */
export const mayInstall = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")

/** Installs a package of Debian. Waits for other installations. */
export const install = (...packages: ReadonlyArray<string>) =>
  Effect.andThen(
    command("apt-get", "-o", "DPkg::Lock::Timeout=120", "update"),
    command("apt-get", "-o", "DPkg::Lock::Timeout=120", "install", "-y", "--no-install-recommends", ...packages)
  )

// Debian runs this file to ask if a service of a new package may start: 101 means that it may not.
const servicePolicy = "/usr/sbin/policy-rc.d"

const withoutServices = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  existsSync(servicePolicy) ? work : Effect.acquireUseRelease(
    Effect.promise(() => writeFile(servicePolicy, "#!/bin/sh\nexit 101\n", { mode: 0o755 })),
    () => work,
    () => Effect.promise(() => rm(servicePolicy))
  )

/** Installs a package of Debian without starting its service. */
export const installQuietly = (...packages: ReadonlyArray<string>) => withoutServices(install(...packages))
