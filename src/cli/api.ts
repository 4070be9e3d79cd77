import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { remoteFlags } from "./flags/RemoteFlags.ts"

const several = (name: string, alias: string, metavar: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withAlias(alias),
    Flag.withMetavar(metavar),
    Flag.withDescription(`${description}; may be given several times`),
    Flag.atLeast(0)
  )

/** `turma api METHOD PATH` */
export const api = Command.make("api", {
  method: Argument.String("method").pipe(Argument.withDescription("GET, POST, PUT, PATCH or DELETE")),
  path: Argument.String("path")
    .pipe(Argument.withDescription("The path, from /v1 on; {clubId} in it is the profile's club")),
  fields: several("field", "f", "name=value", "A text of the body, or of the query of a GET"),
  typed: several("typed", "F", "name=json", "The same with a number, true, false, null, a list or an object"),
  headers: several("header", "H", "name: value", "A header"),
  input: Flag.String("input").pipe(
    Flag.withMetavar("file"),
    Flag.withDescription("The file with the body; - is standard input"),
    Flag.optional
  ),
  paginate: Flag.Boolean("paginate").pipe(
    Flag.withDescription("Read every page of a list and print its items as one document"),
    Flag.withDefault(false),
    Flag.withoutNegation
  )
}, (given) => Effect.flatMap(Effect.promise(() => import("./api/request.ts")), ({ request }) => request(given))).pipe(
  Command.withDescription("Send any request of the API and print the answer as it is"),
  Command.withExamples([
    {
      command: "turma api GET /v1/clubs/{clubId}/billing",
      description: "Read a resource without a command of its own"
    },
    {
      command: "turma api GET /v1/clubs/{clubId}/students -f search=bia --paginate",
      description: "Every page of a list, as one document"
    },
    {
      command: "turma api PATCH /v1/clubs/{clubId} -f name=\"Violão Fácil\"",
      description: "Send a body of fields"
    },
    { command: "turma api PUT /v1/clubs/{clubId}/gamification/levels --input levels.json", description: "Send a file" }
  ]),
  Command.withGlobalFlags(remoteFlags)
)
