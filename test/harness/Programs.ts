import { execFile } from "node:child_process"
import { promisify } from "node:util"

const execute = promisify(execFile)

/** The output of a program that succeeds. If the program fails, it rejects with that output. */
export const run = async (
  program: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd: string; readonly env?: Record<string, string> }
) => {
  const env = { ...process.env, ...options.env }
  try {
    return await execute(program, args, { cwd: options.cwd, env, maxBuffer: 64 * 1024 * 1024 })
  } catch (error) {
    const said = error instanceof Error && "stdout" in error && "stderr" in error
      ? `${error.stdout}${error.stderr}`
      : ""
    throw new Error(`${program} ${args.join(" ")} failed:\n${said}`, { cause: error })
  }
}
