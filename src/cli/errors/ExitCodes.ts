/** One exit code, and what it says to a script. */
interface ExitCode {
  readonly code: number
  readonly meaning: string
}

const exit = (code: number, meaning: string): ExitCode => ({ code, meaning })

/** Every exit code of the command line. They stay the same. */
export const exitCodes = {
  done: exit(0, "success; also if Ctrl-C ends a command that only watches, or nobody reads the output any more"),
  failed: exit(1, "failure, or a negative answer: a request is not verified, a row is wrong, a check fails"),
  usage: exit(2, "wrong usage, or a variable or a file of settings that is not valid"),
  signedOut: exit(3, "no key, or the service refuses it: see npx turma login"),
  refused: exit(4, "the key may not do that, or its club has no such thing"),
  rejected: exit(5, "the service refuses the input, or refuses it in this state"),
  unavailable: exit(6, "no answer: the service cannot be reached, is at its limit or fails; the same may work later"),
  interrupted: exit(130, "Ctrl-C, before the end")
} as const

/** The exit code for an answer with this status, which is a failure. */
export const exitCodeOfStatus = (status: number): number => {
  if (status === 401) return exitCodes.signedOut.code
  if (status === 403 || status === 404) return exitCodes.refused.code
  return status === 429 || status >= 500 ? exitCodes.unavailable.code : exitCodes.rejected.code
}

/** The table of exit codes in plain lines. */
export const exitCodeLines = (): ReadonlyArray<string> =>
  Object.values(exitCodes).map(({ code, meaning }) => `${String(code).padStart(3)}  ${meaning}`)
