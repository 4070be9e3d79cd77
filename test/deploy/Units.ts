import { Effect } from "effect"
import { run } from "../harness/Programs.ts"
import { project, read } from "./Deployed.ts"

/** The directives of a unit, by name. A directive that is set several times has several values, in order. */
export type Unit = ReadonlyMap<string, ReadonlyArray<string>>

/** Reads a unit's file. */
export const unitOf = (path: string): Unit => {
  const unit = new Map<string, ReadonlyArray<string>>()
  for (const [, name = "", value = ""] of read(path).matchAll(/^(\w+)=(.*)$/gm)) {
    unit.set(name, [...unit.get(name) ?? [], value])
  }
  return unit
}

const nameOf = (line: string) => /^\s+(@?[\w-]+)$/.exec(line)?.[1]

/** The system calls in one of systemd's sets, including those of the sets in it. */
const callsOf = async (set: string): Promise<ReadonlyArray<string>> => {
  const { stdout } = await run("systemd-analyze", ["syscall-filter", set], { cwd: project })
  const names = stdout.split("\n").flatMap((line) => nameOf(line) ?? [])
  const calls = await Promise.all(names.map((name) => name.startsWith("@") ? callsOf(name) : [name]))
  return calls.flat()
}

/** A unit's `SystemCallFilter` as a seccomp profile for containers. It refuses all other calls with EPERM. */
export const seccompOf = (unit: Unit) =>
  Effect.promise(async () => {
    const [allowed = "", refused = ""] = unit.get("SystemCallFilter") ?? []
    const listOf = async (sets: string) => (await Promise.all(sets.split(" ").map(callsOf))).flat()
    const excluded = new Set(await listOf(refused.replace("~", "")))
    const names = [...new Set(await listOf(allowed))].filter((name) => !excluded.has(name))
    return {
      defaultAction: "SCMP_ACT_ERRNO",
      defaultErrnoRet: 1,
      architectures: ["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"],
      syscalls: [{ names, action: "SCMP_ACT_ALLOW" }]
    }
  })
