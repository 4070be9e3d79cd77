/** The source of the command line, as tests name it. */
export const commandSource = "src/cli/main.ts"

/** The module that tests call for the command line: a bundle in a run of all tests, else the sources. */
export const commandModule = process.env["TEST_COMMAND"] ?? commandSource

/** Replaces the command line's source in arguments of Node by the module that the tests call. */
export const withCommand = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.map((argument) => argument === commandSource ? commandModule : argument)
