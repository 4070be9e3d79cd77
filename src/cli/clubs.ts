import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Locale } from "../platform/http/Locale.ts"
import { remoteFlags } from "./flags/RemoteFlags.ts"
import { signInFlags } from "./flags/SignInFlags.ts"

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

const create = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("The club's name")),
    time_zone: Flag.String("time-zone").pipe(
      Flag.withMetavar("zone"),
      Flag.withDescription("Where its day starts and ends, such as America/Sao_Paulo; UTC without"),
      Flag.optional
    ),
    locale: Flag.Literals("language", Locale.literals).pipe(
      Flag.withDescription("The language of its mails, and of what it starts with; en without"),
      Flag.optional
    ),
    ...signInFlags("TURMA_URL, the latest profile's or http://127.0.0.1:3000")
  },
  (given) =>
    Effect.flatMap(Effect.promise(() => import("./clubs/createClub.ts")), ({ createClub }) => createClub(given))
)
  .pipe(
    Command.withDescription("Create a club. You become its owner, and the next commands use it"),
    Command.withExamples([
      {
        command: "turma clubs create --name \"Violão Fácil\" --email ana@school.example",
        description: "Ask for the password, found the club, and make a key of it for this machine"
      },
      {
        command: "turma clubs create --name \"Violão Fácil\" --time-zone America/Sao_Paulo --language pt-BR --json",
        description: "With the token of a session as TURMA_KEY, for a program"
      }
    ])
  )

/** `turma clubs …` */
export const clubs = Command.make("clubs").pipe(
  Command.withDescription("Look at the clubs that the key is good for, and found one"),
  Command.withExamples([{ command: "turma clubs list", description: "Name the clubs" }]),
  Command.withSubcommands([list, show, create]),
  Command.withGlobalFlags(remoteFlags)
)
