import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { eventTypeFlags, eventTypesIn } from "../flags/EventTypes.ts"
import { remoteFlags } from "../flags/RemoteFlags.ts"
import { switchFlag } from "../flags/SwitchFlag.ts"
import { wantedFlags, yesFlag } from "../flags/Wanted.ts"

const load = Effect.promise(() => import("./endpoints/endpoints.ts"))

const id = Argument.String("id")
  .pipe(Argument.withDescription("The endpoint's id, as turma webhooks endpoints list shows it"))

const exampleId = "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c"

const list = Command.make(
  "list",
  wantedFlags,
  (wanted) => Effect.flatMap(load, ({ listEndpoints }) => listEndpoints(wanted))
).pipe(
  Command.withDescription("List the webhook endpoints of the club, oldest first"),
  Command.withExamples([{ command: "turma webhooks endpoints list", description: "Where events go, and how that is" }])
)

const show = Command.make("show", { id }, ({ id }) => Effect.flatMap(load, ({ showEndpoint }) => showEndpoint(id)))
  .pipe(
    Command.withDescription("Show an endpoint, and why it is or is not delivering"),
    Command.withExamples([{ command: `turma webhooks endpoints show ${exampleId}`, description: "Show an endpoint" }])
  )

const create = Command.make(
  "create",
  {
    url: Argument.String("url").pipe(
      Argument.withDescription("The https URL that events are posted to; left out with --inbox"),
      Argument.optional
    ),
    inbox: Flag.String("inbox").pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("Instead of a URL: hand events to this inbox of the club"),
      Flag.optional
    ),
    types: eventTypeFlags("A type of event to send, as turma events types lists it; repeat it for several"),
    description: Flag.String("description").pipe(
      Flag.withDescription("A note for administrators"),
      Flag.withDefault("")
    ),
    paused: switchFlag("paused", "Keep events until the receiver is ready")
  },
  ({ types, ...given }) =>
    Effect.flatMap(load, ({ createEndpoint }) => createEndpoint({ ...given, event_types: eventTypesIn(types) }))
).pipe(
  Command.withDescription("Register an endpoint; its signing secret is printed this once"),
  Command.withExamples([{
    command: "turma webhooks endpoints create https://hooks.example.com/turma -e student.created -e purchase.paid",
    description: "Send two types of events there"
  }])
)

const change = (name: "pause" | "enable" | "disable", description: string) =>
  Command.make(name, { id }, ({ id }) => Effect.flatMap(load, ({ changeStatus }) => changeStatus(id, name))).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `turma webhooks endpoints ${name} ${exampleId}`, description }])
  )

const rotate = Command.make("rotate", { id }, ({ id }) => Effect.flatMap(load, ({ rotateSecret }) => rotateSecret(id)))
  .pipe(
    Command
      .withDescription("Replace the signing secret; the new one is printed this once, the old one signs for 24 hours"),
    Command.withExamples([{
      command: `turma webhooks endpoints rotate ${exampleId}`,
      description: "Make a new secret"
    }])
  )

const test = Command.make("test", { id }, ({ id }) => Effect.flatMap(load, ({ testEndpoint }) => testEndpoint(id)))
  .pipe(
    Command.withDescription("Send a test to an endpoint, and wait for what comes of it"),
    Command.withExamples([{ command: `turma webhooks endpoints test ${exampleId}`, description: "Send webhook.test" }])
  )

const remove = Command.make(
  "remove",
  { id, yes: yesFlag },
  (given) => Effect.flatMap(load, ({ removeEndpoint }) => removeEndpoint(given))
).pipe(
  Command.withDescription("Delete an endpoint: what waits for it is canceled"),
  Command.withExamples([{
    command: `turma webhooks endpoints remove ${exampleId} --yes`,
    description: "Delete an endpoint without being asked"
  }])
)

/** `turma webhooks endpoints …` */
export const endpoints = Command.make("endpoints").pipe(
  Command.withDescription("Look after the endpoints that a club's events are posted to"),
  Command.withExamples([{ command: "turma webhooks endpoints list", description: "List the endpoints" }]),
  Command.withSubcommands([
    list,
    show,
    create,
    change("pause", "Keep new events waiting instead of sending them"),
    change("enable", "Send events again, and what waits first"),
    change("disable", "Cancel what waits, and keep nothing from now on"),
    rotate,
    test,
    remove
  ]),
  Command.withGlobalFlags(remoteFlags)
)
