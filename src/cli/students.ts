import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { remoteFlags } from "./flags/RemoteFlags.ts"
import { wantedFlags, yesFlag } from "./flags/Wanted.ts"

const load = Effect.promise(() => import("./students/students.ts"))

const id = Argument.String("id").pipe(Argument.withDescription("The student's id, as turma students list shows it"))

const list = Command.make("list", {
  ...wantedFlags,
  search: Flag.String("search").pipe(
    Flag.withMetavar("words"),
    Flag.withDescription("Only those with each of these words in name or address"),
    Flag.optional
  ),
  active: Flag.Literals("active", ["true", "false"]).pipe(
    Flag.withDescription("Only those whose access lets them in now, or only the others"),
    Flag.optional
  )
}, (wanted) => Effect.flatMap(load, ({ listStudents }) => listStudents(wanted))).pipe(
  Command.withDescription("List the students, newest first"),
  Command.withExamples([
    { command: "turma students list --search \"bia lima\"", description: "Find a student by name or address" },
    { command: "turma students list --all --jsonl", description: "Every student, a JSON document on each line" }
  ])
)

const show = Command.make("show", { id }, ({ id }) => Effect.flatMap(load, ({ showStudent }) => showStudent(id))).pipe(
  Command.withDescription("Show a student and what they have access to"),
  Command.withExamples([{
    command: "turma students show 019d4860-d9c0-7a10-8c4e-5b1d2f3a4c5d",
    description: "Show a student by id"
  }])
)

const create = Command.make("create", {
  name: Flag.String("name").pipe(Flag.withDescription("The student's name")),
  email: Flag.String("email").pipe(Flag.withDescription("The address that they sign in with")),
  delivery: Flag.String("delivery").pipe(
    Flag.withMetavar("id"),
    Flag.withDescription("A delivery that they get access to; repeat it for several"),
    Flag.atLeast(0)
  ),
  invite: Flag.Boolean("invite").pipe(
    Flag.withDescription("Mail them a link that signs them in"),
    Flag.withDefault(false),
    Flag.withoutNegation
  )
}, (given) => Effect.flatMap(load, ({ createStudent }) => createStudent(given))).pipe(
  Command.withDescription("Let somebody in as a student"),
  Command.withExamples([{
    command: "turma students create --name \"Bia Lima\" --email bia@example.com --invite",
    description: "Create a student and mail them a link"
  }])
)

const remove = Command.make(
  "remove",
  { id, yes: yesFlag },
  (given) => Effect.flatMap(load, ({ removeStudent }) => removeStudent(given))
).pipe(
  Command.withDescription("Remove a student and forget the person, for good"),
  Command.withExamples([{
    command: "turma students remove 019d4860-d9c0-7a10-8c4e-5b1d2f3a4c5d --yes",
    description: "Remove a student without being asked"
  }])
)

/** `turma students …` */
export const students = Command.make("students").pipe(
  Command.withDescription("Look after the students of a club"),
  Command.withExamples([{ command: "turma students list", description: "The newest students" }]),
  Command.withSubcommands([list, show, create, remove]),
  Command.withGlobalFlags(remoteFlags)
)
