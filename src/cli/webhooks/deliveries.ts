import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { eventTypeFlags, eventTypesIn } from "../flags/EventTypes.ts"
import { remoteFlags } from "../flags/RemoteFlags.ts"
import { wantedFlags } from "../flags/Wanted.ts"

const load = Effect.promise(() => import("./deliveries/deliveries.ts"))

const exampleEndpoint = "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c"
const exampleDelivery = "019d4860-e2a1-7b03-9c4d-1a2b3c4d5e6f"

const endpoint = Argument.String("endpoint").pipe(Argument.withDescription("The endpoint's id"))
const delivery = Argument.String("delivery").pipe(Argument.withDescription("The delivery's id"))

const moment = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("time"), Flag.withDescription(description), Flag.optional)

const list = Command.make(
  "list",
  {
    endpoint,
    ...wantedFlags,
    status: Flag.Literals("status", ["pending", "succeeded", "failed", "canceled"]).pipe(
      Flag.withDescription("Only those with this status"),
      Flag.optional
    ),
    types: eventTypeFlags("Only those of events of this type"),
    since: moment("since", "Only those created at this moment or later: 2026-04-01T09:30:00Z"),
    until: moment("until", "Only those created before this moment"),
    student: Flag.String("student").pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("Only those of events about this student"),
      Flag.optional
    )
  },
  ({ types, ...given }) =>
    Effect.flatMap(load, ({ listDeliveries }) => listDeliveries({ ...given, event_types: eventTypesIn(types) }))
).pipe(
  Command.withDescription("List the deliveries to an endpoint, newest first"),
  Command.withExamples([{
    command: `turma webhooks deliveries list ${exampleEndpoint} --status failed`,
    description: "Show the failed ones"
  }])
)

const show = Command.make(
  "show",
  { endpoint, delivery },
  (given) => Effect.flatMap(load, ({ showDelivery }) => showDelivery(given))
).pipe(
  Command.withDescription("Show a delivery, its attempts and its payload"),
  Command.withExamples([{
    command: `turma webhooks deliveries show ${exampleEndpoint} ${exampleDelivery}`,
    description: "Show what was sent and what was answered"
  }])
)

/** `turma webhooks deliveries …` */
export const deliveries = Command.make("deliveries").pipe(
  Command.withDescription("Look at what was sent to endpoints"),
  Command.withExamples([{
    command: `turma webhooks deliveries list ${exampleEndpoint}`,
    description: "The newest deliveries"
  }]),
  Command.withSubcommands([list, show]),
  Command.withGlobalFlags(remoteFlags)
)

/** `turma webhooks resend` */
export const resend = Command.make(
  "resend",
  { endpoint, delivery },
  (given) => Effect.flatMap(load, ({ resendDelivery }) => resendDelivery(given))
).pipe(
  Command.withDescription("Send a delivery again"),
  Command.withExamples([{
    command: `turma webhooks resend ${exampleEndpoint} ${exampleDelivery}`,
    description: "One attempt more, or the next one at once"
  }]),
  Command.withGlobalFlags(remoteFlags)
)

/** `turma webhooks recover` */
export const recover = Command.make(
  "recover",
  {
    endpoint,
    since: Flag.String("since").pipe(
      Flag.withMetavar("time"),
      Flag.withDescription("From when on: a date in the club's time zone, or a moment; at most 30 days back")
    )
  },
  (given) => Effect.flatMap(load, ({ recoverDeliveries }) => recoverDeliveries(given))
).pipe(
  Command.withDescription("Send failed deliveries again, each once"),
  Command.withExamples([{
    command: `turma webhooks recover ${exampleEndpoint} --since 2026-04-01`,
    description: "All that has failed since that day"
  }]),
  Command.withGlobalFlags(remoteFlags)
)

/** `turma webhooks tail` */
export const tail = Command.make(
  "tail",
  {
    endpoint: Argument.optional(Argument.withDescription(endpoint, "The endpoint's id; every endpoint without"))
  },
  ({ endpoint }) => Effect.flatMap(Effect.promise(() => import("./deliveries/tail.ts")), ({ tail }) => tail(endpoint))
).pipe(
  Command.withDescription("Print deliveries as they happen, until Ctrl-C"),
  Command.withExamples([
    { command: "turma webhooks tail", description: "Everything that is sent from now on" },
    { command: "turma webhooks tail --jsonl", description: "The same for a program" }
  ]),
  Command.withGlobalFlags(remoteFlags)
)
