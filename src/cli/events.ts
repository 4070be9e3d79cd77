import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { remoteFlags } from "./flags/RemoteFlags.ts"

const load = Effect.promise(() => import("./events/events.ts"))

const types = Command.make("types", {}, () => Effect.flatMap(load, ({ listTypes }) => listTypes)).pipe(
  Command.withDescription("List the types of events that can be sent to webhook endpoints"),
  Command.withExamples([
    { command: "turma events types", description: "Each type, and when it is sent" },
    { command: "turma events types --json", description: "The same with JSON Schemas and examples" }
  ])
)

const show = Command.make(
  "show",
  { id: Argument.String("id").pipe(Argument.withDescription("The event's id: webhook-id of what was received")) },
  ({ id }) => Effect.flatMap(load, ({ showEvent }) => showEvent(id))
).pipe(
  Command.withDescription("Show an event, and where it was sent"),
  Command.withExamples([{
    command: "turma events show 019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c",
    description: "Read the event with this webhook-id"
  }])
)

/** `turma events …` */
export const events = Command.make("events").pipe(
  Command.withDescription("Look at the events of a club"),
  Command.withExamples([{ command: "turma events types", description: "Each type, and when it is sent" }]),
  Command.withSubcommands([types, show]),
  Command.withGlobalFlags(remoteFlags)
)
