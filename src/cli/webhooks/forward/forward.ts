import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Duration, Effect, Exit, FileSystem, Layer, Option, Redacted, Result } from "effect"
import { HttpClient } from "effect/http"
import type { ListenerResult } from "../../../webhooks/listener/Listener.ts"
import { parseSecret } from "../../../webhooks/send/Secret.ts"
import { CommandFailure } from "../../errors/CommandFailure.ts"
import { exitCodeOfStatus, exitCodes } from "../../errors/ExitCodes.ts"
import { unwritable } from "../../errors/Unreadable.ts"
import { onceOnly } from "../../remote/Once.ts"
import { httpTarget } from "../Input.ts"
import { type Forwarder, makeForwarder } from "./Forwarder.ts"
import { type ForwardOutput, makeOutput, type OutputOptions } from "./ForwardOutput.ts"
import { type ListenerState, openListenerState } from "./ListenerState.ts"
import { remote } from "./Remote.ts"
import { untilItAnswers } from "./untilItAnswers.ts"
import { isTakenOver, makeUpstream, type Refused, type Upstream } from "./Upstream.ts"

/** The events to forward, and the target. */
export interface Forwarding extends OutputOptions {
  readonly forward_to: string
  /** Types of events; all types by default. */
  readonly event_types: ReadonlyArray<string>
  /** The file that remembers the listener, so that a later command goes on with it. */
  readonly state: Option.Option<string>
  /** The file for the signing secret; without one the secret is printed. */
  readonly secret_file: Option.Option<string>
}

/** How long what runs may take once listening is to end, and what is asked of the service after it: a shutdown has 19 seconds. */
const ending = { running: Duration.seconds(13), recording: Duration.seconds(2), removing: Duration.seconds(2) }

const description = "turma webhooks listen"

const typesOf = (event_types: ReadonlyArray<string>, upstream: Upstream, output: ForwardOutput) =>
  event_types.length === 0 ? untilItAnswers(upstream.types, output) : Effect.succeed(event_types)

const nothing: ReadonlyArray<ListenerResult> = []

/** The listener of the command before, where the service still has it, or else a new one. */
const resumeOrMake = Effect.fnUntraced(function*(
  upstream: Upstream,
  listenerState: ListenerState,
  events: ReadonlyArray<string>,
  output: ForwardOutput
) {
  const make = Effect.gen(function*() {
    const made = yield* untilItAnswers(upstream.create(events, description, yield* onceOnly), output)
    yield* listenerState.keep(made.id, made.secret)
    return { ...made, unrecorded: nothing }
  })
  if (Option.isNone(listenerState.saved)) return yield* make
  const { listener_id: id, secret } = listenerState.saved.value
  const resumed = yield* Effect.result(untilItAnswers(upstream.setTypes(id, events), output))
  if (Result.isSuccess(resumed)) {
    yield* listenerState.keep(id, secret)
    yield* output.note("Going on with the listener of the command before")
    return { id, secret, unrecorded: listenerState.unrecorded }
  }
  if (resumed.failure._tag !== "Refused" || resumed.failure.status !== 404) return yield* resumed.failure
  yield* output.note("The listener of the command before no longer exists: events that came meanwhile were not kept")
  yield* listenerState.journal.keep(nothing)
  return yield* make
})

/** Passes the secret to the receiver's operator: in the named file, readable to this user alone, or in a line. */
export const shareSecret = Effect.fnUntraced(function*(
  secret: Redacted.Redacted,
  { secret_file }: Pick<Forwarding, "secret_file">,
  output: ForwardOutput
) {
  if (Option.isNone(secret_file)) return yield* output.note(`Signing secret: ${Redacted.value(secret)}`)
  const fs = yield* FileSystem.FileSystem
  const path = secret_file.value
  yield* fs.remove(path, { force: true }).pipe(
    Effect.andThen(fs.writeFileString(path, `${Redacted.value(secret)}\n`, { flag: "wx", mode: 0o600 })),
    Effect.mapError(unwritable(`the secret to ${path}`))
  )
})

const keyOf = (secret: Redacted.Redacted) =>
  Option.match(parseSecret(Redacted.value(secret)), {
    onNone: () =>
      Effect.fail(new CommandFailure({
        message: "The service's secret is not whsec_ followed by base64",
        exit_code: exitCodes.unavailable.code
      })),
    onSome: Effect.succeed
  })

const recordWhatIsLeft = ({ recordRest }: Forwarder) => Effect.exit(Effect.timeout(recordRest, ending.recording))

/**
 * After the signal to stop, deliveries in progress finish and are reported. Then the listener is removed, unless a
 * later command has it.
 */
const endCleanly = Effect.fnUntraced(function*(
  forwarder: Forwarder,
  remove: Effect.Effect<void, Refused>,
  listenerState: ListenerState,
  output: ForwardOutput
) {
  const say = (text: string) => Effect.ignore(output.note(text))
  yield* say("Stopping: what is under way is finished first")
  yield* Effect.timeoutOption(forwarder.settled, ending.running)
  yield* recordWhatIsLeft(forwarder)
  if (!(yield* listenerState.isLatest)) return yield* say("The listener stays: another command has it")
  const removed = yield* Effect.exit(Effect.timeout(remove, ending.removing))
  if (Exit.isSuccess(removed)) {
    yield* listenerState.forget
    return yield* say("The listener is removed")
  }
  yield* say("The listener is not removed: it ends by itself within an hour, or goes on with the same command")
})

const failureOf = (refused: Refused, message = refused.message) =>
  new CommandFailure({ message, exit_code: exitCodeOfStatus(refused.status) })

/** Why the service does not let this listener go on. */
const endOf = (refused: Refused): CommandFailure => {
  if (isTakenOver(refused)) {
    return new CommandFailure({
      message: "Another command listens in place of this one",
      exit_code: exitCodes.failed.code
    })
  }
  return failureOf(refused, refused.status === 404 ? "The listener was deleted: start again for a new one" : undefined)
}

const listen = Effect.fnUntraced(function*(options: Forwarding) {
  const target = yield* httpTarget("--forward-to", options.forward_to)
  const output = makeOutput(options)
  const service = yield* remote
  const upstream = yield* makeUpstream(service)
  const listenerState = yield* openListenerState(service, target, options.state)
  const { id, secret, unrecorded } = yield* resumeOrMake(
    upstream,
    listenerState,
    yield* typesOf(options.event_types, upstream, output),
    output
  )
  const http = yield* Effect.provide(HttpClient.HttpClient, yield* Layer.build(NodeHttpClient.layerNodeHttp))
  const listening = { id, http, target, unrecorded, upstream, listenerState, output, secret: yield* keyOf(secret) }
  yield* shareSecret(secret, options, output)
  const forwarder = yield* makeForwarder(listening)
  yield* output.note(`Listening as ${id}, forwarding to ${target}. Ctrl-C ends it`)
  const end = endCleanly(forwarder, upstream.remove(id), listenerState, output)
  // A later command with the same file may have made a listener of its own by then.
  const forgetOwn = Effect.asVoid(Effect.when(listenerState.forget, listenerState.isLatest))
  return yield* forwarder.run.pipe(
    Effect.onInterrupt(() => end),
    Effect.tapErrorTag(["CommandFailure", "QuietEnd", "UsageError"], () => end),
    Effect.catchTag("Refused", (refused) =>
      Effect.andThen(
        refused.status === 404 ? forgetOwn : recordWhatIsLeft(forwarder),
        Effect.fail(endOf(refused))
      ))
  )
})

/**
 * Receives a club's events without an address on the internet, and posts each to an address of this machine, until its
 * signal to stop. After a kill it goes on at the same place when the same command starts again.
 */
export const forward = (options: Forwarding) =>
  listen(options).pipe(
    Effect.catchTag("Refused", (refused) => Effect.fail(failureOf(refused))),
    Effect.scoped,
    Effect.provide(NodeHttpClient.layerNodeHttpOptions({ keepAlive: true }))
  )
