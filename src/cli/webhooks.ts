import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { eventTypeFlags, eventTypesIn } from "./flags/EventTypes.ts"
import { ClubFlag, ProfileFlag } from "./flags/RemoteFlags.ts"
import { deliveries, recover, resend, tail } from "./webhooks/deliveries.ts"
import { endpoints } from "./webhooks/endpoints.ts"

const secret = Flag.Redacted("secret").pipe(
  Flag.withDescription("The signing secret, whsec_…; or WEBHOOK_SECRET in the environment, out of process lists"),
  Flag.optional
)

const verifier = Flag.Redacted("secret").pipe(
  Flag.withDescription("The signing secret, whsec_…, or the endpoint's public key, whpk_…; or WEBHOOK_SECRET"),
  Flag.optional
)

const body = Flag.String("body").pipe(
  Flag.withDescription("The file with the body, byte for byte; - is standard input"),
  Flag.withDefault("-")
)

const id = Flag.String("id").pipe(Flag.withDescription("webhook-id"))

const seconds = (name: string, description: string) =>
  Flag.Int(name).pipe(
    Flag.filter((value) => value >= 0, () => "expected Unix seconds"),
    Flag.withDescription(description)
  )

const between = (minimum: number, maximum: number) =>
  Flag.filter((value: number) => value >= minimum && value <= maximum, () => `expected ${minimum} to ${maximum}`)

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

/** Of the two ways to listen: without an address, over the API of the service that the profile or the environment names. */
const forwarding = {
  forward_to: text(
    "forward-to",
    "Receive without an address, from the service and the club of the profile, and post to this one"
  ),
  types: eventTypeFlags("With --forward-to: a type of event to receive; repeat it for several, all types without it"),
  print: Flag.Literals("print", ["line", "body", "none"]).pipe(
    Flag.withDescription("With --forward-to: what to print of each delivery"),
    Flag.withDefault("line" as const)
  ),
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("With --forward-to: print a line of JSON for each delivery, and all else on standard error"),
    Flag.withDefault(false)
  ),
  secret_file: text("secret-file", "With --forward-to: write the signing secret to this file, and do not print it"),
  state: text("state", "With --forward-to: the file by which the command goes on after it was killed")
}

const listen = Command.make("listen", {
  ...forwarding,
  port: Flag.Int("port").pipe(
    between(0, 65_535),
    Flag.withDescription("The port on 127.0.0.1; 0 is any that is free"),
    Flag.withDefault(8443)
  ),
  secret: verifier,
  status: Flag.Int("status").pipe(
    between(200, 599),
    Flag.withDescription("The status of every answer to a delivery"),
    Flag.withDefault(200)
  ),
  cert: Flag.String("cert").pipe(
    Flag.withDescription("The certificate, PEM; without it, one is generated"),
    Flag.optional
  ),
  key: Flag.String("key").pipe(Flag.withDescription("The certificate's key, PEM"), Flag.optional),
  http: Flag.Boolean("http").pipe(Flag.withDescription("Listen without TLS"), Flag.withDefault(false))
}, ({ forward_to, json, print, secret_file, state, types, ...receiving }) =>
  Effect.gen(function*() {
    if (Option.isNone(forward_to)) {
      const { listen } = yield* Effect.promise(() => import("./webhooks/listen.ts"))
      return yield* listen(receiving)
    }
    const { forward } = yield* Effect.promise(() => import("./webhooks/forward/forward.ts"))
    const event_types = eventTypesIn(types)
    return yield* forward({ event_types, forward_to: forward_to.value, json, print, secret_file, state })
  }))
  .pipe(
    Command.withDescription("Receive deliveries on this machine, print them and say whether they are verified"),
    Command.withExamples([
      { command: "turma webhooks listen --port 8443", description: "Receive at a port" },
      {
        command: "turma webhooks listen --forward-to http://localhost:8080",
        description: "Receive without an address, and post to a program on this machine"
      },
      {
        command: "turma webhooks listen --forward-to http://localhost:8080 -e student.created -e purchase.paid",
        description: "The same with two types of events alone"
      }
    ]),
    Command.withGlobalFlags([ProfileFlag, ClubFlag])
  )

const verify = Command.make("verify", {
  secret: verifier,
  id,
  timestamp: Flag.String("timestamp").pipe(Flag.withDescription("webhook-timestamp")),
  signature: Flag.String("signature").pipe(Flag.withDescription("webhook-signature")),
  body,
  at: seconds("at", "Unix seconds at which to judge the timestamp, for a request of the past; now without")
    .pipe(Flag.optional)
}, (captured) => Effect.flatMap(Effect.promise(() => import("./webhooks/verify.ts")), ({ verify }) => verify(captured)))
  .pipe(
    Command.withDescription("Say whether a captured request is verified: exit code 0 if so, else 1 with the reason"),
    Command.withExamples([{
      command: "turma webhooks verify --id evt_1 --timestamp 1614265330 --signature v1,abc --body body.json",
      description: "Judge a request that was kept"
    }])
  )

const sign = Command.make("sign", {
  secret,
  id,
  timestamp: seconds("timestamp", "webhook-timestamp in Unix seconds; now without").pipe(Flag.optional),
  body
}, (unsigned) => Effect.flatMap(Effect.promise(() => import("./webhooks/sign.ts")), ({ sign }) => sign(unsigned))).pipe(
  Command.withDescription("Print the three headers that Turma would send with a body"),
  Command.withExamples([{
    command: "turma webhooks sign --id evt_1 --body body.json",
    description: "Sign a body as of now"
  }])
)

const grade = Command.make("grade", {
  url: Argument.String("url").pipe(Argument.withDescription("Where the receiver is, http or https")),
  secret,
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print the report as JSON"), Flag.withDefault(false))
}, (asked) => Effect.flatMap(Effect.promise(() => import("./webhooks/grade.ts")), ({ grade }) => grade(asked))).pipe(
  Command
    .withDescription("Send a receiver a dozen probes from this machine, some signed wrongly, and say what it does wrong: exit code 1 for an " +
      "error. One that knows only a public key is graded by the service, which alone can sign for it"),
  Command.withExamples([{
    command: "turma webhooks grade http://localhost:8080/hooks",
    description: "Grade a program on this machine, with WEBHOOK_SECRET set"
  }])
)

/** `turma webhooks …`: a club's endpoints and deliveries, and what the receiver needs while somebody writes it. */
export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("Look after a club's webhooks, and receive, verify, sign and grade on this machine"),
  Command.withExamples([{ command: "turma webhooks tail", description: "Watch what is sent" }]),
  Command.withSubcommands([endpoints, deliveries, resend, recover, tail, listen, verify, sign, grade])
)
