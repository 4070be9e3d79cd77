/** The command line as the tests call it: its bundle in a run of all tests, its sources where a path was given. */
export const commandModule = process.env["TEST_COMMAND"] ?? "src/cli/main.ts"

/** Arguments of Node that name the command line by its source, with the module that the tests call. */
export const withCommand = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.map((argument) => argument === "src/cli/main.ts" ? commandModule : argument)
