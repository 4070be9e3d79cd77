import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { remoteFlags } from "./flags/RemoteFlags.ts"
import { signInFlags } from "./flags/SignInFlags.ts"
import { switchFlag } from "./flags/SwitchFlag.ts"

/** `turma login` */
export const login = Command.make("login", {
  ...signInFlags("TURMA_URL or http://127.0.0.1:3000"),
  key: switchFlag("key", "Sign in with a key of the club, which is asked for and not shown"),
  keyStdin: switchFlag("key-stdin", "The same with the key on standard input")
}, (given) => Effect.flatMap(Effect.promise(() => import("./login/login.ts")), ({ login }) => login(given))).pipe(
  Command.withDescription("Sign in to a club, and keep its key in your settings, for you alone"),
  Command.withExamples([
    { command: "turma login --url https://turma.example", description: "Let this terminal in from a browser" },
    { command: "turma login --key", description: "Ask for a key of the club" },
    {
      command: "turma login --email ana@school.example --role support",
      description: "Ask for the password, and make a key for this machine"
    },
    { command: "turma login --key-stdin --profile staging", description: "A second profile, from a script" }
  ]),
  Command.withGlobalFlags(remoteFlags)
)

/** `turma logout` */
export const logout = Command.make(
  "logout",
  {},
  () => Effect.flatMap(Effect.promise(() => import("./login/logout.ts")), ({ logout }) => logout)
).pipe(
  Command.withDescription("Forget the profile, and revoke its key where turma login has made it"),
  Command.withExamples([
    { command: "turma logout", description: "Forget the latest profile" },
    { command: "turma logout --profile staging", description: "Forget another one" }
  ]),
  Command.withGlobalFlags(remoteFlags)
)

/** `turma whoami` */
export const whoami = Command.make(
  "whoami",
  {},
  () => Effect.flatMap(Effect.promise(() => import("./login/whoami.ts")), ({ whoami }) => whoami)
).pipe(
  Command.withDescription("Say which profile, club and key are in use, after asking the service"),
  Command.withExamples([{ command: "turma whoami", description: "Exit code 3 where the key is not taken any more" }]),
  Command.withGlobalFlags(remoteFlags)
)

const list = Command.make(
  "list",
  {},
  () => Effect.flatMap(Effect.promise(() => import("./login/profiles.ts")), ({ listProfiles }) => listProfiles)
).pipe(
  Command.withDescription("List the profiles of this machine"),
  Command.withExamples([{ command: "turma profiles list", description: "Name the profiles; * is the one in use" }])
)

const use = Command.make(
  "use",
  { name: Argument.String("name").pipe(Argument.withDescription("The profile's name")) },
  ({ name }) =>
    Effect.flatMap(Effect.promise(() => import("./login/profiles.ts")), ({ useProfile }) => useProfile(name))
).pipe(
  Command.withDescription("Use this profile from now on, unless a command names another"),
  Command.withExamples([{ command: "turma profiles use staging", description: "Use the profile staging" }])
)

/** `turma profiles …` */
export const profiles = Command.make("profiles").pipe(
  Command.withDescription("Look at the clubs that this machine is signed in to"),
  Command.withExamples([{ command: "turma profiles list", description: "Name the profiles" }]),
  Command.withSubcommands([list, use]),
  Command.withGlobalFlags(remoteFlags)
)
