/** The command line by its source, as tests name it. */
export const commandSource = "src/cli/main.ts"

/** The command line as the tests call it: its bundle in a run of all tests, its sources where a path was given. */
export const commandModule = process.env["TEST_COMMAND"] ?? commandSource

/** Arguments of Node that name the command line by its source, with the module that the tests call. */
export const withCommand = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.map((argument) => argument === commandSource ? commandModule : argument)
