import { ConfigProvider, Effect, Schema } from "effect"
import { Readable } from "node:stream"
import { commandLine } from "../../src/cli/commandLine.ts"
import { report, teardown } from "../../src/cli/runMain.ts"
import { type HostAnswer, HostCall } from "./CommandHost.ts"

// The process that `CommandHost.ts` starts. Each command has the arguments, environment and standard streams of its own
// process. The host collects its output.

const decodeCall = Schema.decodeUnknownSync(HostCall)

const said = { stdout: "", stderr: "" }

for (const name of ["stdout", "stderr"] as const) {
  const stream = process[name]
  stream.write = (chunk: string | Uint8Array, ...rest: ReadonlyArray<unknown>) => {
    said[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString()
    const written = rest.at(-1)
    if (typeof written === "function") queueMicrotask(() => written())
    return true
  }
}

const runHere = async ({ env, stdin, words }: typeof HostCall.Type): Promise<typeof HostAnswer.Type> => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv = [process.execPath, "turma", ...words]
  process.exitCode = undefined
  Object.defineProperty(process, "stdin", {
    value: Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]),
    configurable: true
  })
  Object.assign(said, { stdout: "", stderr: "" })
  const exit = await Effect.runPromiseExit(commandLine.pipe(
    Effect.tapCause(report),
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv()))
  ))
  const code = await new Promise<number>((resolve) => teardown(exit, resolve))
  return { code: code === 0 ? Number(process.exitCode ?? 0) : code, ...said }
}

process.on("message", (message) => {
  void runHere(decodeCall(message)).then((answer) => process.send?.(answer))
})
process.once("disconnect", () => process.exit())
