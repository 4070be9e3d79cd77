import { Effect, Schema } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { compileCache } from "./CompileCache.ts"

/** A command for the host, with its environment and its standard input. */
export const HostCall = Schema.Struct({
  words: Schema.Array(Schema.String),
  env: Schema.Record(Schema.String, Schema.String),
  stdin: Schema.String
})

/** The exit code and the output of a command in the host. */
export const HostAnswer = Schema.Struct({ code: Schema.Int, stdout: Schema.String, stderr: Schema.String })

const decodeAnswer = Schema.decodeUnknownSync(HostAnswer)

const project = fileURLToPath(new URL("../..", import.meta.url))

/** Idle hosts. Commands that run at the same time each have their own host. */
const idle = new Set<ChildProcess>()
const mostIdle = 2

const start = () => {
  const child = fork(fileURLToPath(new URL("hostedCommands.ts", import.meta.url)), {
    cwd: project,
    execArgv: [],
    env: { PATH: process.env["PATH"] ?? "", ...compileCache },
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })
  // It ends when we do, because its channel closes then.
  child.unref()
  child.channel?.unref()
  child.once("exit", () => idle.delete(child))
  return child
}

/** Runs a command in a host. The first command starts the host, which serves all files of this worker. */
export const callHost = (call: typeof HostCall.Type) =>
  Effect.callback<typeof HostAnswer.Type>((resume) => {
    const [child = start()] = idle
    idle.delete(child)
    child.channel?.ref()
    const settle = (answer: Effect.Effect<typeof HostAnswer.Type>) => {
      child.off("message", onMessage).off("exit", onExit)
      child.channel?.unref()
      resume(answer)
    }
    const onExit = (code: number | null) => settle(Effect.die(new Error(`The host of commands ended with ${code}`)))
    const onMessage = (message: unknown) => {
      if (idle.size < mostIdle) idle.add(child)
      else child.kill()
      settle(Effect.sync(() => decodeAnswer(message)))
    }
    child.on("message", onMessage).on("exit", onExit)
    child.send(call)
    return Effect.sync(() => void child.off("message", onMessage).off("exit", onExit).kill("SIGKILL"))
  })

/** Runs a command with only these variables and no standard input. The disk may be full. */
export const runCommand = (words: ReadonlyArray<string>, env: Record<string, string>) =>
  callHost({ words, env: { PATH: process.env["PATH"] ?? "", STORAGE_FREE_FLOOR: "0 B", ...env }, stdin: "" })
