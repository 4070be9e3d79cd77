import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { remoteFlags } from "./flags/RemoteFlags.ts"

const list = Command.make(
  "list",
  {},
  () => Effect.flatMap(Effect.promise(() => import("./clubs/clubs.ts")), ({ listClubs }) => listClubs)
).pipe(
  Command.withDescription("List the clubs that the key is good for"),
  Command.withExamples([{ command: "turma clubs list", description: "Name the clubs, and which role you have there" }])
)

const show = Command.make(
  "show",
  {
    club: Argument.String("club").pipe(
      Argument.withDescription("The club's id; the profile's without"),
      Argument.optional
    )
  },
  ({ club }) =>
    Effect.flatMap(
      Effect.promise(() => import("./clubs/clubs.ts")),
      ({ showClub }) => showClub(Option.getOrUndefined(club))
    )
).pipe(
  Command.withDescription("Show a club: its name, its time zone, its language"),
  Command.withExamples([
    { command: "turma clubs show", description: "Show the club of the profile" },
    { command: "turma clubs show --json", description: "The same as the API answers it" }
  ])
)

/** `turma clubs …` */
export const clubs = Command.make("clubs").pipe(
  Command.withDescription("Look at the clubs that the key is good for"),
  Command.withExamples([{ command: "turma clubs list", description: "Name the clubs" }]),
  Command.withSubcommands([list, show]),
  Command.withGlobalFlags(remoteFlags)
)
